// Ids: whole numbers in a tensor.
#pragma once

#include <cstddef>

#include "engine/autograd/tensor.h"

namespace unroll {

// ids[i] as an index; throws Error(input) naming `op` unless it is a whole number from 0 to count − 1.
std::size_t checked_id(const char* op, const Tensor& ids, std::size_t i, int count);

}  // namespace unroll
