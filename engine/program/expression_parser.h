// Parses the expressions of a program. The parser of statements is built on it.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/program/lexer.h"
#include "engine/program/syntax.h"

namespace unroll::program {

class ExpressionParser {
 public:
  ExpressionParser(std::vector<Token> tokens, Names& names, int depth = 0)
      : tokens_(std::move(tokens)), names_(names), depth_(depth) {}

  // An expression, or several with commas between them, which make a tuple.
  ExpressionPtr expressions() {
    const Place place = next().place;
    ExpressionPtr first = expression();
    if (!next_is(",")) return first;
    Sequence tuple{{}, true};
    tuple.items.push_back(std::move(first));
    while (take_if(",") && !ends_expressions()) tuple.items.push_back(expression());
    return make(place, std::move(tuple));
  }

  ExpressionPtr expression() {
    const Level level(*this);
    ExpressionPtr value = disjunction();
    const Place place = next().place;
    if (!take_if("if")) return value;
    ExpressionPtr condition = disjunction();
    expect("else", std::string_view("… if … else …"));
    return make(place, Conditional{std::move(condition), std::move(value), expression()});
  }

 protected:
  // Counts how deep the parser is in brackets, blocks and operators, so that no text can exhaust the stack.
  class Level {
   public:
    explicit Level(ExpressionParser& parser) : parser_(parser) {
      if (++parser.depth_ > max_levels) fail_at(parser.next().place, "nested_too_deep", max_levels);
    }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;

   private:
    ExpressionParser& parser_;
  };

  int depth() const { return depth_; }
  Names& names() { return names_; }

  const Token& next() const { return tokens_[at_]; }
  bool next_is(TokenKind kind) const { return next().kind == kind; }
  // A keyword or symbol.
  bool next_is(std::string_view text) const {
    return (next_is(TokenKind::keyword) || next_is(TokenKind::symbol)) && next().text == text;
  }

  Token take() {
    if (next_is(TokenKind::newline)) links_ = 0;
    return tokens_[next_is(TokenKind::end) ? at_ : at_++];
  }

  bool take_if(std::string_view text) {
    if (!next_is(text)) return false;
    take();
    return true;
  }

  // Takes the keyword or symbol, or throws Error(program): `what` names the construct that needs it.
  Place expect(std::string_view text, const MessageArgument& what) {
    if (!next_is(text)) fail_at(next().place, "sign_missing", what, text);
    return take().place;
  }

  Symbol name(const MessageArgument& what) {
    if (next_is(TokenKind::keyword)) fail_at(next().place, "name_is_reserved", next().text);
    if (!next_is(TokenKind::name)) fail_at(next().place, "name_missing", what);
    return names_.symbol_of(take().text);
  }

  // What a for assigns to: one name, or several: for i, (a, b) in …
  ExpressionPtr loop_target() {
    const Level level(*this);
    const Place place = next().place;
    Sequence targets{{}, true};
    do {
      const Place place = next().place;
      if (take_if("(")) {
        targets.items.push_back(loop_target());
        expect(")", phrase("an_open_parenthesis"));
      } else {
        targets.items.push_back(make(place, Name{name(std::string_view("for"))}));
      }
    } while (take_if(","));
    if (targets.items.size() == 1) return std::move(targets.items[0]);
    return make(place, std::move(targets));
  }

  // Throws Error(program): the next token is not allowed here.
  [[noreturn]] void refuse() const {
    const Token& token = next();
    if (next_is(TokenKind::end) || next_is(TokenKind::newline)) fail_at(token.place, "line_ends_early");
    if (next_is(TokenKind::indent)) fail_at(token.place, "line_is_indented");
    if (next_is(TokenKind::dedent)) fail_at(token.place, "block_ends_early");
    fail_at(token.place, "sign_out_of_place", token.text);
  }

 private:
  static constexpr int max_levels = 60, max_links = 200, max_links_of_line = 1000;

  struct InfixOperator {
    std::string_view text;
    Operator operation;
    int precedence;
  };
  static constexpr InfixOperator infix_operators[] = {{"+", Operator::add, 0},           {"-", Operator::subtract, 0},
                                                      {"*", Operator::multiply, 1},      {"/", Operator::divide, 1},
                                                      {"//", Operator::floor_divide, 1}, {"%", Operator::remainder, 1},
                                                      {"@", Operator::matmul, 1}};
  static constexpr int highest_precedence = 1;

