#include "engine/data/tasks/task.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "engine/kernels/order.h"
#include "engine/nn/tokens.h"
#include "engine/tensor/error.h"
#include "engine/tensor/hash.h"

namespace unroll {
namespace {

constexpr int attempts_per_pair = 200, max_attempts = 200'000;

std::string lower_case(std::string word) {
  for (char& c : word)
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  return word;
}

bool starts_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

Tokens code_points(std::string_view text) {
  Tokens tokens;
  bool joins = false;
  for (const char c : text) {
    const bool joiner = c == token_joiner;
    if (!joiner && (tokens.empty() || (starts_code_point(c) && !joins))) tokens.emplace_back();
    if (!joiner) tokens.back() += c;
    joins = joiner && !tokens.empty();
  }
  return tokens;
}

std::size_t count_code_points(std::string_view token) {
  return static_cast<std::size_t>(std::ranges::count_if(token, starts_code_point));
}

std::size_t longest_of(const Vocabulary& words) {
  std::size_t longest = 1;
  for (int id = unk_id + 1; id < words.size(); ++id) longest = std::max(longest, count_code_points(words.token(id)));
  return longest;
}

// FNV's hashes of similar sources are close together, and a split by their order would not be by chance.
std::uint64_t mixed(std::uint64_t hash) {
  const auto words = philox({static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(hash >> 32), 0, 0}, {0, 0});
  return std::uint64_t(words[0]) << 32 | words[1];
}

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

Split split_of_tenth(std::uint64_t tenth) {
  return tenth == 9 ? Split::test : tenth == 8 ? Split::validation : Split::train;
}

void check_vocabulary(const char* sides, const Vocabulary& words) {
  if (words.size() < unk_id + 3) fail(ErrorCode::input, "pairs_with_one_token", phrase(sides));
}

std::shared_ptr<const Task> task_of(const TaskKind& kind, const Config& options) {
  Corpus corpus = kind.make(options);
  corpus.name = kind.name;
  return std::make_shared<Task>(std::move(corpus));
}

}  // namespace

Task::Task(Corpus corpus) : about_(std::move(corpus)) {
  add_pairs(std::exchange(about_.pairs, {}));
  if (form() != Form::pairs) {
    source_vocabulary_ = target_vocabulary_ = vocabulary_of(sides({&Pair::source, &Pair::target}));
  } else {
    source_vocabulary_ = vocabulary_of(sides({&Pair::source}));
    target_vocabulary_ = vocabulary_of(sides({&Pair::target}));
  }
  check_vocabulary("sources", source_vocabulary_);
  check_vocabulary("targets", target_vocabulary_);
  if (about_.separator.empty())
    longest_token_ = std::max(longest_of(source_vocabulary_), longest_of(target_vocabulary_));
}

std::vector<const Tokens*> Task::sides(std::initializer_list<Tokens Pair::*> wanted) const {
  std::vector<const Tokens*> sentences;
  for (const std::vector<Pair>& pairs : splits_)
    for (const Pair& pair : pairs)
      for (const auto side : wanted) sentences.push_back(&(pair.*side));
  return sentences;
}

void Task::add_pairs(std::vector<Pair> pairs) {
  std::unordered_set<std::uint64_t> seen(pairs.size());
  if (about_.even_split) {
    std::erase_if(pairs, [&](const Pair& pair) { return !seen.insert(text_hash(key_of(pair))).second; });
    return split_evenly(std::move(pairs));
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Pair& pair = pairs[i];
    const bool window = form() == Form::windows;
    if (!window && !seen.insert(text_hash(key_of(pair))).second) continue;
    const Split split = window ? split_of_tenth(i % 10) : split_of(pair);
    splits_[static_cast<int>(split)].push_back(std::move(pair));
  }
  if (splits_[0].empty()) splits_[0].swap(splits_[splits_[1].empty() ? 2 : 1]);  // few pairs: train on another split's
}

// By the rank of each pair among the hashes: the first tenth is the validation split, the second the test split. Fewer
// than five pairs are all for training.
void Task::split_evenly(std::vector<Pair> pairs) {
  std::vector<std::uint64_t> hashes;
  for (const Pair& pair : pairs) hashes.push_back(mixed(text_hash(key_of(pair))));
  const auto ranked = stable_order(pairs.size(), [&](std::size_t a, std::size_t b) { return hashes[a] < hashes[b]; });
  const std::size_t tenth = pairs.size() < 5 ? 0 : std::max<std::size_t>(1, (pairs.size() + 5) / 10);
  std::vector<Split> splits(pairs.size(), Split::train);
  for (std::size_t rank = 0; rank < 2 * tenth; ++rank)
    splits[ranked[rank]] = rank < tenth ? Split::validation : Split::test;
  for (std::size_t i = 0; i < pairs.size(); ++i) splits_[static_cast<int>(splits[i])].push_back(std::move(pairs[i]));
}

// Uses the upper half of the hash: FNV's low bits mix least.
Split Task::split_of(const Pair& pair) const {
  return pair.held_out ? Split::test : split_of_tenth((text_hash(key_of(pair)) >> 32) % 10);
}

std::vector<Pair> Task::pairs_of_length(int length, int count, std::uint64_t seed) const {
  std::vector<Pair> found;
  const auto wanted = [&](const Pair& pair) {
    return static_cast<int>(key_of(pair).size()) == length && std::ssize(pair.target) <= max_text_tokens;
  };
  if (!about_.draw) {
    for (const Pair& pair : pairs(Split::test))
      if (wanted(pair) && static_cast<int>(found.size()) < count) found.push_back(pair);
    return found;
  }
  Random random(seed, static_cast<std::uint64_t>(length));
  std::unordered_set<std::uint64_t> seen;
  const int attempts = attempts_per_pair * std::min(count, max_attempts / attempts_per_pair);
  for (int attempt = 0; attempt < attempts && static_cast<int>(found.size()) < count; ++attempt) {
    Pair pair = about_.draw(random, length);
    if (!wanted(pair) || split_of(pair) == Split::train || !seen.insert(text_hash(key_of(pair))).second) continue;
    found.push_back(std::move(pair));
  }
  return found;
}

Tokens Task::tokenise(std::string_view text) const {
  Tokens tokens = split(text);
  const Message kind = phrase(about_.separator.empty() ? "characters" : "words");
  if (tokens.empty() && form() == Form::pairs) fail(ErrorCode::input, "text_is_empty", max_text_tokens, kind);
  if (tokens.size() > max_text_tokens) fail(ErrorCode::input, "text_too_long", tokens.size(), kind, max_text_tokens);
  for (const std::string& token : tokens)
    if (is_reserved(token)) fail(ErrorCode::input, "text_has_reserved_word", token);
  for (std::string& token : tokens)
    if (!source_vocabulary_.contains(token) && source_vocabulary_.contains(lower_case(token)))
      token = lower_case(token);
  return tokens;
}

Tokens Task::split(std::string_view text) const {
  if (!about_.separator.empty()) return split_text(text, about_.separator);
  return joined(form() == Form::windows ? code_points(text) : split_text(text, about_.separator));
}

Tokens Task::joined(Tokens code_points) const {
  if (longest_token_ == 1) return code_points;
  const auto known = [&](const std::string& token) {
    return source_vocabulary_.id(token) > unk_id || target_vocabulary_.id(token) > unk_id;
  };
  Tokens tokens;
  for (std::size_t i = 0; i < code_points.size();) {
    std::size_t best = 1;
    std::string token = code_points[i], longest = token;
    for (std::size_t n = 2; n <= longest_token_ && i + n <= code_points.size(); ++n)
      if (known(token += code_points[i + n - 1])) best = n, longest = token;
    tokens.push_back(std::move(longest));
    i += best;
  }
  return tokens;
}

std::string Task::text(const Tokens& tokens) const { return join(tokens, about_.separator); }

Tokens split_text(std::string_view text, std::string_view separator) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  if (separator.empty()) return code_points(text);
  Tokens tokens;
  bool open = false;  // the last word is incomplete
  for (const char c : text) {
    if (c == token_joiner) continue;
    if (!blank(c) && !open) tokens.emplace_back();
    open = !blank(c);
    if (open) tokens.back() += c;
  }
  return tokens;
}

