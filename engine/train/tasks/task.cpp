#include "engine/train/tasks/task.h"

#include <algorithm>
#include <unordered_set>

#include "engine/tensor/error.h"
#include "engine/train/tasks/generators.h"

namespace unroll {
namespace {

constexpr int attempts_a_pair = 200;

std::string lower_case(std::string word) {
  for (char& c : word)
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  return word;
}

bool starts_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::vector<const Tokens*> sides(const std::vector<Pair> (&splits)[3], Tokens Pair::*side) {
  std::vector<const Tokens*> sentences;
  for (const std::vector<Pair>& pairs : splits)
    for (const Pair& pair : pairs) sentences.push_back(&(pair.*side));
  return sentences;
}

void check_vocabulary(const char* side, const Vocabulary& words) {
  if (words.size() < unk_id + 3)
    fail(ErrorCode::input, "All ", side, "s together hold one token: give pairs with at least two different ones.");
}

}  // namespace

Task::Task(Corpus corpus) : name_(std::move(corpus.name)), separator_(corpus.separator), draw_(std::move(corpus.draw)) {
  add_pairs(std::move(corpus.pairs));
  source_words_ = vocabulary_of(sides(splits_, &Pair::source));
  target_words_ = vocabulary_of(sides(splits_, &Pair::target));
  check_vocabulary("source", source_words_);
  check_vocabulary("target", target_words_);
}

void Task::add_pairs(std::vector<Pair> pairs) {
  std::unordered_set<std::uint64_t> seen(pairs.size());
  for (Pair& pair : pairs) {
    if (!seen.insert(text_hash(pair.source)).second) continue;
    std::vector<Pair>& split = splits_[static_cast<int>(split_of(pair))];
    split.push_back(std::move(pair));
  }
  if (splits_[0].empty()) splits_[0].swap(splits_[splits_[1].empty() ? 2 : 1]);  // of very few pairs, train on some
}

// The upper half of the hash: FNV's lowest bits mix least.
Split Task::split_of(const Pair& pair) const {
  const std::uint64_t tenth = (text_hash(pair.source) >> 32) % 10;
  if (pair.held_out || tenth == 9) return Split::test;
  return tenth == 8 ? Split::validation : Split::train;
}

std::vector<Pair> Task::pairs_of_length(int length, int count, std::uint64_t seed) const {
  std::vector<Pair> found;
  const auto wanted = [&](const Pair& pair) { return static_cast<int>(pair.source.size()) == length; };
  if (!draw_) {
    for (const Pair& pair : pairs(Split::test))
      if (wanted(pair) && static_cast<int>(found.size()) < count) found.push_back(pair);
    return found;
  }
  Random random(seed, static_cast<std::uint64_t>(length));
  std::unordered_set<std::uint64_t> seen;
  for (int attempt = 0; attempt < attempts_a_pair * count && static_cast<int>(found.size()) < count; ++attempt) {
    Pair pair = draw_(random, length);
    if (!wanted(pair) || split_of(pair) == Split::train || !seen.insert(text_hash(pair.source)).second) continue;
    found.push_back(std::move(pair));
  }
  return found;
}

Tokens Task::tokenise(std::string_view text) const {
  Tokens tokens = split_text(text, separator_);
  if (tokens.empty()) fail(ErrorCode::input, "The text is empty: write something.");
  if (tokens.size() > longest_text)
    fail(ErrorCode::input, "The text has ", tokens.size(), separator_.empty() ? " characters" : " words",
         ": use at most ", longest_text, ".");
  for (std::string& token : tokens)
    if (!source_words_.contains(token) && source_words_.contains(lower_case(token))) token = lower_case(token);
  return tokens;
}

std::string Task::text(const Tokens& tokens) const { return joined(tokens, separator_); }

Tokens split_text(std::string_view text, std::string_view separator) {
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  Tokens tokens;
  bool open = false;  // the last token may still grow
  for (const char c : text) {
    const bool between = !separator.empty() && blank(c);
    if (!between && open && (!separator.empty() || !starts_code_point(c))) tokens.back() += c;
    if (!between && (!open || (separator.empty() && starts_code_point(c)))) tokens.emplace_back(1, c);
    open = !between;
  }
  return tokens;
}

std::string joined(const Tokens& tokens, std::string_view separator) {
  std::string text;
  for (const std::string& token : tokens) text.append(&token == tokens.data() ? "" : separator).append(token);
  return text;
}

// FNV-1a, 64 bits; every token is ended by a zero.
std::uint64_t text_hash(const Tokens& tokens) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](char c) { hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3; };
  for (const std::string& token : tokens) {
    for (const char c : token) add(c);
    add('\0');
  }
  return hash;
}

std::vector<std::string> task_names() { return {"reverse", "copy", "sort", "addition", "dates", "translate-en-fr"}; }

std::unique_ptr<Task> make_task(std::string_view name, const Config& options) {
  Corpus corpus;
  if (name == "reverse" || name == "copy" || name == "sort")
    corpus = letters_corpus(std::string(name), options.integer("length", 10, 2, 40));
  else if (name == "addition")
    corpus = addition_corpus(options.integer("digits", 2, 2, 5));
  else if (name == "dates")
    corpus = dates_corpus();
  else if (name == "translate-en-fr")
    corpus = translation_corpus();
  else
    fail(ErrorCode::config, "task is \"", name, "\": use one of ", joined(task_names(), ", "), ".");
  return std::make_unique<Task>(std::move(corpus));
}

}  // namespace unroll