  static constexpr std::pair<std::string_view, Relation> relations[] = {
      {"==", Relation::equal}, {"!=", Relation::not_equal},        {"<=", Relation::less_or_equal},
      {"<", Relation::less},   {">=", Relation::greater_or_equal}, {">", Relation::greater},
      {"in", Relation::in}};

  static const InfixOperator* infix_operator(std::string_view text, int precedence) {
    for (const InfixOperator& each : infix_operators)
      if (each.text == text && each.precedence == precedence) return &each;
    return nullptr;
  }

  template <typename Node>
  static ExpressionPtr make(const Place& place, Node node) {
    return std::make_unique<const Expression>(Expression{place, std::move(node)});
  }

  // The part of a chain such as a + b + c, which may not be too long. All chains of a line together are limited, too:
  // those in brackets make the tree deeper.
  void count_link(int& links) {
    if (++links > max_links) fail_at(next().place, "too_many_operations_in_row", max_links);
    if (++links_ > max_links_of_line) fail_at(next().place, "too_many_operations_on_line", max_links_of_line);
  }

  bool ends_expressions() const {
    for (const std::string_view text : {")", "]", "=", ":"})
      if (next_is(text)) return true;
    return next_is(TokenKind::newline) || next_is(TokenKind::end) || next_is("in");
  }

  ExpressionPtr disjunction() { return logical("or", &ExpressionParser::conjunction); }
  ExpressionPtr conjunction() { return logical("and", &ExpressionParser::negation); }
  ExpressionPtr logical(std::string_view word, ExpressionPtr (ExpressionParser::*operand)()) {
    ExpressionPtr left = (this->*operand)();
    for (int links = 0; next_is(word); count_link(links)) {
      const Place place = take().place;
      left = make(place, Logical{word == "or", std::move(left), (this->*operand)()});
    }
    return left;
  }

  ExpressionPtr negation() {
    if (!next_is("not")) return comparison();
    const Level level(*this);
    const Place place = take().place;
    return make(place, Unary{true, negation()});
  }

  std::optional<Relation> relation() {
    if (take_if("is")) return take_if("not") ? Relation::is_not : Relation::is;
    if (take_if("not")) {
      expect("in", std::string_view("not"));
      return Relation::not_in;
    }
    for (const auto& [text, relation] : relations)
      if (take_if(text)) return relation;
    return std::nullopt;
  }

  ExpressionPtr comparison() {
    ExpressionPtr first = binary(0);
    const Place place = next().place;
    Comparison chain{std::move(first), {}};
    while (const std::optional<Relation> found = relation()) chain.rest.emplace_back(*found, binary(0));
    if (chain.rest.empty()) return std::move(chain.first);
    return make(place, std::move(chain));
  }

  ExpressionPtr binary(int precedence) {
    if (precedence > highest_precedence) return sign();
    ExpressionPtr left = binary(precedence + 1);
    for (int links = 0; next_is(TokenKind::symbol); count_link(links)) {
      const InfixOperator* found = infix_operator(next().text, precedence);
      if (!found) break;
      const Place place = take().place;
      left = make(place, Binary{found->operation, std::move(left), binary(precedence + 1)});
    }
    return left;
  }

  ExpressionPtr sign() {
    const Level level(*this);
    if (take_if("+")) return sign();
    if (!next_is("-")) return power();
    const Place place = take().place;
    return make(place, Unary{false, sign()});
  }

  // Binds more tightly than a sign on its left and less than one on its right: -2 ** -1 is -(2 ** (-1)).
  ExpressionPtr power() {
    ExpressionPtr base = primary();
    if (!next_is("**")) return base;
    const Place place = take().place;
    return make(place, Binary{Operator::power, std::move(base), sign()});
  }

