#include "engine/models/token_inputs.h"

#include "engine/nn/tokens.h"
#include "engine/tensor/error.h"

namespace unroll {

void check_token_shape(const std::string& name, const Shape& shape) {
  if (shape.rank() != 2 || shape[0] < 1 || shape[0] > max_rows || shape[1] < 1 || shape[1] > max_positions)
    fail(ErrorCode::shape, "token_rows_shape_differs", name, shape, max_rows, max_positions);
}

void check_padding(const std::string& name, const Tensor& ids) {
  const int positions = ids.shape()[1];
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const bool first = static_cast<int>(i) % positions == 0, padding = ids.data()[i] == Scalar(pad_id);
    if (first && padding) fail(ErrorCode::input, "token_row_is_empty", static_cast<int>(i) / positions, name);
    if (!first && !padding && ids.data()[i - 1] == Scalar(pad_id))
      fail(ErrorCode::input, "token_after_padding", value_name(name, ids.shape(), i));
  }
}

Tensor first_tokens(int begin, int words, int end, int vocabulary) {
  constexpr int first_word = unk_id + 1;
  std::vector<Scalar> ids;
  if (begin) ids.push_back(static_cast<Scalar>(begin));
  for (int i = 0; i < words; ++i) ids.push_back(static_cast<Scalar>(first_word + i % (vocabulary - first_word)));
  if (end) ids.push_back(static_cast<Scalar>(end));
  return Tensor({1, static_cast<int>(ids.size())}, ids);
}

Tensor empty_targets(int first, int rows, int positions) {
  Tensor ids = Tensor::full({rows, positions}, pad_id);
  for (int row = 0; row < rows; ++row) ids.data()[row * positions] = static_cast<Scalar>(first);
  return ids;
}

}  // namespace unroll
