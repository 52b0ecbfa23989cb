#include "engine/nn/recurrent/decoders.h"

#include "engine/autograd/tape.h"
#include "engine/tensor/error.h"

namespace unroll {

CellStack::CellStack(const DecoderOptions& options, int input, Parameters& parameters)
    : network_({.cell = options.cell,
                .input = input,
                .hidden = options.hidden,
                .layers = options.layers,
                .forget_bias = options.forget_bias},
               parameters, "decoder") {}

std::vector<CellState> CellStack::step(Operand x, const std::vector<CellState>& previous) const {
  std::vector<CellState> next = network_.step(x, previous);
  next.back().h = next.back().h.as("s");
  return next;
}

FirstState::FirstState(const DecoderOptions& options, Parameters& parameters)
    : layers_(static_cast<std::size_t>(options.layers)) {
  for (std::size_t layer = 0; options.bridge && layer < layers_; ++layer)
    bridges_.emplace_back(parameters, "init." + std::to_string(layer), options.hidden, options.hidden);
}

std::vector<CellState> FirstState::operator()(const Source& source) const {
  const std::size_t directions = source.last.size() / layers_;
  std::vector<CellState> states;
  for (std::size_t layer = 0; layer < layers_; ++layer) {
    CellState state = source.last[layer * directions + directions - 1];
    if (!bridges_.empty()) state.h = tanh(bridges_[layer](state.h)).as("s0");
    states.push_back(state);
  }
  return states;
}

FirstStateDecoder::FirstStateDecoder(const DecoderOptions& options, Parameters& parameters)
    : first_(options, parameters),
      cells_(options, options.embedding, parameters),
      out_(parameters, "out", options.hidden, options.vocabulary) {}

DecoderState FirstStateDecoder::start(const Source& source) const { return {.layers = first_(source)}; }

DecoderOutput FirstStateDecoder::step(Operand y, DecoderState& state, double) const {
  state.layers = cells_.step(y, state.layers);
  const Tensor s = state.layers.back().h;      // (B, H)
  const Tensor logits = out_(s).as("logits");  // (B, V)
  return {logits};
}

EveryStepDecoder::EveryStepDecoder(const DecoderOptions& options, Parameters& parameters)
    : layers_(static_cast<std::size_t>(options.layers)),
      cells_(options, options.embedding + options.source, parameters),
      out_(parameters, "out", options.hidden, options.vocabulary) {}

DecoderState EveryStepDecoder::start(const Source& source) const {
  const std::size_t directions = source.last.size() / layers_, top = source.last.size() - directions;
  std::vector<Operand> ends;  // of the top layer, in each direction
  for (std::size_t i = top; i < source.last.size(); ++i) ends.push_back(source.last[i].h);
  const Tensor c = directions == 1 ? Tensor(ends[0]) : concat(ends, -1).as("c");  // (B, M)
  return {.layers = cells_.zero_states(c.shape()[0]), .input_feed = c};
}

DecoderOutput EveryStepDecoder::step(Operand y, DecoderState& state, double) const {
  const Tensor& c = state.input_feed;           // (B, M)
  const Tensor x = concat({y, c}, -1).as("x");  // (B, E + M)
  state.layers = cells_.step(x, state.layers);
  const Tensor s = state.layers.back().h;      // (B, H)
  const Tensor logits = out_(s).as("logits");  // (B, V)
  return {logits};
}

BahdanauDecoder::BahdanauDecoder(const DecoderOptions& options, const SourceAttentionOptions& attention,
                                 Parameters& parameters)
    : first_(options, parameters),
      attention_(attention, parameters, "attention"),
      cells_(options, options.embedding + options.source, parameters),
      out_(parameters, "out", options.hidden + options.source + options.embedding, options.vocabulary) {}

DecoderState BahdanauDecoder::start(const Source& source) const {
  return {.layers = first_(source), .memory = attention_.project_memory(source.h, source.lengths)};
}

DecoderOutput BahdanauDecoder::step(Operand y, DecoderState& state, double temperature) const {
  const Tensor query = state.layers.back().h;  // (B, H)
  const auto [c, weights] =
      attention_.attend_to(query, state.memory, state.position, temperature);  // (B, M), (B, 1, S)
  state.layers = cells_.step(concat({y, c}, -1).as("x"), state.layers);        // (B, E + M)
  const Tensor s = state.layers.back().h;                                      // (B, H)
  const Tensor logits = out_(concat({s, c, y}, -1)).as("logits");              // (B, V)
  return {logits, weights};
}

LuongDecoder::LuongDecoder(const DecoderOptions& options, const SourceAttentionOptions& attention, bool input_feeding,
                           Parameters& parameters)
    : input_feeding_(input_feeding),
      first_(options, parameters),
      attention_(attention, parameters, "attention"),
      cells_(options, options.embedding + (input_feeding ? options.hidden : 0), parameters),
      W_c_(parameters, "W_c", options.source + options.hidden, options.hidden, false),
      out_(parameters, "out", options.hidden, options.vocabulary) {}

DecoderState LuongDecoder::start(const Source& source) const {
  DecoderState state{.layers = first_(source), .memory = attention_.project_memory(source.h, source.lengths)};
  if (input_feeding_) state.input_feed = Tensor::full(state.layers.back().h.shape(), 0);
  return state;
}

DecoderOutput LuongDecoder::step(Operand y, DecoderState& state, double temperature) const {
  const Tensor x = input_feeding_ ? concat({y, state.input_feed}, -1).as("x") : Tensor(y);  // (B, E + H)
  state.layers = cells_.step(x, state.layers);
  const Tensor s = state.layers.back().h;                                                        // (B, H)
  const auto [c, weights] = attention_.attend_to(s, state.memory, state.position, temperature);  // (B, M), (B, 1, S)
  const Tensor attentional = tanh(W_c_(concat({c, s}, -1))).as("h̄");                             // (B, H)
  const Tensor logits = out_(attentional).as("logits");                                          // (B, V)
  if (input_feeding_) state.input_feed = attentional;
  return {logits, weights};
}

TeacherForcing::TeacherForcing(double probability, Random random) : probability_(probability), random_(random) {
  if (!(probability >= 0 && probability <= 1))
    fail(ErrorCode::config, "teacher_forcing_is_no_probability", probability);
}

Tensor TeacherForcing::token(Operand target_in, int position, const Tensor& logits_before) const {
  const Tensor truth = at_position(target_in, position).as("token");  // (B)
  if (position == 0 || probability_ == 1) return truth;
  Scope decoder("decoder"), here("t" + std::to_string(position)), scope("coin");
  Random random = random_;
  random.seek(static_cast<std::uint64_t>(position) * truth.size());
  Tensor drawn(truth.shape());
  for (Scalar& each : drawn.values()) each = random.uniform();
  const Tensor u =
      record({"uniform", "", "random number {0}"}, drawn, Input{static_cast<double>(position)}).as("u", Role::input);
  const Tensor rate = Tensor::scalar(static_cast<Scalar>(probability_)).as("rate", Role::input);
  const Tensor heads = greater(rate, u).as("heads", Role::input);
  const Tensor own = argmax(logits_before).as("own token");
  return where(heads, truth, own).as("token taken");
}

}  // namespace unroll
