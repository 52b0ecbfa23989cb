// A string hash that is the same on every platform.
#pragma once

#include <cstdint>
#include <string_view>

namespace unroll {

// FNV-1a, 64 bits. To hash a text in pieces, pass the hash of the preceding ones as `hash`. (Fowler, Noll & Vo 1991.)
constexpr std::uint64_t hash_of(std::string_view text, std::uint64_t hash = 0xcbf29ce484222325u) {
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  return hash;
}

}  // namespace unroll
