// The safetensors file format: named tensors in one block of bytes (github.com/huggingface/safetensors, format).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/tensor/tensor.h"

namespace unroll {

struct NamedTensors {
  std::map<std::string, std::string> metadata;
  std::vector<std::pair<std::string, Tensor>> tensors;
};

// Float32, little-endian, whatever Scalar is.
std::vector<std::uint8_t> write_safetensors(const NamedTensors& content);

// Throws Error(format) naming what is wrong and where: too short, a header that is not its JSON, a type other than F32,
// two tensors of one name, offsets outside the file, or bytes that belong to two tensors or to none.
NamedTensors read_safetensors(std::span<const std::uint8_t> bytes);

}  // namespace unroll
