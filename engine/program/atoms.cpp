// The smallest expressions: constants, names, brackets and formatted texts.
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "engine/program/expression_parser.h"

namespace unroll::program {

using namespace std::literals;

ExpressionPtr ExpressionParser::atom() {
  const Level level(*this);
  const Place place = next().place;
  switch (next().kind) {
    case TokenKind::name:
      return make(place, Name{names_.symbol_of(take().text)});
    case TokenKind::number:
      return number(take());
    case TokenKind::text:
      return make(place, Constant{take().text});
    case TokenKind::formatted:
      return formatted(take());
    case TokenKind::keyword:
      return constant();
    default:
      if (take_if("(")) return in_parentheses();
      if (take_if("[")) return in_brackets();
      refuse();
  }
}

ExpressionPtr ExpressionParser::constant() {
  const Place place = next().place;
  if (take_if("None")) return make(place, Constant{None{}});
  if (take_if("True")) return make(place, Constant{true});
  if (take_if("False")) return make(place, Constant{false});
  if (next_is("lambda")) fail_at(place, "lambda_is_not_in_language");
  refuse();
}

ExpressionPtr ExpressionParser::number(const Token& token) const {
  const char *first = token.text.data(), *last = first + token.text.size();
  if (token.text.find_first_of(".eE") == std::string::npos) {
    const std::size_t zeros = token.text.find_first_not_of('0');
    if (zeros > 0 && zeros != std::string::npos)
      fail_at(token.place, "number_begins_with_zero", token.text.substr(zeros));
    std::int64_t whole = 0;
    if (std::from_chars(first, last, whole).ec == std::errc()) return make(token.place, Constant{whole});
    fail_at(token.place, "whole_number_too_large", token.text);
  }
  const double value = std::strtod(first, nullptr);
  if (!std::isfinite(value)) fail_at(token.place, "float_too_large", token.text);
  return make(token.place, Constant{value});
}

// () is an empty tuple, (a) is a, (a,) and (a, b) are tuples.
ExpressionPtr ExpressionParser::in_parentheses() {
  const Place place = next().place;
  if (take_if(")")) return make(place, Sequence{{}, true});
  ExpressionPtr inner = expressions();
  if (next_is("for")) fail_at(next().place, "comprehension_without_brackets");
  expect(")", phrase("an_open_parenthesis"));
  return inner;
}

ExpressionPtr ExpressionParser::in_brackets() {
  const Place place = next().place;
  Sequence list{{}, false};
  while (!next_is("]")) {
    list.items.push_back(expression());
    if (list.items.size() == 1 && next_is("for")) return comprehension(place, std::move(list.items[0]));
    if (!take_if(",")) break;
  }
  expect("]", phrase("a_list"));
  return make(place, std::move(list));
}

ExpressionPtr ExpressionParser::comprehension(const Place& place, ExpressionPtr item) {
  expect("for", phrase("a_list"));
  Comprehension node{std::move(item), loop_target(), nullptr, nullptr};
  expect("in", "for"sv);
  node.iterable = disjunction();
  if (take_if("if")) node.condition = disjunction();
  if (next_is("for") || next_is("if")) fail_at(next().place, "comprehension_too_long");
  expect("]", phrase("a_list"));
  return make(place, std::move(node));
}

// One name, or several: for i, (a, b) in …
ExpressionPtr ExpressionParser::loop_target() {
  const Level level(*this);
  const Place place = next().place;
  Sequence targets{{}, true};
  do {
    const Place place = next().place;
    if (take_if("(")) {
      targets.items.push_back(loop_target());
      expect(")", phrase("an_open_parenthesis"));
    } else {
      targets.items.push_back(make(place, Name{name("for"sv)}));
    }
  } while (take_if(","));
  if (targets.items.size() == 1) return std::move(targets.items[0]);
  return make(place, std::move(targets));
}

namespace {

// The place after these characters.
Place place_after(std::string_view text, Place start) {
  for (const char byte : text) {
    if (byte == '\n')
      ++start.line, start.column = 1;
    else if ((byte & 0xc0) != 0x80)
      ++start.column;
  }
  return start;
}

}  // namespace

ExpressionPtr ExpressionParser::formatted(const Token& token) {
  const std::string_view text = token.text;
  Formatted node;
  std::string words;
  const auto add_words = [&] {
    if (!words.empty()) node.parts.push_back(make(token.place, Constant{std::exchange(words, {})}));
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool is_double = at + 1 < text.size() && text[at + 1] == c;
    if (c != '{' && c != '}') {
      words += c;
    } else if (is_double) {
      words += text[at++];
    } else {
      const std::size_t end = text.find('}', at);
      const Place place = place_after(text.substr(0, at + 1), token.content);
      if (c == '}' || end == std::string_view::npos) fail_at(place, "format_brace_unpaired");
      add_words();
      ExpressionParser inner(tokens_within(text.substr(at + 1, end - at - 1), place), names_, depth_);
      node.parts.push_back(inner.expression());
      if (!inner.next_is(TokenKind::end)) inner.refuse();
      at = end;
    }
  }
  add_words();
  return make(token.place, std::move(node));
}

}  // namespace unroll::program
