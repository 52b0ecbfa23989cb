// Functions, classes and lambdas, and the names that belong to each.
#include "engine/program/bindings.h"
#include "engine/program/parser.h"

namespace unroll::program {

using namespace std::literals;

Statement Parser::decorated() {
  std::vector<ExpressionPtr> decorators;
  while (take_if("@")) {
    decorators.push_back(named_expression());
    end_of_line();
  }
  const Place place = next().place;
  const bool is_async = take_if("async");
  if (!is_async && take_if("class")) {
    DefineClass node = class_definition(place);
    node.decorators = std::move(decorators);
    return {place, std::move(node)};
  }
  expect("def", phrase("a_decorator"));
  Define node = definition(place, is_async);
  node.decorators = std::move(decorators);
  return {place, std::move(node)};
}

Define Parser::definition(const Place& place, bool is_async) {
  auto function = std::make_shared<Function>();
  function->place = place;
  function->program = &program_;
  function->name = word("def"sv);
  function->symbol = symbol_of(function->name);
  expect("(", "def"sv);
  parameters(*function, ")", true);
  expect(")", "def"sv);
  if (take_if("->")) forget_type();
  Frame frame{Frame::Kind::function, frame_, is_async};
  frame_ = &frame;
  function->body = block("def");
  frame_ = frame.around;
  close(frame, *function, function->body);
  // Refused when it is called: what runs before a yield must not run without what comes after it.
  if (is_async || frame.first_yield) {
    const Unsupported refusal = is_async ? Unsupported{"async_is_not_in_language", "async def"}
                                         : Unsupported{"yield_is_not_in_language", "yield"};
    function->body.clear();
    function->body.push_back({is_async ? place : *frame.first_yield, refusal});
  }
  return {std::move(function), {}};
}

ExpressionPtr Parser::lambda() {
  const Place place = take().place;
  auto function = std::make_shared<Function>();
  function->place = place;
  function->program = &program_;
  function->name = "<lambda>";
  parameters(*function, ":", false);
  expect(":", "lambda"sv);
  Frame frame{Frame::Kind::function, frame_};
  frame_ = &frame;
  const Place start = next().place;
  ExpressionPtr value = expression();
  frame_ = frame.around;
  if (frame.first_yield)
    function->body.push_back({*frame.first_yield, Unsupported{"yield_is_not_in_language", "yield"}});
  else
    function->body.push_back({start, Return{std::move(value)}});
  close(frame, *function, function->body);
  return make(place, Lambda{std::move(function)});
}

DefineClass Parser::class_definition(const Place& place) {
  auto definition = std::make_shared<ClassDefinition>();
  definition->place = place;
  definition->program = &program_;
  definition->name = word("class"sv);
  definition->symbol = symbol_of(definition->name);
  if (take_if("(")) definition->bases = arguments();
  Frame frame{Frame::Kind::type, frame_};
  frame_ = &frame;
  const std::size_t letters = definition->name.find_first_not_of('_');
  const std::string around =
      std::exchange(class_name_, letters == std::string::npos ? std::string() : definition->name.substr(letters));
  definition->body = block("class");
  class_name_ = around;
  frame_ = frame.around;
  close(frame, *definition, definition->body);
  return {std::move(definition), {}};
}

void Parser::parameters(Function& function, std::string_view end, bool has_types) {
  using Kind = ParameterName::Kind;
  bool is_after_star = false, is_after_slash = false;
  std::optional<Place> bare_star;  // * alone, as long as no name follows
  while (!next_is(end)) {
    const Place place = next().place;
    const std::vector<ParameterName>& before = function.parameters;
    if (!before.empty() && before.back().kind == Kind::entries) fail_at(place, "parameter_after_entries");
    if (take_if("/")) {
      if (before.empty() || is_after_star || is_after_slash) fail_at(place, "sign_out_of_place", "/"sv);
      is_after_slash = true;
    } else if (take_if("**")) {
      parameter(function, Kind::entries, has_types);
    } else if (take_if("*")) {
      if (is_after_star) fail_at(place, "sign_out_of_place", "*"sv);
      is_after_star = true;
      if (next_is(",") || next_is(end))
        bare_star = place;
      else
        parameter(function, Kind::rest, has_types);
    } else {
      parameter(function, is_after_star ? Kind::by_name_only : Kind::plain, has_types);
      bare_star.reset();
    }
    if (!take_if(",")) break;
  }
  if (bare_star) fail_at(*bare_star, "star_needs_parameter");
}

void Parser::parameter(Function& function, ParameterName::Kind kind, bool has_type) {
  using Kind = ParameterName::Kind;
  const Place place = next().place;
  const Symbol symbol = name(phrase("a_parameter"));
  if (function.place_of_local.contains(symbol)) fail_at(place, "parameter_name_twice", program_.names[symbol]);
  if (has_type && take_if(":")) forget_type(kind == Kind::rest);
  ParameterName parameter{symbol, place, nullptr, kind};
  if (next_is("=") && (kind == Kind::rest || kind == Kind::entries))
    fail_at(next().place, "star_parameter_with_default");
  if (take_if("=")) parameter.fallback = expression();
  const std::vector<ParameterName>& before = function.parameters;
  if (kind == Kind::plain && !parameter.fallback && !before.empty() && before.back().fallback)
    fail_at(place, "parameter_without_default_after_default");
  function.parameters.push_back(std::move(parameter));
  function.add_local(symbol);
}

// Types say nothing to the language; they are read so that what follows is found.
void Parser::forget_type(bool may_be_starred) {
  const std::size_t walruses = walruses_.size();
  if (may_be_starred && take_if("*"))
    binary();
  else
    expression();
  walruses_.resize(walruses);
}

void Parser::close(const Frame& frame, Scope& scope, const Block& body) {
  for (const auto& [symbol, declared] : frame.declared) {
    if (scope.place_of_local.contains(symbol)) fail_at(declared.place, "parameter_is_declared", program_.names[symbol]);
    if (!declared.is_global) frame.around->free_variables.emplace_back(symbol, declared.place);
  }
  for_each_bound(body, [&](Symbol symbol, const Place& place) {
    const auto declared = frame.declared.find(symbol);
    if (declared == frame.declared.end()) return scope.add_local(symbol);
    const Place& later = declared->second.place;
    if (std::pair(place.line, place.column) < std::pair(later.line, later.column))
      fail_at(later, "name_is_bound_before_declaration", program_.names[symbol]);
  });
  for (const auto& [symbol, declared] : frame.declared)
    if (declared.is_global) scope.globals.push_back(symbol);
  for (const auto& [symbol, place] : frame.free_variables)
    if (frame.kind != Frame::Kind::function || !scope.place_of_local.contains(symbol))
      frame.around->free_variables.emplace_back(symbol, place);
}

}  // namespace unroll::program
