// A hash over all bits of what a run computes.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "engine/autograd/tensor.h"

namespace unroll {

// FNV-1a over the bits of numbers.
class Hash {
 public:
  void add(const Tensor& tensor) {
    for (Scalar value : tensor.values()) add(std::uint64_t{std::bit_cast<std::uint32_t>(value)});
  }
  void add(std::uint64_t bits) {
    for (int byte = 0; byte < 8; ++byte) value_ = (value_ ^ (bits >> (8 * byte) & 0xff)) * 0x100000001b3u;
  }
  void add(const std::vector<std::uint8_t>& bytes) {
    for (const std::uint8_t byte : bytes) add(std::uint64_t{byte});
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace unroll