  ExpressionPtr primary() {
    ExpressionPtr value = atom();
    for (int links = 0;; count_link(links)) {
      const Place place = next().place;
      if (take_if("(")) {
        const Place callee = value->place;
        value = make(callee, Call{std::move(value), arguments()});
      } else if (take_if("[")) {
        value = make(place, Index{std::move(value), subscripts()});
      } else if (take_if(".")) {
        if (!next_is(TokenKind::name)) fail_at(next().place, "name_missing_after_point");
        value = make(place, Attribute{std::move(value), take().text});
      } else {
        return value;
      }
    }
  }

  std::vector<Argument> arguments() {
    std::vector<Argument> all;
    while (!next_is(")")) {
      if (next_is("*") || next_is("**")) fail_at(next().place, "star_argument");
      const bool is_named =
          next_is(TokenKind::name) && tokens_[at_ + 1].text == "=" && tokens_[at_ + 1].kind == TokenKind::symbol;
      std::string name;
      if (is_named) name = take().text, take();
      if (!is_named && !all.empty() && !all.back().name.empty()) fail_at(next().place, "unnamed_argument_after_named");
      all.push_back({std::move(name), expression()});
      if (!take_if(",")) break;
    }
    expect(")", phrase("a_call"));
    return all;
  }

  std::vector<Subscript> subscripts() {
    std::vector<Subscript> all;
    while (!next_is("]")) {
      all.push_back(subscript());
      if (!take_if(",")) break;
    }
    if (all.empty()) fail_at(next().place, "index_missing");
    expect("]", phrase("an_index"));
    return all;
  }

  Subscript subscript() {
    if (take_if("...")) return Ellipsis{};
    const auto part = [&] { return next_is(":") || next_is(",") || next_is("]") ? nullptr : expression(); };
    ExpressionPtr start = part();
    if (!take_if(":")) {
      if (!start) refuse();
      return start;
    }
    Slice slice{std::move(start), part(), nullptr};
    if (take_if(":")) slice.step = part();
    return slice;
  }

  ExpressionPtr atom() {
    const Level level(*this);
    const Place place = next().place;
    if (next_is(TokenKind::name)) return make(place, Name{names_.symbol_of(take().text)});
    if (next_is(TokenKind::number)) return number(take());
    if (next_is(TokenKind::text)) return make(place, Constant{take().text});
    if (next_is(TokenKind::formatted)) return formatted(take());
    if (next_is(TokenKind::keyword)) return constant();
    if (take_if("(")) return in_parentheses();
    if (take_if("[")) return in_brackets();
    refuse();
  }

  ExpressionPtr constant() {
    const Place place = next().place;
    if (take_if("None")) return make(place, Constant{None{}});
    if (take_if("True")) return make(place, Constant{true});
    if (take_if("False")) return make(place, Constant{false});
    if (next_is("lambda")) fail_at(place, "lambda_is_not_in_language");
    refuse();
  }

  ExpressionPtr number(const Token& token) const {
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
  ExpressionPtr in_parentheses() {
    const Place place = next().place;
    if (take_if(")")) return make(place, Sequence{{}, true});
    ExpressionPtr inner = expressions();
    if (next_is("for")) fail_at(next().place, "comprehension_without_brackets");
    expect(")", phrase("an_open_parenthesis"));
    return inner;
  }

  ExpressionPtr in_brackets() {
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

  ExpressionPtr comprehension(const Place& place, ExpressionPtr item) {
    expect("for", phrase("a_list"));
    Comprehension node{std::move(item), loop_target(), nullptr, nullptr};
    expect("in", std::string_view("for"));
    node.iterable = disjunction();
    if (take_if("if")) node.condition = disjunction();
    if (next_is("for") || next_is("if")) fail_at(next().place, "comprehension_too_long");
    expect("]", phrase("a_list"));
    return make(place, std::move(node));
  }

  // The place after these characters.
  static Place place_after(std::string_view text, Place start) {
    for (const char byte : text) {
      if (byte == '\n')
        ++start.line, start.column = 1;
      else if ((byte & 0xc0) != 0x80)
        ++start.column;
    }
    return start;
  }

  ExpressionPtr formatted(const Token& token) {
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

  std::vector<Token> tokens_;
  Names& names_;
  std::size_t at_ = 0;
  int depth_;
  int links_ = 0;  // of this line so far
};

}  // namespace unroll::program
