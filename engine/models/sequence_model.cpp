#include "engine/models/sequence_model.h"

#include <algorithm>

#include "engine/nn/tokens.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

// Throws Error(shape) unless the shape is (B, positions) within the limits.
void check_token_shape(const std::string& name, const Shape& shape) {
  if (shape.rank() != 2 || shape[0] < 1 || shape[0] > max_rows || shape[1] < 1 || shape[1] > max_positions)
    fail(ErrorCode::shape, "token_rows_shape_differs", name, shape, max_rows, max_positions);
}

// Throws Error(input) unless each row begins with a token and has padding only at its end.
void check_padding(const std::string& name, const Tensor& ids) {
  const int positions = ids.shape()[1];
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool first = static_cast<int>(i) % positions == 0, padding = ids.data()[i] == Scalar(pad_id);
    if (first && padding) fail(ErrorCode::input, "token_row_is_empty", static_cast<int>(i) / positions, name);
    if (!first && !padding && ids.data()[i - 1] == Scalar(pad_id))
      fail(ErrorCode::input, "token_after_padding", value_name(name, ids.shape(), i));
  }
}

void check_prompt(const Tensor& source, int longest) {
  const Shape& shape = source.shape();
  if (shape.rank() != 2 || shape[0] < 1 || shape[0] > max_rows || shape[1] > longest)
    fail(ErrorCode::shape, "prompts_shape_differs", shape, max_rows, longest);
  if (std::ranges::count(source.values(), Scalar(pad_id))) fail(ErrorCode::input, "prompts_with_padding");
}

// Initial ids (1, …): `words` consecutive tokens of the vocabulary, between `begin` and `end` unless these are 0.
Tensor first_tokens(int begin, int words, int end, int vocabulary) {
  constexpr int first_word = unk_id + 1;
  std::vector<Scalar> ids;
  if (begin) ids.push_back(static_cast<Scalar>(begin));
  for (int i = 0; i < words; ++i) ids.push_back(static_cast<Scalar>(first_word + i % (vocabulary - first_word)));
  if (end) ids.push_back(static_cast<Scalar>(end));
  return Tensor({1, static_cast<int>(ids.size())}, ids);
}

// Empty sequences (B, T): `first`, which is <bos> in target_in and <eos> in target_out, then padding.
Tensor empty_targets(int first, int rows, int positions) {
  Tensor ids = Tensor::full({rows, positions}, pad_id);
  for (int row = 0; row < rows; ++row) ids.data()[row * positions] = static_cast<Scalar>(first);
  return ids;
}

}  // namespace

int read_vocabulary(const Config& config, const char* field) {
  return config.integer(field, 16, min_vocabulary, max_vocabulary);
}

void SequenceModel::add_ids(const char* name, const Tensor& ids, int vocabulary) {
  add_input({.name = name, .value = ids, .takes_gradient = false, .vocabulary = vocabulary});
}

void SequenceModel::add_targets(int vocabulary, int words) {
  add_ids("target_in", first_tokens(bos_id, words, 0, vocabulary), vocabulary);
  add_ids("target_out", first_tokens(0, words, eos_id, vocabulary), vocabulary);
}

void SequenceModel::check_shape(const ModelInput& input, const Shape& shape) const {
  check_token_shape(input.name, shape);
  if (input.name == "target_out") return Model::check_shape(input, shape);
  check_memory(input, shape, batch_with(input, shape));
}

// The sizes of the batch once this input, which is not target_out, has the shape.
BatchSizes SequenceModel::batch_with(const ModelInput& input, const Shape& shape) const {
  if (inputs()[0].name != "source") return {.rows = shape[0], .target = shape[1]};
  const Shape& source = value_of("source").shape();
  const Shape& target = value_of("target_in").shape();
  if (input.name == "source") return {shape[0], shape[1], shape[0] == source[0] ? target[1] : 1};
  if (shape[0] != source[0]) fail(ErrorCode::shape, "target_in_does_not_match_source", shape, source);
  return {shape[0], source[1], shape[1]};
}

void SequenceModel::check_content(const ModelInput& input, const Tensor& ids) const {
  if (input.name != "target_out") check_padding(input.name, ids);
}

// Empties targets that no longer fit: target_in follows the rows of source, target_out the shape of target_in.
void SequenceModel::input_changed(const std::string& name) {
  if (name == "target_out") return;
  const int rows = value_of(name).shape()[0];
  if (value_of("target_in").shape()[0] != rows) replace_input("target_in", empty_targets(bos_id, rows, 1));
  const Shape& target = value_of("target_in").shape();
  if (value_of("target_out").shape() != target)
    replace_input("target_out", empty_targets(eos_id, target[0], target[1]));
}

void EncoderDecoderModel::add_pair_inputs(int source_vocabulary, int target_vocabulary) {
  constexpr int words = 4;
  add_ids("source", first_tokens(0, words, 0, source_vocabulary), source_vocabulary);
  add_targets(target_vocabulary, words);
}

void EncoderDecoderModel::check_source(const Tensor& source) const {
  check_token_shape("source", source.shape());
  check_padding("source", source);
}

// An empty prompt is not kept.
GeneratorState LanguageModel::start(const Tensor& source) {
  check_prompt(source, max_new_tokens(0) - 1);
  parameters_.record();
  return source.size() ? GeneratorState(source) : GeneratorState();
}

// Positions hold <bos>, the prompt and all generated tokens but the last.
int LanguageModel::max_new_tokens(int prompt) const { return max_positions - prompt; }

Tensor LanguageModel::pending_tokens(const Tensor& tokens, const GeneratorState& state) {
  const Tensor now = reshape(tokens, tokens.shape().inserted(1));  // (R, 1)
  const bool prompted = state.position == 0 && !state.is_empty();
  return prompted ? concat({now, state.as<Tensor>()}, 1) : now;
}

}  // namespace unroll
