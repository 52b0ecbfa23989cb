// Calls: which argument goes to which parameter.
#include <algorithm>
#include <cstdlib>
#include <unordered_map>

#include "engine/autograd/tape.h"
#include "engine/program/arithmetic.h"
#include "engine/program/interpreter.h"
#include "engine/program/mutation.h"
#include "engine/program/unknown_names.h"
#include "engine/tensor/decimals.h"

namespace unroll::program {
namespace {

constexpr std::size_t max_calls = 100;  // within each other

Value constant_of(const std::string& text) {
  if (text == "None") return None{};
  if (text == "True" || text == "False") return text == "True";
  if (text.front() == '"') return text.substr(1, text.size() - 2);
  if (text.find_first_of(".e") != std::string::npos) return read_decimal(text);
  return static_cast<std::int64_t>(std::strtol(text.c_str(), nullptr, 10));
}

Signature read(std::string text) {
  Signature signature;
  bool by_position = true;
  for (std::size_t end; !text.empty(); text.erase(0, end)) {
    end = std::min(text.find(", "), text.size());
    std::string name = text.substr(0, end);
    end = std::min(end + 2, text.size());
    const std::size_t equals = name.find('='), stars = name.find_first_not_of('*');
    if (stars == std::string::npos) {
      by_position = false;  // after a * alone
      continue;
    }
    const int index = static_cast<int>(signature.names.size());
    if (stars == 1) signature.rest = index, by_position = false;
    if (stars == 2) signature.entries = index, by_position = false;
    signature.by_position += by_position ? 1 : 0;
    signature.fallbacks.push_back(equals == std::string::npos ? std::nullopt
                                                              : std::optional(constant_of(name.substr(equals + 1))));
    signature.names.push_back(name.substr(stars, std::min(equals, name.size()) - stars));
  }
  return signature;
}

// Where `name` is among the names; throws Error(program) naming the nearest if it is none of them.
std::size_t index_of(const std::string& name, const std::vector<std::string>& names, const std::string& callee,
                     const Place& place) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string nearest = nearest_of(name, names);
  if (!nearest.empty()) fail_at(place, "no_such_parameter_but_similar", callee, name, nearest);
  fail_at(place, "no_such_parameter", callee, name, names);
}

// PyTorch takes NumPy's names of these parameters, too: axis and keepdims. Its functions call x input.
std::string modern(const std::string& name, const std::vector<std::string>& names) {
  if (std::ranges::find(names, name) != names.end()) return name;
  if (name == "axis") return "dim";
  if (name == "keepdims") return "keepdim";
  if (name == "ord") return "p";  // of torch.linalg.norm
  if (name == "input" && !names.empty() && names[0] == "x") return "x";
  return name;
}

}  // namespace

const Signature& signature_of(const Builtin& callee) {
  static std::unordered_map<const Builtin*, Signature> read_already;
  const auto found = read_already.find(&callee);
  return found != read_already.end()
             ? found->second
             : read_already.emplace(&callee, read(std::string(callee.parameters))).first->second;
}

// A method is called without making a value of it first.
Value Interpreter::evaluate(const Call& node, const Expression& at) {
  if (const auto* attribute = std::get_if<Attribute>(&node.callee->node)) {
    const Value object = evaluate(*attribute->object);
    const Place& place = node.callee->place;
    const Builtin* method = method_of(object, attribute->name);
    if (!method) return call(this->attribute(object, attribute->name, place), evaluated(node.arguments), at.place);
    Passed passed = evaluated(node.arguments);
    passed.insert(passed.begin(), PassedArgument{"", object, attribute->object->place});
    return call(*method, std::move(passed), place);
  }
  const auto* name = std::get_if<Name>(&node.callee->node);
  if (name && node.arguments.empty() && name_of(name->symbol) == "super") return super_of_here(at.place);
  const Value callee = evaluate(*node.callee);
  return call(callee, evaluated(node.arguments), at.place);
}

