#include "engine/data/tasks/own_data.h"

#include <algorithm>

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

}  // namespace unroll
