// The rule of an einsum, "bik,bkj->bij", with the shapes it is for.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "engine/tensor/shape.h"

namespace unroll {

// One label per axis: the letters in alphabetical order, capitals first, then the axes of "...", aligned at the last.
using AxisLabels = std::vector<int>;

struct EinsumRule {
  static constexpr int letters = 52, labels = letters + Shape::max_rank;

  std::vector<AxisLabels> operands;
  AxisLabels result;
  std::array<int, labels> sizes{};  // by label; 0 of a label that is not used

  // Whether the label is in the result or in an operand from `next` on.
  bool is_needed(int label, std::size_t next) const;
};

// Throws Error(shape) for a rule that cannot be read or does not fit the shapes.
EinsumRule read_einsum_rule(std::string_view text, std::span<const Shape> operands);

}  // namespace unroll
