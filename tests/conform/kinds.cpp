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
    {"transformer_encoder_layer", differentiable<encoder_layers>},
    {"transformer_encoder", differentiable<encoder_layers>},
    {"transformer_decoder_layer", differentiable<decoder_layer>},
    {"transformer_seq2seq", differentiable<transformer>},
    {"gpt", differentiable<gpt>},
    {"mha", differentiable<multi_head>},
    {"gqa", differentiable<grouped_query>},
    {"rope", differentiable<rotary_positions>},
    {"sinusoidal_pe", differentiable<sinusoidal>},
    {"conv2d", differentiable<conv2d>},
    {"maxpool2d", differentiable<max_pooling>},
    {"se", differentiable<channel_attention>},
    {"cbam", differentiable<block_attention>},
    {"sagan_attention", differentiable<grid_attention>},
    {"conv_grid_attention", differentiable<attention_in_convnet>},
    {"caption_attention", differentiable<caption_attention>},
    {"decode", check_decoding},
    {"rnn", check_recurrent},
    {"gru", check_recurrent},
    {"gru_cho2014", check_recurrent},
    {"lstm", check_recurrent},
    {"optimizer", check_optimiser},
    {"clip_grad_norm", check_clipping},
    {"train", check_regression},
};

}  // namespace

void run_case(const Json& test, Findings& findings) {
  if (!test.is_object() || (!test.contains("op") && !test.contains("op_type")))
    throw std::runtime_error("it names no operation: a case has \"op\" or \"op_type\"");
  const std::string kind = test.value("op", test.value("op_type", ""));
  if (const auto op = onnx_operators().find(kind); test.contains("op_type") && op != onnx_operators().end())
    return check_onnx(test, op->second, findings);
  if (const auto check = checks.find(kind); check != checks.end()) return check->second(test, findings);
  throw Skip(kind + ": the engine has no such operation yet");
}

}  // namespace unroll::conform
