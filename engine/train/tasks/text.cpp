#include "engine/train/tasks/text.h"

#include <algorithm>
#include <unordered_set>

#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr std::size_t fewest_tokens = 100, shortest_window = 8, longest_window = 64, windows_a_text = 20;
constexpr std::size_t most_different = 5'000;

void check_tokens(const Tokens& tokens, const char* name) {
  if (tokens.size() < fewest_tokens)
    fail(ErrorCode::input, "The text has ", tokens.size(), name, ": use at least ", fewest_tokens, ".");
  const std::size_t different = std::unordered_set<std::string_view>(tokens.begin(), tokens.end()).size();
  if (different < 2 || different > most_different)
    fail(ErrorCode::input, "The text has ", different, " different", name, ": use 2 to ", most_different, ".");
}

}  // namespace

std::unique_ptr<Task> parse_text(std::string_view text, bool words) {
  if (text.size() > most_bytes)
    fail(ErrorCode::input, "The text has ", text.size(), " bytes: use at most ", most_bytes, ".");
  Corpus corpus{.name = "own-text", .separator = words ? " " : "", .pairs = {}, .form = Form::windows};
  const Tokens tokens = split_text(text, corpus.separator);
  check_tokens(tokens, words ? " words" : " characters");
  const std::size_t window = std::clamp(tokens.size() / windows_a_text, shortest_window, longest_window);
  for (auto from = tokens.begin(); static_cast<std::size_t>(tokens.end() - from) >= window;) {
    const auto to = from + static_cast<std::ptrdiff_t>(window);
    corpus.pairs.push_back({.source = {}, .target = {from, to}, .alignment = {}});
    from = to;
  }
  return std::make_unique<Task>(std::move(corpus));
}

}  // namespace unroll