// Each token is hashed with its terminating zero, so token boundaries count.
std::uint64_t text_hash(const Tokens& tokens) {
  std::uint64_t hash = hash_of("");
  for (const std::string& token : tokens) hash = hash_of({token.c_str(), token.size() + 1}, hash);
  return hash;
}

bool is_reserved(std::string_view word) { return word == "<pad>" || word == "<bos>" || word == "<eos>"; }

std::vector<Pair> distinct_pairs(int count, Random& random, const std::function<Pair(Random&, int)>& draw,
                                 const std::function<int(Random&)>& length, std::vector<Pair> pairs) {
  std::unordered_set<std::uint64_t> seen(count);
  for (const Pair& pair : pairs) seen.insert(text_hash(pair.source));
  pairs.reserve(count);
  for (int attempt = 0; attempt < 10 * count && static_cast<int>(pairs.size()) < count; ++attempt) {
    Pair pair = draw(random, length(random));
    if (seen.insert(text_hash(pair.source)).second) pairs.push_back(std::move(pair));
  }
  return pairs;
}

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const TaskKind& kind : task_kinds()) names.emplace_back(kind.name);
  return names;
}

std::shared_ptr<const Task> make_task(std::string_view name, const Config& options) {
  const auto kind = std::ranges::find(task_kinds(), name, &TaskKind::name);
  if (kind == task_kinds().end()) fail(ErrorCode::config, "no_such_task", name, task_names());
  if (kind->has_options) return task_of(*kind, options);
  // Making a large corpus takes as long as training some models, and tasks are immutable: sessions share them.
  static std::map<std::string_view, std::shared_ptr<const Task>> tasks;
  std::shared_ptr<const Task>& task = tasks[kind->name];
  if (!task) task = task_of(*kind, options);
  return task;
}

}  // namespace unroll
