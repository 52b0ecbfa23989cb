#include "engine/models/encoder_decoder_model.h"

#include "engine/models/model_size.h"
#include "engine/models/token_inputs.h"
#include "engine/nn/tokens.h"
#include "engine/tensor/error.h"

namespace unroll {

void EncoderDecoderModel::add_pair_inputs(int source_vocabulary, int target_vocabulary) {
  constexpr int words = 4;
  const auto add = [this](const char* name, const Tensor& ids, int vocabulary) {
    add_input({.name = name, .value = ids, .takes_gradient = false, .vocabulary = vocabulary});
  };
  add("source", first_tokens(0, words, 0, source_vocabulary), source_vocabulary);
  add("target_in", first_tokens(bos_id, words, 0, target_vocabulary), target_vocabulary);
  add("target_out", first_tokens(0, words, eos_id, target_vocabulary), target_vocabulary);
}

const Shape& EncoderDecoderModel::shape_of(const std::string& name) const {
  return inputs()[name == "source" ? 0 : 1].value.shape();
}

void EncoderDecoderModel::check_shape(const ModelInput& input, const Shape& shape) const {
  check_token_shape(input.name, shape);
  const Shape& source = shape_of("source");
  const Shape& target = shape_of("target_in");
  if (input.name == "target_out") return Model::check_shape(input, shape);
  if (input.name == "target_in" && shape[0] != source[0])
    fail(ErrorCode::shape, "target_in_does_not_match_source", shape, source);
  if (input.name == "target_in") return check_memory(input, shape, {shape[0], source[1], shape[1]});
  const int kept = shape[0] == source[0] ? target[1] : 1;  // target positions after the change
  check_memory(input, shape, {shape[0], shape[1], kept});
}

void EncoderDecoderModel::check_content(const ModelInput& input, const Tensor& ids) const {
  if (input.name != "target_out") check_padding(input.name, ids);
}

// Empties targets that no longer fit: target_in follows the rows of source, target_out the shape of target_in.
void EncoderDecoderModel::input_changed(const std::string& name) {
  const int rows = shape_of("source")[0];
  if (name == "source" && shape_of("target_in")[0] != rows) replace_input("target_in", empty_targets(bos_id, rows, 1));
  const Shape& target = shape_of("target_in");
  if (name != "target_out" && inputs()[2].value.shape() != target)
    replace_input("target_out", empty_targets(eos_id, rows, target[1]));
}

}  // namespace unroll