// f(*items, **entries)
Interpreter::Passed Interpreter::evaluated(const std::vector<Argument>& arguments) {
  Passed all;
  for (const Argument& each : arguments) {
    const Place& place = each.value->place;
    const Value value = evaluate(*each.value);
    if (each.kind == Argument::Kind::plain) {
      all.push_back({each.name, value, place});
    } else if (each.kind == Argument::Kind::items) {
      for (Value& item : items(value, place)) all.push_back({"", std::move(item), place});
    } else {
      if (!value.is<Dict>()) fail_at(place, "argument_is_not_dict", described(value));
      for (auto& [key, held] : (*value.as<Dict>())->entries()) {
        if (!key.is<std::string>()) fail_at(place, "argument_name_is_no_text", described(key));
        all.push_back({*key.as<std::string>(), std::move(held), place});
      }
    }
  }
  return all;
}

Value Interpreter::call(const Value& callee, Passed passed, const Place& place) {
  if (const auto* closure = callee.as<Closure>()) return call(**closure, std::move(passed), place);
  if (const auto* builtin = callee.as<const Builtin*>()) return call(**builtin, std::move(passed), place);
  if (const auto* type = callee.as<Class>()) return call(*type, std::move(passed), place);
  if (const auto* instance = callee.as<Instance>()) return call(*instance, std::move(passed), place);
  if (const auto* bound = callee.as<Bound>()) {
    passed.insert(passed.begin(), PassedArgument{"", (*bound)->self, place});
    return call((*bound)->callee, std::move(passed), place);
  }
  const auto* word = callee.as<Word>();
  if (word && std::string_view(word->text) == "no_grad")
    return passed.empty() ? callee : without_gradient(passed[0].value);
  fail_at(place, "value_is_not_callable", described(callee));
}

Value Interpreter::call(const Value& callee, std::vector<Value> arguments, const Place& place) {
  Passed passed;
  for (Value& each : arguments) passed.push_back({"", std::move(each), place});
  return call(callee, std::move(passed), place);
}

Value Interpreter::call(const Value& callee, const std::vector<Value>& arguments, const Dict& named,
                        const Place& place) {
  Passed passed;
  for (const Value& each : arguments) passed.push_back({"", each, place});
  for (auto& [name, value] : named->entries()) passed.push_back({*name.as<std::string>(), value, place});
  return call(callee, std::move(passed), place);
}

Value Interpreter::call(const ClosureBody& closure, Passed passed, const Place& place) {
  const Function& function = *closure.function;
  auto variables = new_environment(&function, function.program, closure.around);
  const std::vector<ParameterName>& parameters = function.parameters;
  const auto name_at = [&](std::size_t i) { return function.program->names[parameters[i].symbol]; };
  std::size_t next = 0;
  std::vector<Value> rest;
  std::vector<std::pair<Value, Value>> entries;
  const auto index_by = [&](ParameterName::Kind kind) {
    return static_cast<std::size_t>(std::ranges::find(parameters, kind, &ParameterName::kind) - parameters.begin());
  };
  const std::size_t rest_at = index_by(ParameterName::Kind::rest), entries_at = index_by(ParameterName::Kind::entries);
  std::vector<std::string> names;  // that an argument may have
  const bool has_names = std::ranges::any_of(passed, [](const PassedArgument& each) { return !each.name.empty(); });
  for (std::size_t p = 0; p < parameters.size() && has_names; ++p)
    if (p != rest_at && p != entries_at) names.push_back(name_at(p));
  for (PassedArgument& each : passed) {
    std::size_t i = parameters.size();
    if (each.name.empty()) {
      if (next < parameters.size() && parameters[next].kind == ParameterName::Kind::plain)
        i = next++;
      else if (rest_at < parameters.size()) {
        rest.push_back(std::move(each.value));
        continue;
      }
      if (i >= parameters.size()) fail_at(each.place, "function_takes_fewer_arguments", function.name, next);
    } else {
      account_->items(names.size(), each.place);
      const bool is_named = std::ranges::find(names, each.name) != names.end();
      if (!is_named && entries_at < parameters.size()) {
        entries.emplace_back(Value(each.name), std::move(each.value));
        continue;
      }
      index_of(each.name, names, function.name, each.place);
      while (name_at(i = i == parameters.size() ? 0 : i + 1) != each.name) {
      }
    }
    if (variables->local(i)) fail_at(each.place, "argument_twice", function.name, name_at(i));
    variables->local(i) = std::move(each.value);
  }
  if (rest_at < parameters.size()) variables->local(rest_at) = tuple_of(std::move(rest));
  if (entries_at < parameters.size()) variables->local(entries_at) = dict_of(std::move(entries));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (!variables->local(i)) variables->local(i) = closure.fallbacks[i];
    if (!variables->local(i)) fail_at(place, "call_needs_value", function.name, name_at(i));
  }
  return enter(closure, std::move(variables), place);
}

