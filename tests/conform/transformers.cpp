// Encoders, a decoder layer, a whole Transformer, and a decoder-only one with learned positions.
#include <cmath>

#include "engine/models/config.h"
#include "engine/nn/attention/attention.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/nn/positions.h"
#include "engine/nn/transformer_block.h"
#include "tests/conform/torch.h"

namespace unroll::conform {
namespace {

FeedForward feed_forward(const Arguments& a, const std::string& prefix) {
  const bool relu = a.option<std::string>("activation", "relu") == "relu";
  return {relu ? Activation::relu : Activation::gelu, linear(a, prefix + "linear1."), linear(a, prefix + "linear2.")};
}

BlockNorm block_norm(const Arguments& a, const std::string& prefix, const std::string& name) {
  const NormPlace place = a.option("norm_first", false) ? NormPlace::pre : NormPlace::post;
  return {place, norm(a, prefix + name + "."), name};
}

TransformerBlock encoder_block(const Arguments& a, const std::string& prefix) {
  const int D = a.option("d_model", 0);
  return {heads(a, D, prefix + "self_attn."), block_norm(a, prefix, "norm1"), feed_forward(a, prefix),
          block_norm(a, prefix, "norm2")};
}

DecoderBlock decoder_block(const Arguments& a, const std::string& prefix) {
  const int D = a.option("d_model", 0);
  return {heads(a, D, prefix + "self_attn."), block_norm(a, prefix, "norm1"), heads(a, D, prefix + "multihead_attn."),
          block_norm(a, prefix, "norm2"),     feed_forward(a, prefix),        block_norm(a, prefix, "norm3")};
}

// The prefix of the parameter with this name: "l." for "l.norm1.weight".
std::string prefix_of(const Arguments& a, const std::string& name) {
  for (const auto& [full, value] : a.params())
    if (full.ends_with(name)) return full.substr(0, full.size() - name.size());
  throw std::runtime_error("no parameter ends in " + name);
}

// Marks (B, S) → (B, 1, 1, S); "no tensor" without marks.
Tensor padding(const Tensor& marks) { return marks ? for_all_heads(padding_mask(marks)) : Tensor(); }

// Positions first ↔ batch first, in either direction.
Tensor batch_first(const Arguments& a, Operand x) {
  return a.option<std::string>("layout", "") == "[T,B,E]" ? permute(x, {1, 0, 2}) : Tensor(x);
}

Results encoder_layers(const Arguments& a) {
  const bool stack = a.config().contains("layers");
  const std::string prefix = stack ? "" : prefix_of(a, "norm1.weight");
  const Tensor mask = padding(a.optional_input("key_padding_mask"));
  Results results;
  Tensor x = batch_first(a, a.input("x"));
  for (int i = 0; i < a.option("layers", 1); ++i) {
    const std::string name = "layers." + std::to_string(i) + ".";
    x = encoder_block(a, stack ? name : prefix)(x, mask).x;
    results["layer" + std::to_string(i)] = x;
  }
  for (const char* last : {"norm.", "final_norm."})
    if (a.params().contains(std::string(last) + "weight")) x = norm(a, last)(x);
  results["y"] = batch_first(a, x);
  return results;
}

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

CASES(transformer_encoder_layer) { return encoder_layers(a); }
CASES(transformer_encoder) { return encoder_layers(a); }

CASES(transformer_decoder_layer) {
  const DecoderBlock block = decoder_block(a, prefix_of(a, "norm1.weight"));
  const Tensor later = a.optional_input("attn_mask");  // True = hidden
  const Tensor mask =
      combined_mask(later ? hidden_where(later, true) : Tensor(), padding(a.optional_input("tgt_key_padding_mask")));
  const Tensor memory_mask = padding(a.optional_input("memory_key_padding_mask"));
  const KeysValues memory = block.project_memory(batch_first(a, a.input("memory")));
  KeysValues past;
  return {{"y", batch_first(a, block.advance(batch_first(a, a.input("x")), past, memory, mask, memory_mask).x)}};
}

CASES(transformer_seq2seq) {
  const int D = a.option("d_model", 0), pad = a.option("pad", 0);
  const auto words = [&](const char* name, const char* ids) {
    const Tensor x = std::sqrt(double(D)) * Embedding(a.param(name))(a.input(ids));
    return x + sinusoidal_positions(x.shape()[1], D);
  };
  const auto layer = [](const char* stack, int i) { return std::string(stack) + std::to_string(i) + "."; };
  const Tensor source_mask = padding(equal(a.input("src"), pad));
  Tensor x = words("src_emb.weight", "src");
  for (int i = 0; i < a.option("enc_layers", 0); ++i)
    x = encoder_block(a, layer("tr.encoder.layers.", i))(x, source_mask).x;
  const Tensor memory = norm(a, "tr.encoder.norm.")(x);

  const int T = a.input("tgt_in").shape()[1];
  const Tensor mask = combined_mask(causal_mask(T, T), padding(equal(a.input("tgt_in"), pad)));
  Tensor y = words("tgt_emb.weight", "tgt_in");
  for (int i = 0; i < a.option("dec_layers", 0); ++i) {
    const DecoderBlock block = decoder_block(a, layer("tr.decoder.layers.", i));
    KeysValues past;
    y = block.advance(y, past, block.project_memory(memory), mask, source_mask).x;
  }
  const Tensor out = norm(a, "tr.decoder.norm.")(y);
  const bool tied = a.option("tied_output", false);
  const Tensor logits = tied ? matmul(out, a.param("tgt_emb.weight"), Transposed::b) : linear(a, "out.")(out);
  const Tensor loss =
      cross_entropy(logits, a.input("tgt_out"), {.ignored = pad, .label_smoothing = a.option("label_smoothing", 0.0)});
  return {{"decoder_out", out}, {"logits", logits}, {"loss", loss}};
}

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

}  // namespace
}  // namespace unroll::conform
