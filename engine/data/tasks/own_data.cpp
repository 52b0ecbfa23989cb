#include "engine/data/tasks/own_data.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "engine/kernels/order.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

struct Line {
  int number;  // from 1
  std::string_view source, target;
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \r"), last = text.find_last_not_of(" \r");
  return first == text.npos ? "" : text.substr(first, last - first + 1);
}

Line line_of(int number, std::string_view text) {
  const std::size_t tab = text.find('\t');
  if (tab == text.npos) fail(ErrorCode::input, Place{number}, "line_without_tab", number);
  if (text.find('\t', tab + 1) != text.npos) fail(ErrorCode::input, Place{number}, "line_with_two_tabs", number);
  const Line line{number, trimmed(text.substr(0, tab)), trimmed(text.substr(tab + 1))};
  if (line.source.empty()) fail(ErrorCode::input, Place{number}, "line_without_source", number);
  if (line.target.empty()) fail(ErrorCode::input, Place{number}, "line_without_target", number);
  return line;
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (int number = 1; !text.empty(); ++number) {
    if (number > max_lines) fail(ErrorCode::input, Place{number}, "too_many_lines", max_lines, number);
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == text.npos ? "" : text.substr(end + 1);
    if (line.find_first_not_of(" \r") != line.npos) lines.push_back(line_of(number, line));
  }
  return lines;
}

Tokens side_of(const Line& line, FieldName name, std::string_view side, std::string_view separator) {
  Tokens tokens = split_text(side, separator);
  if (tokens.size() > max_text_tokens)
    fail(ErrorCode::input, Place{line.number}, "side_too_long", name, line.number, tokens.size(),
         phrase(separator.empty() ? "characters" : "words"), max_text_tokens);
  if (tokens.empty()) fail(ErrorCode::input, Place{line.number}, "side_is_empty", name, line.number);
  const auto reserved = std::ranges::find_if(tokens, is_reserved);
  if (reserved != tokens.end())
    fail(ErrorCode::input, Place{line.number}, "side_has_reserved_word", name, line.number, *reserved);
  return tokens;
}

bool has_space(const Line& line) {
  return line.source.find(' ') != line.source.npos || line.target.find(' ') != line.target.npos;
}

}  // namespace

std::unique_ptr<Task> parse_pairs(std::string_view text, PairTokens read_as) {
  const std::vector<Line> lines = lines_of(text);
  if (lines.size() < 2) fail(ErrorCode::input, lines.empty() ? "no_pair" : "one_pair_only");
  const bool unsaid = read_as == PairTokens::unsaid;
  const bool words = unsaid ? std::ranges::any_of(lines, has_space) : read_as == PairTokens::words;
  Corpus corpus{.name = "own-pairs", .separator = words ? " " : "", .pairs = {}, .even_split = !unsaid};
  for (const Line& line : lines)
    corpus.pairs.push_back({side_of(line, {"source"}, line.source, corpus.separator),
                            side_of(line, {"target"}, line.target, corpus.separator),
                            {}});
  return std::make_unique<Task>(std::move(corpus));
}

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