// Runs the body. What the library refuses is refused at the learner's own line that called it.
Value Interpreter::enter(const ClosureBody& closure, std::shared_ptr<Environment> variables, const Place& place) {
  const Function& function = *closure.function;
  if (frames_.size() > max_calls) fail_at(place, "calls_too_deep", max_calls, function.name);
  account_->items(variables->size(), place);
  std::optional<unroll::Scope> scope;  // the model itself is no part of one
  if (frames_.size() > 1 && Tape::live() && !is_of_this_module(function, *variables))
    scope.emplace(function.name, site_of(place));
  const bool enters_library = function.program != &program_ && frames_.back().variables->program == &program_;
  const std::size_t frames = frames_.size();
  frames_.push_back({&closure, variables, variables});
  try {
    run(function.body);
  } catch (const Error& error) {
    frames_.resize(frames);
    if (!enters_library || error.code != ErrorCode::program) throw;
    throw error.moved_to(place);
  } catch (Raised& raised) {
    frames_.resize(frames);
    if (enters_library) raised.place = place;
    throw;
  }
  const Value result = std::move(frames_.back().result);
  frames_.pop_back();
  return result;
}

Value Interpreter::call(const Builtin& callee, Passed passed, const Place& place) {
  const Signature& signature = signature_of(callee);
  std::vector<std::optional<Value>> bound(signature.names.size());
  std::vector<Value> rest;
  std::vector<std::pair<Value, Value>> entries;
  int next = 0;
  for (PassedArgument& each : passed) {
    if (each.name.empty() && next >= signature.by_position && signature.rest >= 0) {
      rest.push_back(std::move(each.value));
      continue;
    }
    const std::string name = modern(each.name, signature.names);
    const bool is_named = std::ranges::find(signature.names, name) != signature.names.end();
    if (!each.name.empty() && !is_named && signature.entries >= 0) {
      entries.emplace_back(Value(each.name), std::move(each.value));
      continue;
    }
    if (each.name.empty() && next >= signature.by_position)
      fail_at(each.place, "call_has_too_many_arguments", callee.name, callee.parameters);
    const std::size_t i = each.name.empty() ? static_cast<std::size_t>(next++)
                                            : index_of(name, signature.names, std::string(callee.name), each.place);
    if (bound[i]) fail_at(each.place, "argument_twice", callee.name, signature.names[i]);
    bound[i] = std::move(each.value);
  }
  if (signature.rest >= 0 && !bound[static_cast<std::size_t>(signature.rest)])
    bound[static_cast<std::size_t>(signature.rest)] = tuple_of(std::move(rest));
  if (signature.entries >= 0) bound[static_cast<std::size_t>(signature.entries)] = dict_of(std::move(entries));
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
    Value result = callee.call(arguments);
    note_result(arguments, result);
    return result;
  } catch (const Error& error) {
    if (error.code == ErrorCode::program) throw;
    throw Error(ErrorCode::program, error.message, arguments.place);
  }
}

// Defaults are evaluated once, where the function is defined.
Closure Interpreter::closure_of(const std::shared_ptr<const Function>& function) {
  const Frame& frame = frames_.back();
  auto closure = std::make_shared<ClosureBody>();
  closure->function = function.get();
  closure->around = frame.environment->is_class ? frame.environment->around : frame.environment;
  for (const ParameterName& each : function->parameters)
    closure->fallbacks.push_back(each.fallback ? std::optional(evaluate(*each.fallback)) : std::nullopt);
  if (frame.type)
    closure->definer = frame.type;
  else if (frame.closure)
    closure->definer = frame.closure->definer;
  return closure;
}

std::shared_ptr<Environment> Interpreter::new_environment(const program::Scope* scope, const Program* program,
                                                          const std::shared_ptr<Environment>& around) {
  auto environment = std::make_shared<Environment>(scope, program, around);
  remember(environments_, environment);
  return environment;
}

}  // namespace unroll::program
