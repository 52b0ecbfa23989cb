// A vocabulary: tokens and their ids.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/nn/tokens.h"

namespace unroll {

using Tokens = std::vector<std::string>;

class Vocabulary {
 public:
  // The four special tokens, then `tokens` in order. Throws Error(input) if a token occurs twice.
  explicit Vocabulary(Tokens tokens = {});

  int size() const { return static_cast<int>(tokens_.size()); }
  int id(std::string_view token) const;  // unk_id if unknown
  bool contains(std::string_view token) const { return ids_.contains(token); }
  const std::string& token(int id) const;  // throws Error(input) unless 0 ≤ id < size

  std::vector<int> ids(const Tokens& tokens) const;
  Tokens tokens(const std::vector<int>& ids) const;  // special tokens included; throws as token() does

 private:
  Tokens tokens_;
  std::map<std::string, int, std::less<>> ids_;
};

// The vocabulary of all distinct tokens of the sentences, in byte order. "<unk>" denotes the special token.
Vocabulary vocabulary_of(const std::vector<const Tokens*>& sentences);

}  // namespace unroll
