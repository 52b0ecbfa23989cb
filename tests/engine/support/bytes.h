// The bytes of values, to compare or to hash them.
#pragma once

#include <span>
#include <string_view>

#include "engine/tensor/hash.h"
#include "engine/tensor/scalar.h"

namespace unroll {

inline std::string_view bytes_of(std::span<const Scalar> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace unroll
