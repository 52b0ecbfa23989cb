// Statements of one line.
#include "engine/program/parser.h"

namespace unroll::program {

using namespace std::literals;

namespace {

constexpr std::pair<std::string_view, Operator> update_operators[] = {
    {"+=", Operator::add},         {"-=", Operator::subtract},      {"*=", Operator::multiply},
    {"/=", Operator::divide},      {"//=", Operator::floor_divide}, {"%=", Operator::remainder},
    {"**=", Operator::power},      {"@=", Operator::matmul},        {"&=", Operator::bit_and},
    {"|=", Operator::bit_or},      {"^=", Operator::bit_xor},       {"<<=", Operator::shift_left},
    {">>=", Operator::shift_right}};

}  // namespace

// One or several with semicolons between them.
void Parser::simple_statements(Block& block) {
  do block.push_back(simple_statement());
  while (take_if(";") && !next_is(TokenKind::newline));
  end_of_line();
}

void Parser::end_of_line() {
  if (next_is(TokenKind::newline)) return void(take());
  const Token& before = tokens_[at_ > 0 ? at_ - 1 : 0];
  if (before.kind == TokenKind::name && (before.text == "print" || before.text == "exec"))
    fail_at(next().place, "call_without_parentheses", before.text);
  if (next_is(":=")) fail_at(next().place, "walrus_out_of_place");
  refuse();
}

Statement Parser::simple_statement() {
  const Place place = next().place;
  if (take_if("pass")) return {place, Jump{Flow::next}};
  if (next_is("return")) return return_statement();
  if (next_is("break") || next_is("continue")) return loop_exit();
  if (next_is("global") || next_is("nonlocal")) return declaration();
  if (take_if("del")) return {place, del_statement()};
  if (take_if("assert")) return {place, assert_statement()};
  if (take_if("raise")) return {place, raise_statement()};
  if (take_if("import")) return {place, import_statement()};
  if (take_if("from")) return {place, from_statement()};
  return assignment();
}

Statement Parser::return_statement() {
  const Place place = take().place;
  if (frame_->kind != Frame::Kind::function) fail_at(place, "word_outside_function", "return"sv);
  const bool has_value = !next_is(TokenKind::newline) && !next_is(";");
  return {place, Return{has_value ? expressions() : nullptr}};
}

Statement Parser::loop_exit() {
  const Token word = take();
  if (frame_->loops == 0) fail_at(word.place, "word_outside_loop", word.text);
  return {word.place, Jump{word.text == "break" ? Flow::leave_loop : Flow::next_round}};
}

// global x, y or nonlocal x, y.
Statement Parser::declaration() {
  const Token word = take();
  const bool is_global = word.text == "global";
  if (!is_global && frame_->kind == Frame::Kind::file) fail_at(word.place, "word_outside_function", word.text);
  do {
    const Place place = next().place;
    const auto [declared, is_new] = frame_->declared.try_emplace(name(word.text), Frame::Declaration{place, is_global});
    if (!is_new && declared->second.is_global != is_global)
      fail_at(place, "name_is_nonlocal_and_global", program_.names[declared->first]);
  } while (take_if(","));
  return {word.place, Jump{Flow::next}};
}

// target = target = value, target += value, target: type = value, or a value alone.
Statement Parser::assignment() {
  const Place place = next().place;
  ExpressionPtr first = expressions_or_yield();
  for (const auto& [text, operation] : update_operators)
    if (next_is(text)) {
      check_target(*first, TargetKind::update);
      take();
      return {place, Update{std::move(first), operation, expressions_or_yield()}};
    }
  if (next_is(":")) return {place, annotation(std::move(first))};
  if (!next_is("=")) return {place, Evaluate{std::move(first)}};
  Assign assign{{}, std::move(first)};
  while (take_if("=")) {
    check_target(*assign.value, TargetKind::assign);
    assign.targets.push_back(std::move(assign.value));
    assign.value = expressions_or_yield();
  }
  return {place, std::move(assign)};
}

Annotate Parser::annotation(ExpressionPtr target) {
  check_target(*target, TargetKind::annotate);
  take();
  forget_type();
  return {std::move(target), take_if("=") ? expressions_or_yield() : nullptr};
}

void Parser::check_target(const Expression& target, TargetKind kind) {
  if (std::get_if<Name>(&target.node) || std::get_if<Index>(&target.node) || std::get_if<Attribute>(&target.node))
    return;
  const auto* several = std::get_if<Sequence>(&target.node);
  if (several && kind == TargetKind::annotate) fail_at(target.place, "type_of_several_variables");
  if (!several || kind == TargetKind::update)
    fail_at(target.place, several ? "target_is_not_updatable" : "targets_are_not_assignable");
  int stars = 0;
  for (const ExpressionPtr& each : several->items) {
    const auto* starred = std::get_if<Starred>(&each->node);
    if (starred && (kind == TargetKind::remove || ++stars > 1)) fail_at(each->place, "two_stars_in_targets");
    check_target(starred ? *starred->value : *each, kind);
  }
}

Delete Parser::del_statement() {
  Delete del;
  do {
    if (!del.targets.empty() && (next_is(TokenKind::newline) || next_is(";"))) break;
    del.targets.push_back(primary());
    check_target(*del.targets.back(), TargetKind::remove);
  } while (take_if(","));
  return del;
}

Assert Parser::assert_statement() {
  ExpressionPtr condition = expression();
  return {std::move(condition), take_if(",") ? expression() : nullptr};
}

Raise Parser::raise_statement() {
  if (next_is(TokenKind::newline) || next_is(";")) return {};
  Raise raise{expression(), nullptr};
  if (take_if("from")) raise.cause = expression();
  return raise;
}

// a.b.c
std::string Parser::dotted_name(const MessageArgument& what) {
  std::string all = word(what);
  while (take_if(".")) all += "." + word(what);
  return all;
}

Import Parser::import_statement() {
  Import import;
  do {
    const std::string package = dotted_name("import"sv), first = package.substr(0, package.find('.'));
    if (take_if("as"))
      import.names.push_back({package, {}, name("as"sv), package});
    else
      import.names.push_back({first, {}, symbol_of(first), package});
  } while (take_if(","));
  return import;
}

Import Parser::from_statement() {
  std::string package;
  while (next_is(".") || next_is("...")) package += take().text;
  if (package.empty() || !next_is("import")) package += dotted_name("from"sv);
  expect("import", "from"sv);
  Import import;
  const Place place = next().place;
  if (take_if("*")) {
    if (frame_->kind != Frame::Kind::file) fail_at(place, "star_import_is_indented");
    import.names.push_back({package, "*", -1, package});
    return import;
  }
  const bool is_in_parentheses = take_if("(");
  do {
    if (is_in_parentheses && !import.names.empty() && next_is(")")) break;
    const std::string member = word("import"sv);
    import.names.push_back({package, member, take_if("as") ? name("as"sv) : symbol_of(member), package});
  } while (take_if(","));
  if (is_in_parentheses) expect(")", "import"sv);
  return import;
}

}  // namespace unroll::program
