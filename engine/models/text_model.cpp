#include "engine/models/text_model.h"

#include <algorithm>

#include "engine/models/model_size.h"
#include "engine/models/token_inputs.h"
#include "engine/nn/tokens.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

void check_opening(const Tensor& source, int longest) {
  const Shape& shape = source.shape();
  if (shape.rank() != 2 || shape[0] < 1 || shape[0] > most_rows || shape[1] > longest)
    fail(ErrorCode::shape, "source is ", shape, ": use 1 to ", most_rows, " openings of 0 to ", longest,
         " token ids each.");
  if (std::ranges::count(source.values(), Scalar(pad_id)))
    fail(ErrorCode::input, "source has padding, 0: write on with openings of one length at a time.");
}

}  // namespace

void TextModel::add_text_inputs(int vocabulary, int positions) {
  const auto add = [&](const char* name, const Tensor& ids) {
    add_input({.name = name, .value = ids, .takes_gradient = false, .vocabulary = vocabulary});
  };
  add("target_in", first_tokens(bos_id, positions - 1, 0, vocabulary));
  add("target_out", first_tokens(0, positions - 1, eos_id, vocabulary));
}

// An opening without words leaves no rows.
WriterState TextModel::start(const Tensor& source) {
  check_opening(source, room(0) - 1);
  parameters_.watch();
  WriterState state;
  if (source.size()) state.rows.push_back(reshape(source, source.shape().inserted(2)));
  return state;
}

// Positions are those of <bos>, of the opening and of all that is written but the last token.
int TextModel::room(int opening) const { return most_positions - opening; }

bool TextModel::begun(const WriterState& state) { return !state.rows.empty() && state.rows[0].rank() != 3; }

Tensor TextModel::unread(const Tensor& tokens, const WriterState& state) {
  const Tensor now = reshape(tokens, tokens.shape().inserted(1));  // (R, 1)
  if (begun(state) || state.rows.empty()) return now;
  const Tensor opening = reshape(state.rows[0], state.rows[0].shape().without(2));  // (R, S)
  return concat({now, opening}, 1);
}

void TextModel::check_shape(const ModelInput& input, const Shape& shape) const {
  check_token_shape(input.name, shape);
  if (input.name == "target_out") return Model::check_shape(input, shape);
  refuse_too_many(input.name, shape, activations(shape[0], shape[1]));
}

void TextModel::check_content(const ModelInput& input, const Tensor& ids) const {
  if (input.name == "target_in") check_padding(input.name, ids);
}

void TextModel::input_changed(const std::string& name) {
  const Shape& shape = inputs()[0].value.shape();
  if (name == "target_in" && inputs()[1].value.shape() != shape)
    replace_input("target_out", empty_targets(eos_id, shape[0], shape[1]));
}

}  // namespace unroll
