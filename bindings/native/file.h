// Files of the native programs. (The engine itself reads none.)
#pragma once

#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace unroll {

// The whole of a file, or nothing if it cannot be read.
inline std::optional<std::string> contents_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace unroll
