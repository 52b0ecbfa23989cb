// Expressions: operators, calls, indices.
#include "engine/program/parser.h"

namespace unroll::program {

using namespace std::literals;

namespace {

struct InfixOperator {
  std::string_view text;
  Operator operation;
  int precedence;
};
constexpr InfixOperator infix_operators[] = {
    {"|", Operator::bit_or, 0},        {"^", Operator::bit_xor, 1},      {"&", Operator::bit_and, 2},
    {"<<", Operator::shift_left, 3},   {">>", Operator::shift_right, 3}, {"+", Operator::add, 4},
    {"-", Operator::subtract, 4},      {"*", Operator::multiply, 5},     {"/", Operator::divide, 5},
    {"//", Operator::floor_divide, 5}, {"%", Operator::remainder, 5},    {"@", Operator::matmul, 5}};

constexpr std::pair<std::string_view, Relation> relations[] = {
    {"==", Relation::equal}, {"!=", Relation::not_equal},        {"<=", Relation::less_or_equal},
    {"<", Relation::less},   {">=", Relation::greater_or_equal}, {">", Relation::greater},
    {"in", Relation::in}};

const InfixOperator* infix_operator(const Token& token) {
  if (token.kind != TokenKind::symbol) return nullptr;
  const auto* found = std::ranges::find(infix_operators, token.text, &InfixOperator::text);
  return found == std::end(infix_operators) ? nullptr : found;
}

}  // namespace

ExpressionPtr Parser::expressions() {
  const Place place = next().place;
  ExpressionPtr first = starred_or_expression();
  if (!next_is(",")) {
    if (std::holds_alternative<Starred>(first->node)) fail_at(place, "star_alone");
    return first;
  }
  Sequence tuple{{}, true};
  tuple.items.push_back(std::move(first));
  while (take_if(",") && !ends_expressions()) tuple.items.push_back(starred_or_expression());
  return make(place, std::move(tuple));
}

bool Parser::ends_expressions() const {
  for (const std::string_view text : {")", "]", "}", "=", ":", ";", "in"})
    if (next_is(text)) return true;
  return next_is(TokenKind::newline) || next_is(TokenKind::end);
}

ExpressionPtr Parser::expressions_or_yield() { return next_is("yield") ? yield_expression() : expressions(); }

ExpressionPtr Parser::starred_or_expression() {
  const Place place = next().place;
  return take_if("*") ? make(place, Starred{unpacked()}) : expression();
}

ExpressionPtr Parser::unpacked() {
  const Level level(*this);
  return binary();
}

ExpressionPtr Parser::starred_or_named() {
  const Place place = next().place;
  return take_if("*") ? make(place, Starred{unpacked()}) : named_expression();
}

ExpressionPtr Parser::named_expression() {
  const Place place = next().place;
  if (next_is(TokenKind::name) && is_sign(after_next(), ":=")) {
    const Symbol symbol = name("walrus"sv);
    take();
    walruses_.emplace_back(symbol, place);
    return make(place, Walrus{symbol, expression()});
  }
  ExpressionPtr value = expression();
  if (next_is(":=")) fail_at(next().place, "walrus_out_of_place");
  return value;
}

ExpressionPtr Parser::expression() {
  const Level level(*this);
  if (next_is("lambda")) return lambda();
  ExpressionPtr value = disjunction();
  const Place place = next().place;
  if (!take_if("if")) return value;
  ExpressionPtr condition = disjunction();
  expect("else", "… if … else …"sv);
  return make(place, Conditional{std::move(condition), std::move(value), expression()});
}

// Only noted: a function that has a yield is refused as a whole.
ExpressionPtr Parser::yield_expression() {
  const Place place = take().place;
  if (frame_->kind != Frame::Kind::function) fail_at(place, "word_outside_function", "yield"sv);
  if (!frame_->first_yield) frame_->first_yield = place;
  if (take_if("from"))
    expression();
  else if (!ends_expressions())
    expressions();
  return make(place, Unsupported{"yield_is_not_in_language", "yield"});
}

ExpressionPtr Parser::disjunction() { return logical("or", &Parser::conjunction); }

ExpressionPtr Parser::conjunction() { return logical("and", &Parser::negation); }

ExpressionPtr Parser::logical(std::string_view word, ExpressionPtr (Parser::*operand)()) {
  ExpressionPtr left = (this->*operand)();
  for (int links = 0; next_is(word); count_link(links)) {
    const Place place = take().place;
    left = make(place, Logical{word == "or", std::move(left), (this->*operand)()});
  }
  return left;
}

ExpressionPtr Parser::negation() {
  if (!next_is("not")) return comparison();
  const Level level(*this);
  const Place place = take().place;
  return make(place, Unary{Unary::Kind::is_not, negation()});
}

std::optional<Relation> Parser::relation() {
  if (take_if("is")) return take_if("not") ? Relation::is_not : Relation::is;
  if (take_if("not")) {
    expect("in", "not"sv);
    return Relation::not_in;
  }
  for (const auto& [text, relation] : relations)
    if (take_if(text)) return relation;
  return std::nullopt;
}

ExpressionPtr Parser::comparison() {
  ExpressionPtr first = binary();
  const Place place = next().place;
  Comparison chain{std::move(first), {}};
  while (const std::optional<Relation> found = relation()) chain.rest.emplace_back(*found, binary());
  if (chain.rest.empty()) return std::move(chain.first);
  return make(place, std::move(chain));
}

void Parser::count_link(int& links) {
  constexpr int max_links = 200, max_height = 1000;
  if (++links > max_links) fail_at(next().place, "too_many_operations_in_row", max_links);
  if (++height_ > max_height) fail_at(next().place, "too_many_operations_within_another", max_height);
}

ExpressionPtr Parser::binary(int precedence) {
  ExpressionPtr left = sign();
  int links = 0;
  while (const InfixOperator* found = infix_operator(next())) {
    if (found->precedence < precedence) break;
    const Place place = take().place;
    left = make(place, Binary{found->operation, std::move(left), binary(found->precedence + 1)});
    count_link(links);
  }
  return left;
}

ExpressionPtr Parser::sign() {
  const bool is_negative = next_is("-");
  if (!is_negative && !next_is("+") && !next_is("~")) {
    const Height height(*this);
    return power();
  }
  const Level level(*this);
  const Token token = take();
  const Unary::Kind kind = is_negative         ? Unary::Kind::negative
                           : token.text == "+" ? Unary::Kind::positive
                                               : Unary::Kind::invert;
  return make(token.place, Unary{kind, sign()});
}

// Binds more tightly than a sign on its left and less than one on its right: -2 ** -1 is -(2 ** (-1)).
ExpressionPtr Parser::power() {
  ExpressionPtr base = awaited();
  if (!next_is("**")) return base;
  const Level level(*this);
  const Place place = take().place;
  return make(place, Binary{Operator::power, std::move(base), sign()});
}

ExpressionPtr Parser::awaited() {
  if (!next_is("await")) return primary();
  const Place place = take().place;
  if (!frame_->is_async) fail_at(place, "word_outside_async", "await"sv);
  primary();
  return make(place, Unsupported{"async_is_not_in_language", "await"});
}

ExpressionPtr Parser::primary() {
  ExpressionPtr value = atom();
  for (int links = 0;; count_link(links)) {
    const Place place = next().place;
    if (take_if("(")) {
      const Place callee = value->place;
      value = make(callee, Call{std::move(value), arguments()});
    } else if (take_if("[")) {
      value = make(place, index(std::move(value)));
    } else if (take_if(".")) {
      if (!next_is(TokenKind::name)) fail_at(next().place, "name_missing_after_point");
      value = make(place, Attribute{std::move(value), mangled(take().text)});
    } else {
      return value;
    }
  }
}

std::vector<Argument> Parser::arguments() {
  CallArguments call;
  while (!next_is(")")) {
    argument(call);
    if (!take_if(",")) break;
  }
  expect(")", phrase("a_call"));
  return std::move(call.all);
}

void Parser::argument(CallArguments& call) {
  const Place place = next().place;
  if (take_if("**")) {
    call.has_entries = true;
    return void(call.all.push_back({{}, expression(), Argument::Kind::entries}));
  }
  if (next_is(TokenKind::name) && is_sign(after_next(), "=")) {
    std::string name = take().text;
    take();
    if (!call.names.insert(name).second) fail_at(place, "argument_name_twice", name);
    return void(call.all.push_back({std::move(name), expression()}));
  }
  const bool is_starred = next_is("*");
  if (call.has_entries || (!call.names.empty() && !is_starred)) fail_at(place, "unnamed_argument_after_named");
  if (take_if("*")) return void(call.all.push_back({{}, expression(), Argument::Kind::items}));
  const std::size_t walruses = walruses_.size();
  ExpressionPtr value = named_expression();
  if (begins_clause()) {
    value = comprehension(place, {Comprehension::Kind::generator, {}, {}, std::move(value), {}}, walruses);
    if (!call.all.empty() || !next_is(")")) fail_at(place, "generator_needs_parentheses");
  }
  call.all.push_back({{}, std::move(value)});
}

Index Parser::index(ExpressionPtr object) {
  Index node{std::move(object), {}, false};
  while (!next_is("]")) {
    node.is_tuple |= next_is("*") || !node.subscripts.empty();
    node.subscripts.push_back(subscript());
    if (!take_if(",")) break;
    node.is_tuple = true;
  }
  if (node.subscripts.empty()) fail_at(next().place, "index_missing");
  expect("]", phrase("an_index"));
  return node;
}

Subscript Parser::subscript() {
  const auto part = [&] { return next_is(":") || next_is(",") || next_is("]") ? nullptr : expression(); };
  const bool is_part = next_is(":") || (!next_is("*") && !is_sign(after_next(), ":="));
  ExpressionPtr start = next_is(":") ? nullptr : starred_or_named();
  if (!is_part || !take_if(":")) {
    if (std::holds_alternative<Ellipsis>(start->node)) return Ellipsis{};
    return start;
  }
  Slice slice{std::move(start), part(), nullptr};
  if (take_if(":")) slice.step = part();
  return slice;
}

}  // namespace unroll::program
