#include "engine/data/tasks/task.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "engine/data/tasks/generators.h"
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
  for (const char c : text) {
    if (tokens.empty() || starts_code_point(c)) tokens.emplace_back();
    tokens.back() += c;
  }
  return tokens;
}

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

Split split_of_tenth(std::uint64_t tenth) {
  return tenth == 9 ? Split::test : tenth == 8 ? Split::validation : Split::train;
}

void check_vocabulary(const char* sides, const Vocabulary& words) {
  if (words.size() < unk_id + 3)
    fail(ErrorCode::input, "All ", sides, " together hold one token: give pairs with at least two different ones.");
}

}  // namespace

Task::Task(Corpus corpus)
    : name_(std::move(corpus.name)),
      separator_(corpus.separator),
      form_(corpus.form),
      mix_target_lengths_(corpus.mix_target_lengths),
      true_perplexity_(corpus.true_perplexity),
      draw_(std::move(corpus.draw)) {
  add_pairs(std::move(corpus.pairs));
  if (form_ != Form::pairs) {
    source_vocabulary_ = target_vocabulary_ = vocabulary_of(sides({&Pair::source, &Pair::target}));
  } else {
    source_vocabulary_ = vocabulary_of(sides({&Pair::source}));
    target_vocabulary_ = vocabulary_of(sides({&Pair::target}));
  }
  check_vocabulary("sources", source_vocabulary_);
  check_vocabulary("targets", target_vocabulary_);
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
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Pair& pair = pairs[i];
    const bool window = form_ == Form::windows;
    if (!window && !seen.insert(text_hash(key_of(pair))).second) continue;
    const Split split = window ? split_of_tenth(i % 10) : split_of(pair);
    splits_[static_cast<int>(split)].push_back(std::move(pair));
  }
  if (splits_[0].empty()) splits_[0].swap(splits_[splits_[1].empty() ? 2 : 1]);  // few pairs: train on another split's
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
  if (!draw_) {
    for (const Pair& pair : pairs(Split::test))
      if (wanted(pair) && static_cast<int>(found.size()) < count) found.push_back(pair);
    return found;
  }
  Random random(seed, static_cast<std::uint64_t>(length));
  std::unordered_set<std::uint64_t> seen;
  const int attempts = attempts_per_pair * std::min(count, max_attempts / attempts_per_pair);
  for (int attempt = 0; attempt < attempts && static_cast<int>(found.size()) < count; ++attempt) {
    Pair pair = draw_(random, length);
    if (!wanted(pair) || split_of(pair) == Split::train || !seen.insert(text_hash(key_of(pair))).second) continue;
    found.push_back(std::move(pair));
  }
  return found;
}

Tokens Task::tokenise(std::string_view text) const {
  Tokens tokens = split(text);
  const char* kind = separator_.empty() ? " characters" : " words";
  if (tokens.empty() && form_ == Form::pairs)
    fail(ErrorCode::input, "The text is empty: write 1 to ", max_text_tokens, kind, ".");
  if (tokens.size() > max_text_tokens)
    fail(ErrorCode::input, "The text has ", tokens.size(), kind, ": use at most ", max_text_tokens, ".");
  for (std::string& token : tokens)
    if (!source_vocabulary_.contains(token) && source_vocabulary_.contains(lower_case(token)))
      token = lower_case(token);
  return tokens;
}

Tokens Task::split(std::string_view text) const {
  return form_ == Form::windows && separator_.empty() ? code_points(text) : split_text(text, separator_);
}

std::string Task::text(const Tokens& tokens) const { return join(tokens, separator_); }

Tokens split_text(std::string_view text, std::string_view separator) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  if (separator.empty()) return code_points(text);
  Tokens tokens;
  bool open = false;  // the last word is incomplete
  for (const char c : text) {
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

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const TaskKind& kind : task_kinds()) names.emplace_back(kind.name);
  return names;
}

std::shared_ptr<const Task> make_task(std::string_view name, const Config& options) {
  const auto kind = std::ranges::find(task_kinds(), name, &TaskKind::name);
  if (kind == task_kinds().end()) fail(ErrorCode::config, "task is \"", name, "\": use one of ", task_names(), ".");
  if (kind->has_options) return std::make_shared<Task>(kind->make(options));
  // Making a large corpus takes as long as training some models, and tasks are immutable: sessions share them.
  static std::map<std::string_view, std::shared_ptr<const Task>> tasks;
  std::shared_ptr<const Task>& made = tasks[kind->name];
  if (!made) made = std::make_shared<Task>(kind->make(options));
  return made;
}

}  // namespace unroll
