#include "engine/models/seq2seq.h"

#include "engine/autograd/tape.h"
#include "engine/models/model_size.h"
#include "engine/models/token_inputs.h"
#include "engine/nn/sequence.h"
#include "engine/nn/tokens.h"
#include "engine/tensor/error.h"

namespace unroll {

Seq2Seq::Seq2Seq(const Config& config)
    : Model(config.seed()),
      options_(read_seq2seq_options(config)),
      encoder_(options_.encoder, options_.source_vocabulary, options_.reverse_source, parameters_),
      target_embedding_(parameters_, "target_embedding", options_.decoder.vocabulary, options_.decoder.embedding),
      decoder_(make_decoder(options_, parameters_)) {
  constexpr int words = 4;
  const int read = options_.source_vocabulary, written = options_.decoder.vocabulary;
  const auto add = [this](const char* name, const Tensor& ids, int vocabulary) {
    add_input({.name = name, .value = ids, .takes_gradient = false, .vocabulary = vocabulary});
  };
  add("source", first_tokens(0, words, 0, read), read);
  add("target_in", first_tokens(bos_id, words, 0, written), written);
  add("target_out", first_tokens(0, words, eos_id, written), written);
}

Tensor Seq2Seq::loss() {
  output_ = weights_ = {};  // their memory serves the new ones
  parameters_.watch();
  const Tensor source = use_input("source"), target_in = use_input("target_in"), target_out = use_input("target_out");
  const Source read = encoder_.read(source);
  output_ = decode(read, target_in);  // (B, T, V)
  return cross_entropy(output_, target_out, {.ignored = pad_id}).as("L");
}

Tensor Seq2Seq::decode(const Source& source, const Tensor& target_in) {
  std::vector<Tensor> logits, weights;  // T of (B, V), T of (B, 1, S)
  DecoderState state = begin(source);
  for (int t = 0; t < target_in.shape()[1]; ++t) {
    const Tensor token = forcing_.token(target_in, t, t > 0 ? logits.back() : Tensor());  // (B)
    Scope decoder("decoder"), position("t" + std::to_string(t));
    const Decoded now = advance(token, state, 1);
    logits.push_back(now.logits);
    weights.push_back(now.weights);
  }
  weights_ = weights[0] ? concat({weights.begin(), weights.end()}, 1).as("attention/α", Role::weight) : Tensor();
  return join_positions(logits).as("logits");
}

DecoderState Seq2Seq::begin(const Source& source) const {
  Scope decoder("decoder");
  return decoder_->start(source);
}

// One position: the tokens (B) go in, the state moves on.
Decoded Seq2Seq::advance(Operand tokens, DecoderState& state, double temperature) const {
  const Tensor y = target_embedding_(tokens).as("y");  // (B, E)
  const Decoded now = decoder_->step(y, state, temperature);
  ++state.position;
  return now;
}

WriterState Seq2Seq::start(const Tensor& source) {
  check_token_shape("source", source.shape());
  check_padding("source", source);
  parameters_.watch();
  return written_as(begin(encoder_.read(source)));
}

Written Seq2Seq::next(const Tensor& tokens, WriterState& state) {
  Scope scope("decoder");
  DecoderState decoder = read_from(state);
  const Decoded now = advance(tokens, decoder, options_.hard ? 0 : 1);
  state = written_as(decoder);
  return {now.logits, now.weights ? reshape(now.weights, now.weights.shape().without(1)) : Tensor()};
}

// The tensors of a state, in one order; the same for every state of this model.
std::vector<Tensor*> Seq2Seq::rows_of(DecoderState& state) const {
  std::vector<Tensor*> rows;
  for (CellState& layer : state.layers) {
    rows.push_back(&layer.h);
    if (options_.decoder.cell == CellKind::lstm) rows.push_back(&layer.c);
  }
  if (feeds(options_)) rows.push_back(&state.fed);
  if (attends(options_))
    for (Tensor* each : {&state.memory.keys, &state.memory.values, &state.memory.mask, &state.memory.last})
      rows.push_back(each);
  return rows;
}

// As rows, the position among them; a source without padding gets the mask that hides nothing.
WriterState Seq2Seq::written_as(DecoderState state) const {
  const int rows = state.layers[0].h.shape()[0];
  if (attends(options_) && !state.memory.mask)
    state.memory.mask = Tensor::full({rows, 1, state.memory.values.shape()[1]}, 0);
  WriterState written;
  for (const Tensor* each : rows_of(state)) written.rows.push_back(*each);
  written.rows.push_back(Tensor::full({rows}, static_cast<Scalar>(state.position)));
  return written;
}

DecoderState Seq2Seq::read_from(const WriterState& written) const {
  DecoderState state{.layers = std::vector<CellState>(static_cast<std::size_t>(options_.decoder.layers))};
  const std::vector<Tensor*> rows = rows_of(state);
  for (std::size_t i = 0; i < rows.size(); ++i) *rows[i] = written.rows.at(i);
  state.position = static_cast<int>(written.rows.back().data()[0]);
  return state;
}

const Shape& Seq2Seq::shape_of(const std::string& name) const {
  return inputs()[name == "source" ? 0 : 1].value.shape();
}

void Seq2Seq::check_shape(const ModelInput& input, const Shape& shape) const {
  check_token_shape(input.name, shape);
  const Shape& source = shape_of("source");
  const Shape& target = shape_of("target_in");
  if (input.name == "target_out") return Model::check_shape(input, shape);
  if (input.name == "target_in" && shape[0] != source[0])
    fail(ErrorCode::shape, "target_in is ", shape, " and source ", source,
         ": set source first, with a row for each of target_in.");
  const bool is_source = input.name == "source";
  refuse_too_many(
      input.name, shape,
      activation_count(options_, shape[0], is_source ? shape[1] : source[1], is_source ? target[1] : shape[1]));
}

void Seq2Seq::check_content(const ModelInput& input, const Tensor& ids) const {
  if (input.name != "target_out") check_padding(input.name, ids);
}

// Targets follow the rows of the source, target_out follows target_in; they are emptied then.
void Seq2Seq::input_changed(const std::string& name) {
  const int rows = shape_of("source")[0], positions = shape_of("target_in")[1];
  if (name == "source" && shape_of("target_in")[0] != rows)
    replace_input("target_in", empty_targets(bos_id, rows, positions));
  if (name != "target_out" && inputs()[2].value.shape() != shape_of("target_in"))
    replace_input("target_out", empty_targets(eos_id, rows, positions));
}

}  // namespace unroll
