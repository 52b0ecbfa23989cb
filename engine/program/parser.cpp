// The statements of a program, and the names in it.
#include "engine/program/expression_parser.h"

namespace unroll::program {

using namespace std::literals;

namespace {

// Statements of Python that this language lacks, and what to do instead: a phrase.
constexpr std::pair<std::string_view, const char*> missing[] = {
    {"class", "instead_of_class"},   {"import", "instead_of_import"},   {"from", "instead_of_import"},
    {"global", "instead_of_global"}, {"nonlocal", "instead_of_global"}, {"del", "instead_of_del"},
    {"with", "instead_of_with"},     {"try", "instead_of_try"},         {"raise", "instead_of_try"},
    {"assert", "instead_of_assert"}, {"yield", "instead_of_yield"},     {"async", "instead_of_async"},
};

constexpr std::pair<std::string_view, Operator> updates[] = {
    {"+=", Operator::add},           {"-=", Operator::subtract},  {"*=", Operator::multiply}, {"/=", Operator::divide},
    {"//=", Operator::floor_divide}, {"%=", Operator::remainder}, {"**=", Operator::power},   {"@=", Operator::matmul}};

class Parser : public ExpressionParser {
 public:
  using ExpressionParser::ExpressionParser;

  Block program() {
    Block all;
    while (!next_is(TokenKind::end)) all.push_back(statement());
    return all;
  }

 private:
  Statement statement() {
    const Place place = next().place;
    if (take_if("def")) return {place, definition(place)};
    if (take_if("if")) return {place, branches()};
    if (take_if("while")) return {place, while_loop()};
    if (take_if("for")) return {place, for_loop()};
    Statement simple = simple_statement();
    end_of_line();
    return simple;
  }

  Statement simple_statement() {
    const Place place = next().place;
    if (take_if("pass")) return {place, Jump{Flow::next}};
    if (next_is("return")) return {place, return_statement()};
    if (next_is("break") || next_is("continue")) return {place, loop_exit()};
    for (const auto& [word, instead] : missing)
      if (next_is(word)) fail_at(place, "word_is_not_in_language", word, phrase(instead));
    return assignment();
  }

  void end_of_line() {
    if (next_is(":=")) fail_at(next().place, "walrus");
    if (!next_is(TokenKind::newline)) refuse();
    take();
  }

  Return return_statement() {
    const Place place = take().place;
    if (!function_) fail_at(place, "return_outside_function");
    return {next_is(TokenKind::newline) ? nullptr : expressions()};
  }

  Jump loop_exit() {
    const Token word = take();
    if (loops_ == 0) fail_at(word.place, "word_outside_loop", word.text);
    return {word.text == "break" ? Flow::leave_loop : Flow::next_round};
  }

  // target = target = value, target += value, or a value alone.
  Statement assignment() {
    const Place place = next().place;
    ExpressionPtr first = expressions();
    for (const auto& [text, operation] : updates)
      if (next_is(text)) {
        check_target(*first, true);
        take();
        return {place, Update{std::move(first), operation, expressions()}};
      }
    if (next_is(":")) fail_at(next().place, "variable_with_type");
    if (!next_is("=")) return {place, Evaluate{std::move(first)}};
    Assign assign{{}, std::move(first)};
    while (take_if("=")) {
      check_target(*assign.value, false);
      assign.targets.push_back(std::move(assign.value));
      assign.value = expressions();
    }
    return {place, std::move(assign)};
  }

  // Refuses what cannot be assigned to, and notes which variables the function has.
  void check_target(const Expression& target, bool is_update) {
    if (const auto* name = std::get_if<Name>(&target.node)) return add_local(name->symbol);
    if (std::holds_alternative<Index>(target.node)) return;
    const auto* targets = std::get_if<Sequence>(&target.node);
    if (!targets || is_update || targets->items.empty())
      fail_at(target.place, is_update ? "target_is_not_updatable" : "targets_are_not_assignable");
    for (const ExpressionPtr& each : targets->items) check_target(*each, false);
  }

  void add_local(Symbol symbol) {
    if (function_) function_->add_local(symbol);
  }

  // A colon, and an indented block or one statement on the same line.
  Block block(std::string_view what) {
    const Level level(*this);
    expect(":", what);
    Block body;
    if (!next_is(TokenKind::newline)) {
      body.push_back(simple_statement());
      end_of_line();
      return body;
    }
    take();
    if (!next_is(TokenKind::indent)) fail_at(next().place, "block_missing", what);
    take();
    while (!next_is(TokenKind::dedent)) body.push_back(statement());
    take();
    return body;
  }

  If branches() {
    If statement;
    do {
      ExpressionPtr condition = expression();
      statement.branches.emplace_back(std::move(condition), block("if"));
    } while (take_if("elif"));
    if (take_if("else")) statement.otherwise = block("else");
    return statement;
  }

  Block loop_body(std::string_view what) {
    ++loops_;
    Block body = block(what);
    --loops_;
    if (next_is("else")) fail_at(next().place, "else_after_loop");
    return body;
  }

  While while_loop() {
    ExpressionPtr condition = expression();
    return {std::move(condition), loop_body("while")};
  }

  For for_loop() {
    ExpressionPtr target = loop_target();
    check_target(*target, false);
    expect("in", "for"sv);
    ExpressionPtr iterable = expressions();
    return {std::move(target), std::move(iterable), loop_body("for")};
  }

  Define definition(const Place& place) {
    if (depth() > 0) fail_at(place, "function_is_indented");
    auto function = std::make_shared<Function>();
    function->place = place;
    function->symbol = name("def"sv);
    function->name = names()[function->symbol];
    function_ = function.get();
    expect("(", "def"sv);
    while (!next_is(")")) {
      add_parameter(*function);
      if (!take_if(",")) break;
    }
    expect(")", "def"sv);
    if (next_is("->")) fail_at(next().place, "parameter_with_type");
    function->body = block("def");
    function_ = nullptr;
    return {std::move(function)};
  }

  void add_parameter(Function& function) {
    if (next_is("*") || next_is("**")) fail_at(next().place, "star_parameter");
    const Place place = next().place;
    const Symbol symbol = name(phrase("a_parameter"));
    for (const ParameterName& each : function.parameters)
      if (each.symbol == symbol) fail_at(place, "parameter_name_twice", names()[symbol]);
    if (next_is(":")) fail_at(next().place, "parameter_with_type");
    ExpressionPtr fallback = take_if("=") ? expression() : nullptr;
    if (!fallback && !function.parameters.empty() && function.parameters.back().fallback)
      fail_at(place, "parameter_without_default_after_default");
    function.parameters.push_back({symbol, place, std::move(fallback)});
    function.add_local(symbol);
  }

  Function* function_ = nullptr;  // whose body this is
  int loops_ = 0;                 // around this statement
};

}  // namespace

Program parse(std::string_view text) {
  if (text.size() > max_program_bytes) fail(ErrorCode::program, "program_too_long", text.size(), max_program_bytes);
  Program program;
  program.body = Parser(tokens_of(text), program.names).program();
  return program;
}

const Function* Program::last_function() const {
  for (auto each = body.rbegin(); each != body.rend(); ++each)
    if (const auto* definition = std::get_if<Define>(&each->node)) return definition->function.get();
  return nullptr;
}

Symbol Names::symbol_of(const std::string& name) {
  const auto [found, is_new] = symbols_.try_emplace(name, static_cast<Symbol>(all_.size()));
  if (is_new) all_.push_back(name);
  return found->second;
}

}  // namespace unroll::program
