#include "engine/data/vocabulary.h"

#include <functional>
#include <unordered_set>

#include "engine/kernels/order.h"
#include "engine/tensor/error.h"

namespace unroll {

Vocabulary::Vocabulary(Tokens tokens) : tokens_({"<pad>", "<bos>", "<eos>", "<unk>"}) {
  for (std::string& token : tokens) tokens_.push_back(std::move(token));
  for (int id = 0; id < size(); ++id)
    if (!ids_.emplace(tokens_[id], id).second) fail(ErrorCode::input, "token_twice_in_vocabulary", tokens_[id]);
}

int Vocabulary::id(std::string_view token) const {
  const auto found = ids_.find(token);
  return found == ids_.end() ? unk_id : found->second;
}

const std::string& Vocabulary::token(int id) const {
  if (id < 0 || id >= size()) fail(ErrorCode::input, "token_id_out_of_range", id, size() - 1);
  return tokens_[id];
}

std::vector<int> Vocabulary::ids(const Tokens& tokens) const {
  std::vector<int> ids;
  ids.reserve(tokens.size());
  for (const std::string& token : tokens) ids.push_back(id(token));
  return ids;
}

Tokens Vocabulary::tokens(const std::vector<int>& ids) const {
  Tokens tokens;
  tokens.reserve(ids.size());
  for (const int id : ids) tokens.push_back(token(id));
  return tokens;
}

Vocabulary vocabulary_of(const std::vector<const Tokens*>& sentences) {
  std::unordered_set<std::string_view> distinct;
  for (const Tokens* sentence : sentences) distinct.insert(sentence->begin(), sentence->end());
  distinct.erase("<unk>");  // the constructor adds it
  Tokens tokens(distinct.begin(), distinct.end());
  stable_sort(tokens, std::less());
  return Vocabulary(std::move(tokens));
}

}  // namespace unroll
