// A decoder-only Transformer with learned positions.
#include "engine/models/config.h"
#include "engine/nn/attention/masks.h"
#include "engine/nn/layers/embedding.h"
#include "engine/nn/positions.h"
#include "engine/nn/transformer_block.h"
#include "tests/conform/torch.h"

namespace unroll::conform {
namespace {

NormPlace place(const Arguments& a) {
  return a.option<std::string>("norm", "pre") == "pre" ? NormPlace::pre : NormPlace::post;
}

TransformerBlock gpt_block(const Arguments& a, const std::string& block) {
  const Config config = {{"activation", a.option<std::string>("activation", "gelu_tanh")}};
  const auto activation = config.choice("activation", Activation::gelu_tanh, activation_kinds());
  const Linear in = linear(a, block + "c_attn."), out = linear(a, block + "attn_proj.");
  return {heads(a, a.option("d_model", 0), in, out), BlockNorm(place(a), norm(a, block + "ln_1."), "norm1"),
          FeedForward(activation, linear(a, block + "c_fc."), linear(a, block + "mlp_proj.")),
          BlockNorm(place(a), norm(a, block + "ln_2."), "norm2")};
}

}  // namespace

CASES(gpt) {
  const Tensor ids = a.input("idx");
  const int T = ids.shape()[1];
  const Tensor words = Embedding(a.param("wte.weight"))(ids);
  Tensor x = words + LearnedPositions(a.param("wpe.weight"))(T);  // (B, T, D)
  Results results = {{"embed", x}};
  for (int i = 0; i < a.option("layers", 0); ++i) {
    const std::string number = std::to_string(i);
    const BlockOutput made = gpt_block(a, "blocks." + number + ".")(x, causal_mask(T, T));
    x = results["block" + number] = made.x;
    results["attn" + number] = made.weights;
  }
  if (a.params().contains("ln_f.weight")) x = norm(a, "ln_f.")(x);
  const bool tied = a.option("tied", true);
  const Tensor logits = tied ? matmul(x, a.param("wte.weight"), Transposed::b) : linear(a, "lm_head.")(x);
  results["logits"] = logits;
  results["loss"] = cross_entropy(logits, a.input("target"), {.ignored = a.option("ignore_index", -1)});
  return results;
}

}  // namespace unroll::conform
