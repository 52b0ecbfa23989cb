// Damages bytes as a wrong encoding, a lost block or a typing error would. Shared by tests and fuzzers.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/kernels/random.h"

namespace unroll {

// One of several values, each equally likely.
template <typename Range>
const auto& pick(Random& random, const Range& from) {
  return from[static_cast<std::size_t>(random.below(static_cast<int>(std::size(from))))];
}

// The pieces of a text with bars between them.
inline std::vector<std::string> pieces_of(std::string_view text) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0, end = 0; end < text.size(); at = end + 1) {
    end = std::min(text.find('|', at), text.size());
    pieces.emplace_back(text.substr(at, end - at));
  }
  return pieces;
}

// A random position in `text`, its end included.
inline std::size_t any_place(Random& random, const std::string& text) {
  return static_cast<std::size_t>(random.below(static_cast<int>(text.size()) + 1));
}

// One change: replaces or deletes a byte, flips a bit, deletes, doubles or cuts off a range, or inserts a piece.
inline void damage(std::string& text, std::span<const std::string> pieces, Random& random) {
  const std::size_t at = any_place(random, text), length = static_cast<std::size_t>(random.below(100));
  const int kind = at == text.size() ? 8 : random.below(12);
  if (kind < 2)
    text[at] = static_cast<char>(random.bits());
  else if (kind < 4)
    text[at] = static_cast<char>(text[at] ^ 1 << random.below(8));
  else if (kind < 6)
    text.erase(at, 1);
  else if (kind < 7)
    text.erase(at, length);
  else if (kind < 8)
    text.insert(any_place(random, text), text.substr(at, length));
  else if (kind < 11)
    text.insert(at, pick(random, pieces));
  else
    text.resize(at);
}

// With 1 to 4 changes.
inline std::string damaged(std::string text, std::span<const std::string> pieces, Random& random) {
  for (int changes = 1 + random.below(4); changes > 0; --changes) damage(text, pieces, random);
  return text;
}

// Random bytes, fewer than `most`.
inline std::string any_bytes(Random& random, int most) {
  std::string bytes(static_cast<std::size_t>(random.below(most)), '\0');
  for (char& byte : bytes) byte = static_cast<char>(random.bits());
  return bytes;
}

// Pieces for own data: separators, a NUL, invalid UTF-8, names of special tokens, a long word, a long line.
inline const std::string stray_pieces[] = {
    "\t",       "\n",   "\r",    " ",       std::string(1, '\0'), "\x80",
    "\xe2\x82", "\xff", "<unk>", " <pad> ", std::string(64, 'x'), std::string(500, 'y')};

}  // namespace unroll
