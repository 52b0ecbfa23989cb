// Calls: which argument goes to which parameter, and the functions of the program.
#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/program/arithmetic.h"
#include "engine/program/interpreter.h"
#include "engine/program/signature.h"
#include "engine/program/spelling.h"

namespace unroll::program {
namespace {

constexpr std::size_t max_calls = 50;  // within each other

}  // namespace

Value Interpreter::evaluate(const Call& node, const Expression& at) {
  if (const auto* attribute = std::get_if<Attribute>(&node.callee->node)) {
    const Value object = evaluate(*attribute->object);
    const Place& place = node.callee->place;
    if (const Builtin* method = method_of(object, attribute->name, place)) {
      std::vector<PassedArgument> passed = evaluated(node.arguments);
      passed.insert(passed.begin(), PassedArgument{"", object, attribute->object->place});
      return call(*method, std::move(passed), place);
    }
  }
  const Value callee = evaluate(*node.callee);
  if (const auto* function = callee.as<const Function*>()) return call(**function, evaluated(node.arguments), at.place);
  if (const auto* builtin = callee.as<const Builtin*>()) return call(**builtin, evaluated(node.arguments), at.place);
  fail_at(at.place, "value_is_not_callable", described(callee));
}

std::vector<Interpreter::PassedArgument> Interpreter::evaluated(const std::vector<Argument>& arguments) {
  std::vector<PassedArgument> all;
  for (const Argument& each : arguments) all.push_back({each.name, evaluate(*each.value), each.value->place});
  return all;
}

Value Interpreter::call(const Function& function, std::vector<PassedArgument> passed, const Place& place) {
  std::vector<std::optional<Value>> locals(function.locals.size());
  const std::size_t count = function.parameters.size();
  std::vector<std::string> names;
  for (const ParameterName& each : function.parameters) names.push_back(program_.names[each.symbol]);
  std::size_t next = 0;
  for (PassedArgument& each : passed) {
    const std::size_t i = each.name.empty() ? next++ : index_of(each.name, names, function.name, each.place);
    if (i >= count) fail_at(each.place, "function_takes_fewer_arguments", function.name, count);
    if (locals[i]) fail_at(each.place, "argument_twice", function.name, names[i]);
    locals[i] = std::move(each.value);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!locals[i]) locals[i] = fallbacks_[&function][i];
    if (!locals[i]) fail_at(place, "call_needs_value", function.name, names[i]);
  }
  return enter(function, std::move(locals), place);
}

Value Interpreter::call(const Function& function, std::vector<Value> arguments) {
  std::vector<PassedArgument> passed;
  for (Value& each : arguments) passed.push_back({"", std::move(each), function.place});
  return call(function, std::move(passed), function.place);
}

Value Interpreter::call(const Value& callee, std::vector<Value> arguments, const Place& place) {
  std::vector<PassedArgument> passed;
  for (Value& each : arguments) passed.push_back({"", std::move(each), place});
  if (const auto* function = callee.as<const Function*>()) return call(**function, std::move(passed), place);
  if (const auto* builtin = callee.as<const Builtin*>()) return call(**builtin, std::move(passed), place);
  fail_at(place, "value_is_not_callable", described(callee));
}

Value Interpreter::enter(const Function& function, std::vector<std::optional<Value>> locals, const Place& place) {
  if (frames_.size() > max_calls) fail_at(place, "calls_too_deep", max_calls, function.name);
  account_.items(locals.size(), place);
  std::optional<Scope> scope;  // the model itself is no part of one
  if (!frames_.empty() && frames_.back().function) scope.emplace(function.name, site_of(place));
  frames_.push_back({&function, std::move(locals), {}, {}});
  run(function.body);
  const Value result = std::move(frames_.back().result);
  frames_.pop_back();
  return result;
}

Value Interpreter::call(const Builtin& callee, std::vector<PassedArgument> passed, const Place& place) {
  const Signature& signature = signature_of(callee);
  std::vector<std::optional<Value>> bound(signature.names.size());
  std::vector<Value> rest;
  std::size_t next = 0;
  for (PassedArgument& each : passed) {
    const std::size_t fixed = signature.names.size() - (signature.takes_rest ? 1 : 0);
    if (each.name.empty() && next >= fixed && signature.takes_rest) {
      rest.push_back(std::move(each.value));
      continue;
    }
    const std::size_t i =
        each.name.empty() ? next++ : index_of(modern(each.name), signature.names, std::string(callee.name), each.place);
    if (i >= bound.size()) fail_at(each.place, "call_has_too_many_arguments", callee.name, callee.parameters);
    if (bound[i]) fail_at(each.place, "argument_twice", callee.name, signature.names[i]);
    bound[i] = std::move(each.value);
  }
  if (signature.takes_rest && !bound.back()) bound.back() = tuple_of(std::move(rest));
  std::vector<Value> values;
  for (std::size_t i = 0; i < bound.size(); ++i) {
    if (!bound[i]) bound[i] = signature.fallbacks[i];
    if (!bound[i])
      fail_at(place, signature.names[i] == "dim" ? "operation_needs_dim" : "operation_needs_value", callee.name,
              callee.parameters, signature.names[i]);
    values.push_back(std::move(*bound[i]));
  }
  return run_builtin(callee, Arguments(*this, callee, place, std::move(values)));
}

// An error of an engine operation gets the place of the call.
Value Interpreter::run_builtin(const Builtin& callee, const Arguments& arguments) {
  arguments.count_values();
  try {
    return callee.call(arguments);
  } catch (const Error& error) {
    if (error.code == ErrorCode::program) throw;
    throw Error(ErrorCode::program, error.message, arguments.place);
  }
}

}  // namespace unroll::program
