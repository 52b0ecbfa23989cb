#include "tests/conform/kinds.h"

#include "tests/conform/decode.h"
#include "tests/conform/differentiable.h"
#include "tests/conform/forwards.h"
#include "tests/conform/onnx.h"
#include "tests/conform/optimisers.h"
#include "tests/conform/recurrent.h"
#include "tests/conform/seq2seq.h"

namespace unroll::conform {
namespace {

using Check = void (*)(const Json& test, Findings& findings);

template <Forward forward>
void differentiable(const Json& test, Findings& findings) {
  check_differentiable(test, forward, findings);
}

const std::map<std::string, Check> checks = {
    {"activation", differentiable<activation>},
    {"softmax", differentiable<softmaxes>},
    {"linear", differentiable<linear>},
    {"embedding", differentiable<embedding>},
    {"layernorm", differentiable<layernorm>},
    {"rmsnorm", differentiable<rmsnorm>},
    {"ffn", differentiable<feed_forward>},
    {"ffn_swiglu", differentiable<swiglu>},
    {"cross_entropy", differentiable<cross_entropy_loss>},
    {"mse", differentiable<squared_error>},
    {"attention_score", differentiable<attention_score>},
    {"sdpa", differentiable<dot_product_attention>},
    {"attention_local", differentiable<local_attention>},
    {"alibi", differentiable<alibi>},
    {"seq2seq", differentiable<seq2seq>},
    {"linear_attention", differentiable<linear_attention>},
    {"decode", check_decoding},
    {"rnn", check_recurrent},
    {"gru", check_recurrent},
    {"gru_cho2014", check_recurrent},
    {"lstm", check_recurrent},
    {"optimizer", check_optimiser},
    {"clip_grad_norm", check_clipping},
    {"train", check_regression},
};

// Kinds the engine has no layer for yet, and which one they wait for.
const std::map<std::string, std::string> waiting = {
    {"mha", "multi-head attention"},
    {"gqa", "multi-head attention"},
    {"transformer_encoder_layer", "transformer blocks"},
    {"transformer_encoder", "transformer blocks"},
    {"transformer_decoder_layer", "transformer blocks"},
    {"transformer_seq2seq", "transformer blocks"},
    {"gpt", "transformer blocks"},
    {"rope", "positions"},
    {"sinusoidal_pe", "positions"},
    {"conv2d", "convolution"},
    {"Conv", "convolution"},
    {"conv_grid_attention", "convolution"},
    {"maxpool2d", "pooling"},
    {"se", "attention over images"},
    {"cbam", "attention over images"},
    {"sagan_attention", "attention over images"},
    {"caption_attention", "attention over images"},
};

}  // namespace

void run_case(const Json& test, Findings& findings) {
  if (!test.is_object() || (!test.contains("op") && !test.contains("op_type")))
    throw std::runtime_error("it names no operation: a case has \"op\" or \"op_type\"");
  const std::string kind = test.value("op", test.value("op_type", ""));
  if (const auto op = onnx_operators().find(kind); test.contains("op_type") && op != onnx_operators().end())
    return check_onnx(test, op->second, findings);
  if (const auto check = checks.find(kind); check != checks.end()) return check->second(test, findings);
  const auto missing = waiting.find(kind);
  throw Skip(kind + ": the engine has no " + (missing == waiting.end() ? "such operation" : missing->second) + " yet");
}

}  // namespace unroll::conform
