// Tokens and their numbers.
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
  // The four special tokens, then `tokens` in their order; each must occur once. Throws Error(input) otherwise.
  explicit Vocabulary(Tokens tokens = {});

  int size() const { return static_cast<int>(tokens_.size()); }
  int id(std::string_view token) const;  // unk_id when the token is unknown
  bool contains(std::string_view token) const { return ids_.contains(token); }
  const std::string& token(int id) const;  // throws Error(input) outside 0 … size − 1

  std::vector<int> ids(const Tokens& tokens) const;
  Tokens tokens(const std::vector<int>& ids) const;  // the special ones too; throws as token() does

 private:
  Tokens tokens_;
  std::map<std::string, int, std::less<>> ids_;
};

// The vocabulary of the distinct tokens of all sentences, in the order of their bytes. "<unk>" is no token of its own.
Vocabulary vocabulary_of(const std::vector<const Tokens*>& sentences);

}  // namespace unroll
