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
  if (tab == text.npos) fail(ErrorCode::input, "Line ", LineNumber{number}, " has no tab: write source, tab, target.");
  if (text.find('\t', tab + 1) != text.npos)
    fail(ErrorCode::input, "Line ", LineNumber{number}, " has more than one tab: write source, tab, target.");
  const Line line{number, trimmed(text.substr(0, tab)), trimmed(text.substr(tab + 1))};
  if (line.source.empty())
    fail(ErrorCode::input, "Line ", LineNumber{number}, " has no source: write something before the tab.");
  if (line.target.empty())
    fail(ErrorCode::input, "Line ", LineNumber{number}, " has no target: write something after the tab.");
  return line;
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (int number = 1; !text.empty(); ++number) {
    if (number > max_lines)
      fail(ErrorCode::input, "There are more than ", max_lines, " lines: leave out those from line ",
           LineNumber{number}, " on.");
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
    fail(ErrorCode::input, "The ", name, " of line ", LineNumber{line.number}, " has ", tokens.size(),
         separator.empty() ? " characters" : " words", ": use at most ", max_text_tokens, ".");
  if (tokens.empty())
    fail(ErrorCode::input, "The ", name, " of line ", LineNumber{line.number}, " has no character: write one.");
  const auto reserved = std::ranges::find_if(tokens, is_reserved);
  if (reserved != tokens.end())
    fail(ErrorCode::input, "The ", name, " of line ", LineNumber{line.number}, " has the word ", *reserved,
         ", which the model uses itself: leave it out.");
  return tokens;
}

bool has_space(const Line& line) {
  return line.source.find(' ') != line.source.npos || line.target.find(' ') != line.target.npos;
}

}  // namespace

std::unique_ptr<Task> parse_pairs(std::string_view text, PairTokens read_as) {
  const std::vector<Line> lines = lines_of(text);
  if (lines.size() < 2)
    fail(ErrorCode::input, "There ", lines.empty() ? "is no pair" : "is one pair only",
         ": give at least two lines of source, tab, target.");
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
