#include "engine/data/tasks/text.h"

#include <unordered_map>
#include <unordered_set>

#include "engine/kernels/order.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr std::size_t min_tokens = 100, min_window = 8, max_window = 64, windows_per_text = 20;
constexpr std::size_t max_distinct = 5'000;

struct Counted {
  std::string token;
  std::size_t times;
};

// Distinct tokens, most frequent first; ties in byte order.
std::vector<Counted> count_tokens(const Tokens& tokens) {
  std::unordered_map<std::string_view, std::size_t> times;
  for (const std::string& token : tokens) ++times[token];
  std::vector<Counted> counted;
  for (const auto& [token, n] : times) counted.push_back({std::string(token), n});
  stable_sort(counted, [](const Counted& a, const Counted& b) {
    return a.times != b.times ? a.times > b.times : a.token < b.token;
  });
  return counted;
}

// Replaces tokens that are too rare, or that are spelled like a special token, by <unk>.
void replace_rare(Tokens& tokens, const std::vector<Counted>& counted) {
  const Vocabulary special;
  std::unordered_set<std::string_view> known;
  for (const Counted& each : counted)
    if (known.size() < max_distinct && !special.contains(each.token)) known.insert(each.token);
  for (std::string& token : tokens)
    if (!known.contains(token)) token = special.token(unk_id);
}

void check_tokens(const Tokens& tokens, std::size_t different, const Message& name) {
  if (tokens.size() < min_tokens) fail(ErrorCode::input, "text_too_short", tokens.size(), name, min_tokens);
  if (different < 2) fail(ErrorCode::input, "text_with_one_token", tokens[0], name);
}

}  // namespace

std::unique_ptr<Task> parse_text(std::string_view text, bool words) {
  if (text.size() > max_bytes) fail(ErrorCode::input, "text_too_many_bytes", text.size(), max_bytes);
  Corpus corpus{.name = "own-text", .separator = words ? " " : "", .pairs = {}, .form = Form::windows};
  Tokens tokens = split_text(text, corpus.separator);
  const std::vector<Counted> counted = count_tokens(tokens);
  check_tokens(tokens, counted.size(), phrase(words ? "words" : "characters"));
  replace_rare(tokens, counted);
  const std::size_t window = std::clamp(tokens.size() / windows_per_text, min_window, max_window);
  for (auto from = tokens.begin(); static_cast<std::size_t>(tokens.end() - from) >= window;) {
    const auto to = from + static_cast<std::ptrdiff_t>(window);
    corpus.pairs.push_back({.source = {}, .target = {from, to}, .alignment = {}});
    from = to;
  }
  return std::make_unique<Task>(std::move(corpus));
}

}  // namespace unroll
