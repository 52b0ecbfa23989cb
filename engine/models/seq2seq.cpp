#include "engine/models/seq2seq.h"

#include "engine/autograd/tape.h"
#include "engine/nn/recurrent/decoders.h"
#include "engine/nn/recurrent/recurrent.h"
#include "engine/nn/tokens.h"
#include "engine/tensor/error.h"

namespace unroll {

void RecurrentGenerator::embed_targets(const DecoderOptions& options) {
  target_embedding_.emplace(parameters_, "target_embedding", options.vocabulary, options.embedding);
}

Tensor RecurrentGenerator::loss() {
  output_ = weights_ = {};  // frees their buffers for this pass
  parameters_.record();
  const Tensor source = use_input("source"), target_in = use_input("target_in"), target_out = use_input("target_out");
  const DecoderOutput decoded = decode(encode(source), target_in);
  output_ = decoded.logits;  // (B, T, V)
  weights_ = decoded.weights;
  return cross_entropy(output_, target_out, {.ignored = pad_id}).as("L");
}

// All positions of target_in (B, T): logits (B, T, V), and attention weights (B, T, S), empty without attention.
DecoderOutput RecurrentGenerator::decode(const Source& source, const Tensor& target_in) const {
  std::vector<Tensor> logits, weights;  // T of (B, V), T of (B, 1, S)
  DecoderState state = begin(source);
  for (int t = 0; t < target_in.shape()[1]; ++t) {
    const Tensor token = forcing_.token(target_in, t, t > 0 ? logits.back() : Tensor());  // (B)
    Scope decoder("decoder"), position("t" + std::to_string(t));
    const DecoderOutput output = advance(token, state, 1);
    logits.push_back(output.logits);
    weights.push_back(output.weights);
  }
  const Tensor attention =
      weights[0] ? concat({weights.begin(), weights.end()}, 1).as("attention/α", Role::weight) : Tensor();
  return {join_positions(logits).as("logits"), attention};
}

DecoderState RecurrentGenerator::begin(const Source& source) const {
  Scope decoder("decoder");
  return decoder_->start(source);
}

// One step: feeds the tokens (B) and advances the state.
DecoderOutput RecurrentGenerator::advance(Operand tokens, DecoderState& state, double temperature) const {
  const Tensor y = (*target_embedding_)(tokens).as("y");  // (B, E)
  const DecoderOutput output = decoder_->step(y, state, temperature);
  ++state.position;
  return output;
}

// Without padding the mask is all 0.
GeneratorState RecurrentGenerator::start(const Tensor& source) {
  check_source(source);
  parameters_.record();
  DecoderState state = begin(encode(source));
  const Memory& memory = state.memory;
  if (memory.values && !memory.mask)
    state.memory.mask = Tensor::full({memory.values.shape()[0], 1, memory.values.shape()[1]}, 0);
  return GeneratorState(state);
}

StepOutput RecurrentGenerator::next(const Tensor& tokens, GeneratorState& state) {
  Scope scope("decoder");
  DecoderState decoder = state.as<DecoderState>();
  const DecoderOutput output = advance(tokens, decoder, temperature_);
  state = GeneratorState(decoder, decoder.position);
  return {output.logits, output.weights ? reshape(output.weights, output.weights.shape().without(1)) : Tensor()};
}

namespace {

Wiring read_wiring(const Config& config) {
  const std::string attention = config.text("attention", "bahdanau", {"none", "bahdanau", "luong"});
  const std::string context = config.text("context", "first_state", {"first_state", "every_step"});
  if (attention == "none") return context == "every_step" ? Wiring::every_step : Wiring::first_state;
  if (context == "every_step") fail(ErrorCode::config, "context_with_attention", attention);
  return attention == "luong" ? Wiring::luong : Wiring::bahdanau;
}

Projection read_projection(const Config& config, const char* name) {
  return config.choice(name, Projection::none, {"none", "linear", "tanh", "sigmoid", "relu"});
}

SourceAttentionOptions read_attention(const Config& config, Wiring wiring, int hidden, int state) {
  return {.score = config.text("score", wiring == Wiring::luong ? "general" : "additive", score_kinds()),
          .query = hidden,
          .state = state,
          .attention = read_attention_size(config, hidden),
          .positions = max_positions,
          .queries = read_projection(config, "project_queries"),
          .keys = read_projection(config, "project_keys"),
          .values = read_projection(config, "project_values"),
          .window = config.choice("window", Window::global, {"global", "local_m", "local_p"}),
          .half_width = config.integer("half_width", 4, 1, max_positions)};
}

double read_temperature(const Config& config) {
  if (!config.flag("hard", false)) return config.number("attention_temperature", 1, 0, 1e6);
  config.reject_if_set("attention_temperature", phrase("hard_is_temperature_zero"));
  return 0;
}

Seq2SeqOptions read_seq2seq_options(const Config& config) {
  const Wiring wiring = read_wiring(config);
  const CellKind cell = config.choice("cell", CellKind::gru, cell_kinds());
  const int E = config.integer("embedding", 32, 1, max_embedding), H = read_size(config, 64);
  const int layers = config.integer("layers", 1, 1, max_layers);
  const bool bidirectional = config.flag("bidirectional", wiring == Wiring::bahdanau);
  const double forget_bias = config.number("forget_bias", 0, 0, 10);
  const int M = bidirectional ? 2 * H : H;
  const Seq2SeqOptions options = {.encoder = {cell, E, H, layers, bidirectional, forget_bias},
                                  .decoder = {.cell = cell,
                                              .embedding = E,
                                              .hidden = H,
                                              .vocabulary = read_vocabulary(config, "target_vocabulary"),
                                              .layers = layers,
                                              .forget_bias = forget_bias,
                                              .source = M,
                                              .bridge = bidirectional || wiring == Wiring::bahdanau},
                                  .attention = read_attention(config, wiring, H, M),
                                  .wiring = wiring,
                                  .source_vocabulary = read_vocabulary(config, "source_vocabulary"),
                                  .input_feeding = config.flag("input_feeding", true),
                                  .temperature = read_temperature(config),
                                  .reverse_source = config.flag("reverse_source", false)};
  const bool attends = wiring == Wiring::bahdanau || wiring == Wiring::luong;
  if (options.reverse_source && attends) fail(ErrorCode::config, "reversed_source_with_attention");
  return options;
}

std::unique_ptr<RecurrentDecoder> make_decoder(const Seq2SeqOptions& options, Parameters& parameters) {
  const DecoderOptions& decoder = options.decoder;
  if (options.wiring == Wiring::first_state) return std::make_unique<FirstStateDecoder>(decoder, parameters);
  if (options.wiring == Wiring::every_step) return std::make_unique<EveryStepDecoder>(decoder, parameters);
  if (options.wiring == Wiring::bahdanau)
    return std::make_unique<BahdanauDecoder>(decoder, options.attention, parameters);
  return std::make_unique<LuongDecoder>(decoder, options.attention, options.input_feeding, parameters);
}

}  // namespace

Seq2Seq::Seq2Seq(const Config& config)
    : RecurrentGenerator(config),
      options_(read_seq2seq_options(config)),
      encoder_(options_.encoder, options_.source_vocabulary, options_.reverse_source, parameters_) {
  embed_targets(options_.decoder);
  decoder_ = make_decoder(options_, parameters_);
  temperature_ = options_.temperature;
  add_pair_inputs(options_.source_vocabulary, options_.decoder.vocabulary);
}

Source Seq2Seq::encode(Operand source) const { return encoder_.encode(source); }

ModelKind seq2seq_kind() { return task_kind_of<new_model<Seq2Seq>, hidden_field>("seq2seq"); }

}  // namespace unroll
