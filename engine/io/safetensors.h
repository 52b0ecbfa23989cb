// The safetensors file format: named tensors in one block of bytes (github.com/huggingface/safetensors, format).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/autograd/tensor.h"

namespace unroll {

struct NamedTensors {
  std::map<std::string, std::string> metadata;
  std::vector<std::pair<std::string, Tensor>> tensors;
};

// Float32, little-endian, whatever Scalar is.
std::vector<std::uint8_t> write_safetensors(const NamedTensors& content);

// Throws Error(format), saying what is wrong and where: a truncated file, a malformed header, a type other than F32,
// two tensors of one name, offsets outside the file, bytes that belong to two tensors or to none, or values that are
// not finite.
NamedTensors read_safetensors(std::span<const std::uint8_t> bytes);

}  // namespace unroll
