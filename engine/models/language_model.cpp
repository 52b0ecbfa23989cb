#include "engine/models/language_model.h"

#include <algorithm>

#include "engine/models/model_size.h"
#include "engine/models/token_inputs.h"
#include "engine/nn/tokens.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

void check_prompt(const Tensor& source, int longest) {
  const Shape& shape = source.shape();
  if (shape.rank() != 2 || shape[0] < 1 || shape[0] > max_rows || shape[1] > longest)
    fail(ErrorCode::shape, "prompts_shape_differs", shape, max_rows, longest);
  if (std::ranges::count(source.values(), Scalar(pad_id))) fail(ErrorCode::input, "prompts_with_padding");
}

}  // namespace

void LanguageModel::add_text_inputs(int vocabulary, int positions) {
  const auto add = [&](const char* name, const Tensor& ids) {
    add_input({.name = name, .value = ids, .takes_gradient = false, .vocabulary = vocabulary});
  };
  add("target_in", first_tokens(bos_id, positions - 1, 0, vocabulary));
  add("target_out", first_tokens(0, positions - 1, eos_id, vocabulary));
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

void LanguageModel::check_shape(const ModelInput& input, const Shape& shape) const {
  check_token_shape(input.name, shape);
  if (input.name == "target_out") return Model::check_shape(input, shape);
  check_memory(input, shape, {.rows = shape[0], .target = shape[1]});
}

void LanguageModel::check_content(const ModelInput& input, const Tensor& ids) const {
  if (input.name == "target_in") check_padding(input.name, ids);
}

void LanguageModel::input_changed(const std::string& name) {
  const Shape& shape = inputs()[0].value.shape();
  if (name == "target_in" && inputs()[1].value.shape() != shape)
    replace_input("target_out", empty_targets(eos_id, shape[0], shape[1]));
}

}  // namespace unroll
