// Statements that have blocks, apart from definitions.
#include "engine/program/parser.h"

namespace unroll::program {

using namespace std::literals;

void Parser::statement(Block& block) {
  if (std::optional<Statement> compound = compound_statement())
    block.push_back(std::move(*compound));
  else
    simple_statements(block);
}

std::optional<Statement> Parser::compound_statement() {
  const Place place = next().place;
  if (next_is("@")) return decorated();
  if (take_if("def")) return Statement{place, definition(place)};
  if (take_if("class")) return Statement{place, class_definition(place)};
  if (take_if("if")) return Statement{place, branches()};
  if (take_if("while")) return Statement{place, while_loop()};
  if (take_if("for")) return Statement{place, for_loop()};
  if (take_if("with")) return Statement{place, with_statement()};
  if (take_if("try")) return try_statement(place);
  if (take_if("async")) return async_statement(place);
  if (is_match()) return Statement{place, match_statement()};
  return std::nullopt;
}

Block Parser::block(std::string_view what) {
  const Level level(*this);
  if (next_is("=")) fail_at(next().place, "equals_in_condition");
  if (what == "else" && next_is("if")) fail_at(next().place, "else_if");
  expect(":", what);
  Block body;
  if (!next_is(TokenKind::newline)) {
    simple_statements(body);
    return body;
  }
  take();
  if (!next_is(TokenKind::indent)) fail_at(next().place, "block_missing", what);
  take();
  while (!next_is(TokenKind::dedent)) statement(body);
  take();
  return body;
}

If Parser::branches() {
  If statement;
  do {
    ExpressionPtr condition = named_expression();
    statement.branches.emplace_back(std::move(condition), block("if"));
  } while (take_if("elif"));
  if (take_if("else")) statement.otherwise = block("else");
  return statement;
}

Block Parser::loop_body(std::string_view what) {
  ++frame_->loops;
  Block body = block(what);
  --frame_->loops;
  return body;
}

While Parser::while_loop() {
  ExpressionPtr condition = named_expression();
  While loop{std::move(condition), loop_body("while"), {}};
  if (take_if("else")) loop.otherwise = block("else");
  return loop;
}

For Parser::for_loop() {
  For loop{loop_targets(), {}, {}, {}};
  expect("in", "for"sv);
  loop.iterable = expressions();
  loop.body = loop_body("for");
  if (take_if("else")) loop.otherwise = block("else");
  return loop;
}

ExpressionPtr Parser::loop_targets() {
  const Place place = next().place;
  if (next_is(TokenKind::keyword)) name("for"sv);  // refuses it
  Sequence targets{{}, true};
  bool is_single = true;
  do {
    if (next_is("in")) break;
    const Place star = next().place;
    if (take_if("*"))
      targets.items.push_back(make(star, Starred{primary()}));
    else
      targets.items.push_back(primary());
    is_single = !next_is(",") && targets.items.size() == 1;
  } while (take_if(","));
  if (is_single && std::holds_alternative<Starred>(targets.items[0]->node)) fail_at(place, "star_alone");
  ExpressionPtr all = is_single ? std::move(targets.items[0]) : make(place, std::move(targets));
  check_target(*all, TargetKind::assign);
  return all;
}

With Parser::with_statement() {
  With with;
  const bool is_in_parentheses = is_with_in_parentheses();
  if (is_in_parentheses) take();
  do {
    if (is_in_parentheses && next_is(")")) break;
    with_item(with);
  } while (take_if(","));
  if (is_in_parentheses) expect(")", "with"sv);
  with.body = block("with");
  return with;
}

void Parser::with_item(With& with) {
  ExpressionPtr value = expression(), target;
  if (take_if("as")) {
    target = primary();
    check_target(*target, TargetKind::assign);
  }
  with.items.emplace_back(std::move(value), std::move(target));
}

// Whether the parenthesis here encloses the items, not one of them: with (a as b, c): …
bool Parser::is_with_in_parentheses() const {
  if (!next_is("(")) return false;
  bool has_several = false, has_other = false;
  int brackets = 0;
  std::size_t at = at_;
  do {
    const Token& token = tokens_[at++];
    for (const std::string_view open : {"(", "[", "{"}) brackets += is_sign(token, open);
    for (const std::string_view close : {")", "]", "}"}) brackets -= is_sign(token, close);
    has_several |= brackets == 1 && (is_sign(token, ",") || is_sign(token, "as"));
    has_other |= brackets == 1 && (is_sign(token, ":=") || is_sign(token, "for") || is_sign(token, "yield"));
  } while (brackets > 0 && at < tokens_.size());
  return brackets == 0 && at < tokens_.size() && is_sign(tokens_[at], ":") && has_several && !has_other;
}

Statement Parser::try_statement(const Place& place) {
  Try node{block("try"), {}, {}, {}};
  std::optional<Place> star;  // of except*
  while (next_is("except")) {
    Try::Handler handler{take().place, {}, {}, {}};
    if (!node.handlers.empty() && !node.handlers.back().type) fail_at(node.handlers.back().place, "except_is_not_last");
    const bool is_starred = take_if("*");
    if (is_starred) star = handler.place;
    if (is_starred || !next_is(":")) handler.type = expression();
    if (handler.type && take_if("as")) handler.symbol = name("as"sv);
    handler.body = block("except");
    node.handlers.push_back(std::move(handler));
  }
  if (!node.handlers.empty() && take_if("else")) node.otherwise = block("else");
  if (take_if("finally"))
    node.last = block("finally");
  else if (node.handlers.empty())
    fail_at(next().place, "try_without_except");
  if (star) return {*star, Unsupported{"except_star_is_not_in_language", "except*"}};
  return {place, std::move(node)};
}

// match is a name, too: here it begins a line that ends with a colon, and below is a case.
bool Parser::is_match() const {
  if (!next_is(TokenKind::name) || next().text != "match") return false;
  std::size_t at = at_;
  while (tokens_[at].kind != TokenKind::newline && tokens_[at].kind != TokenKind::end) ++at;
  return at + 2 < tokens_.size() && at > at_ + 1 && is_sign(tokens_[at - 1], ":") &&
         tokens_[at + 1].kind == TokenKind::indent && tokens_[at + 2].text == "case";
}

Unsupported Parser::match_statement() {
  take();
  starred_or_named();
  while (take_if(",") && !next_is(":")) starred_or_named();
  expect(":", "match"sv);
  take(), take();  // the line and the indentation
  const Level level(*this);
  while (!next_is(TokenKind::dedent)) {
    if (!next_is(TokenKind::name) || take().text != "case") refuse();
    for (int brackets = 0; !next_is(TokenKind::newline) && !(brackets == 0 && next_is(":")); take()) {
      for (const std::string_view open : {"(", "[", "{"}) brackets += next_is(open);
      for (const std::string_view close : {")", "]", "}"}) brackets -= next_is(close);
    }
    block("case");
  }
  take();
  return {"match_is_not_in_language", "match"};
}

// Within a function that is refused as a whole, so that it may be read like the others.
Statement Parser::async_statement(const Place& place) {
  if (take_if("def")) return {place, definition(place, true)};
  if (!frame_->is_async && (next_is("for") || next_is("with"))) fail_at(place, "word_outside_async", "async"sv);
  if (take_if("for")) return {place, for_loop()};
  if (take_if("with")) return {place, with_statement()};
  refuse();
}

}  // namespace unroll::program
