#include "engine/models/seq2seq.h"

#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/models/model_size.h"
#include "engine/models/registry.h"
#include "engine/models/token_inputs.h"
#include "engine/nn/recurrent/bahdanau_decoder.h"
#include "engine/nn/recurrent/luong_decoder.h"
#include "engine/nn/recurrent/plain_decoder.h"
#include "engine/nn/tokens.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

Wiring read_wiring(const Config& config) {
  const std::string attention = config.text("attention", "bahdanau", {"none", "bahdanau", "luong"});
  const std::string context = config.text("context", "first_state", {"first_state", "every_step"});
  if (attention == "none") return context == "every_step" ? Wiring::every_step : Wiring::first_state;
  if (context == "every_step") fail(ErrorCode::config, "context_with_attention", attention);
  return attention == "luong" ? Wiring::luong : Wiring::bahdanau;
}

Projection read_projection(const Config& config, const char* name) {
  return config.choice(name, Projection::none, {"none", "linear", "tanh"});
}

SourceAttentionOptions read_attention(const Config& config, Wiring wiring, int hidden, int state) {
  return {.score = config.text("score", wiring == Wiring::luong ? "general" : "additive", score_kinds()),
          .query = hidden,
          .state = state,
          .attention = config.integer("attention_size", std::min(hidden, max_hidden), 1, max_hidden),
          .positions = max_positions,
          .queries = read_projection(config, "project_queries"),
          .keys = read_projection(config, "project_keys"),
          .values = read_projection(config, "project_values"),
          .window = config.choice("window", Window::global, {"global", "local_m", "local_p"}),
          .half_width = config.integer("half_width", 4, 1, max_positions)};
}

void check_reverse_source(const Seq2SeqOptions& options) {
  if (options.reverse_source && attends(options)) fail(ErrorCode::config, "reversed_source_with_attention");
}

}  // namespace

bool attends(const Seq2SeqOptions& options) {
  return options.wiring == Wiring::bahdanau || options.wiring == Wiring::luong;
}

Seq2SeqOptions read_seq2seq_options(const Config& config) {
  const Wiring wiring = read_wiring(config);
  const CellKind cell = config.choice("cell", CellKind::gru, cell_kinds());
  const int E = config.integer("embedding", 32, 1, max_embedding), H = read_size(config, 64);
  const int layers = config.integer("layers", 1, 1, max_layers);
  const bool bidirectional = config.flag("bidirectional", wiring == Wiring::bahdanau);
  const double forget_bias = config.number("forget_bias", 0, 0, 10);
  const int M = bidirectional ? 2 * H : H;
  const Seq2SeqOptions options = {
      .encoder = {cell, E, H, layers, bidirectional, forget_bias},
      .decoder = {.cell = cell,
                  .embedding = E,
                  .hidden = H,
                  .vocabulary = config.integer("target_vocabulary", 16, min_vocabulary, max_vocabulary),
                  .layers = layers,
                  .forget_bias = forget_bias,
                  .source = M,
                  .bridge = bidirectional || wiring == Wiring::bahdanau},
      .attention = read_attention(config, wiring, H, M),
      .wiring = wiring,
      .source_vocabulary = config.integer("source_vocabulary", 16, min_vocabulary, max_vocabulary),
      .input_feeding = config.flag("input_feeding", true),
      .hard = config.flag("hard", false),
      .reverse_source = config.flag("reverse_source", false)};
  check_reverse_source(options);
  return options;
}

std::unique_ptr<RecurrentDecoder> make_decoder(const Seq2SeqOptions& options, Parameters& parameters) {
  switch (options.wiring) {
    case Wiring::first_state:
      return std::make_unique<FirstStateDecoder>(options.decoder, parameters);
    case Wiring::every_step:
      return std::make_unique<EveryStepDecoder>(options.decoder, parameters);
    case Wiring::bahdanau:
      return std::make_unique<BahdanauDecoder>(options.decoder, options.attention, parameters);
    case Wiring::luong:
      return std::make_unique<LuongDecoder>(options.decoder, options.attention, options.input_feeding, parameters);
  }
  return nullptr;
}

namespace {

RecurrentGenerator make_generator(const Seq2SeqOptions& options, Parameters& parameters) {
  const DecoderOptions& decoder = options.decoder;
  Embedding embedding(parameters, "target_embedding", decoder.vocabulary, decoder.embedding);
  return {embedding, make_decoder(options, parameters)};
}

}  // namespace

Seq2Seq::Seq2Seq(const Config& config)
    : EncoderDecoderModel(config),
      options_(read_seq2seq_options(config)),
      encoder_(options_.encoder, options_.source_vocabulary, options_.reverse_source, parameters_),
      generator_(make_generator(options_, parameters_)) {
  add_pair_inputs(options_.source_vocabulary, options_.decoder.vocabulary);
}

Tensor Seq2Seq::loss() {
  output_ = weights_ = {};  // frees their buffers for this pass
  parameters_.record();
  const Tensor source = use_input("source"), target_in = use_input("target_in"), target_out = use_input("target_out");
  const DecoderOutput decoded = generator_.decode(encoder_.encode(source), target_in);
  output_ = decoded.logits;  // (B, T, V)
  weights_ = decoded.weights;
  return cross_entropy(output_, target_out, {.ignored = pad_id}).as("L");
}

GeneratorState Seq2Seq::start(const Tensor& source) {
  check_token_shape("source", source.shape());
  check_padding("source", source);
  parameters_.record();
  return generator_.start(encoder_.encode(source));
}

StepOutput Seq2Seq::next(const Tensor& tokens, GeneratorState& state) {
  return generator_.next(tokens, state, options_.hard ? 0 : 1);
}

ModelKind seq2seq_kind() { return task_kind_of<new_model<Seq2Seq>, hidden_field>("seq2seq"); }

}  // namespace unroll
