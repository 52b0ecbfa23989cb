#include "engine/program/expression_parser.h"

namespace unroll::program {

using namespace std::literals;

namespace {

constexpr int max_levels = 60, max_links = 200, max_links_of_line = 1000;

struct InfixOperator {
  std::string_view text;
  Operator operation;
  int precedence;
};
constexpr InfixOperator infix_operators[] = {{"+", Operator::add, 0},           {"-", Operator::subtract, 0},
                                             {"*", Operator::multiply, 1},      {"/", Operator::divide, 1},
                                             {"//", Operator::floor_divide, 1}, {"%", Operator::remainder, 1},
                                             {"@", Operator::matmul, 1}};
constexpr int highest_precedence = 1;

struct RelationText {
  std::string_view text;
  Relation relation;
};
constexpr RelationText relations[] = {
    {"==", Relation::equal}, {"!=", Relation::not_equal},        {"<=", Relation::less_or_equal},
    {"<", Relation::less},   {">=", Relation::greater_or_equal}, {">", Relation::greater},
    {"in", Relation::in}};

const InfixOperator* infix_operator(std::string_view text, int precedence) {
  for (const InfixOperator& each : infix_operators)
    if (each.text == text && each.precedence == precedence) return &each;
  return nullptr;
}

}  // namespace

ExpressionParser::Level::Level(ExpressionParser& parser) : parser_(parser) {
  if (++parser.depth_ > max_levels) fail_at(parser.next().place, "nested_too_deep", max_levels);
}

bool ExpressionParser::next_is(std::string_view text) const {
  return (next_is(TokenKind::keyword) || next_is(TokenKind::symbol)) && next().text == text;
}

Token ExpressionParser::take() {
  if (next_is(TokenKind::newline)) links_ = 0;
  return tokens_[next_is(TokenKind::end) ? at_ : at_++];
}

bool ExpressionParser::take_if(std::string_view text) {
  if (!next_is(text)) return false;
  take();
  return true;
}

Place ExpressionParser::expect(std::string_view text, const MessageArgument& what) {
  if (!next_is(text)) fail_at(next().place, "sign_missing", what, text);
  return take().place;
}

Symbol ExpressionParser::name(const MessageArgument& what) {
  if (next_is(TokenKind::keyword)) fail_at(next().place, "name_is_reserved", next().text);
  if (!next_is(TokenKind::name)) fail_at(next().place, "name_missing", what);
  return names_.symbol_of(take().text);
}

void ExpressionParser::refuse() const {
  const Token& token = next();
  switch (token.kind) {
    case TokenKind::end:
    case TokenKind::newline:
      fail_at(token.place, "line_ends_early");
    case TokenKind::indent:
      fail_at(token.place, "line_is_indented");
    case TokenKind::dedent:
      fail_at(token.place, "block_ends_early");
    default:
      fail_at(token.place, "sign_out_of_place", token.text);
  }
}

void ExpressionParser::count_link(int& links) {
  if (++links > max_links) fail_at(next().place, "too_many_operations_in_row", max_links);
  if (++links_ > max_links_of_line) fail_at(next().place, "too_many_operations_on_line", max_links_of_line);
}

bool ExpressionParser::ends_expressions() const {
  for (const std::string_view text : {")", "]", "=", ":"})
    if (next_is(text)) return true;
  return next_is(TokenKind::newline) || next_is(TokenKind::end) || next_is("in");
}

ExpressionPtr ExpressionParser::expressions() {
  const Place place = next().place;
  ExpressionPtr first = expression();
  if (!next_is(",")) return first;
  Sequence tuple{{}, true};
  tuple.items.push_back(std::move(first));
  while (take_if(",") && !ends_expressions()) tuple.items.push_back(expression());
  return make(place, std::move(tuple));
}

ExpressionPtr ExpressionParser::expression() {
  const Level level(*this);
  ExpressionPtr value = disjunction();
  const Place place = next().place;
  if (!take_if("if")) return value;
  ExpressionPtr condition = disjunction();
  expect("else", "… if … else …"sv);
  return make(place, Conditional{std::move(condition), std::move(value), expression()});
}

ExpressionPtr ExpressionParser::disjunction() {
  ExpressionPtr left = conjunction();
  for (int links = 0; next_is("or"); count_link(links)) {
    const Place place = take().place;
    left = make(place, Logical{true, std::move(left), conjunction()});
  }
  return left;
}

ExpressionPtr ExpressionParser::conjunction() {
  ExpressionPtr left = negation();
  for (int links = 0; next_is("and"); count_link(links)) {
    const Place place = take().place;
    left = make(place, Logical{false, std::move(left), negation()});
  }
  return left;
}

ExpressionPtr ExpressionParser::negation() {
  if (!next_is("not")) return comparison();
  const Level level(*this);
  const Place place = take().place;
  return make(place, Not{negation()});
}

bool ExpressionParser::relation(Relation& found) {
  if (take_if("is")) {
    found = take_if("not") ? Relation::is_not : Relation::is;
    return true;
  }
  if (take_if("not")) {
    expect("in", "not"sv);
    found = Relation::not_in;
    return true;
  }
  for (const RelationText& each : relations)
    if (take_if(each.text)) {
      found = each.relation;
      return true;
    }
  return false;
}

ExpressionPtr ExpressionParser::comparison() {
  ExpressionPtr first = binary(0);
  const Place place = next().place;
  Comparison chain{std::move(first), {}};
  for (Relation found; relation(found);) chain.rest.emplace_back(found, binary(0));
  if (chain.rest.empty()) return std::move(chain.first);
  return make(place, std::move(chain));
}

ExpressionPtr ExpressionParser::binary(int precedence) {
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

ExpressionPtr ExpressionParser::sign() {
  const Level level(*this);
  if (take_if("+")) return sign();
  if (!next_is("-")) return power();
  const Place place = take().place;
  return make(place, Negative{sign()});
}

// Binds more tightly than a sign on its left and less than one on its right: -2 ** -1 is -(2 ** (-1)).
ExpressionPtr ExpressionParser::power() {
  ExpressionPtr base = primary();
  if (!next_is("**")) return base;
  const Place place = take().place;
  return make(place, Binary{Operator::power, std::move(base), sign()});
}

ExpressionPtr ExpressionParser::primary() {
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

std::vector<Argument> ExpressionParser::arguments() {
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

std::vector<Subscript> ExpressionParser::subscripts() {
  std::vector<Subscript> all;
  while (!next_is("]")) {
    all.push_back(subscript());
    if (!take_if(",")) break;
  }
  if (all.empty()) fail_at(next().place, "index_missing");
  expect("]", phrase("an_index"));
  return all;
}

Subscript ExpressionParser::subscript() {
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

}  // namespace unroll::program
