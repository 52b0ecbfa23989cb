// Calls: which argument goes to which parameter, what an operation reads as its arguments, and the functions of the
// program.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <unordered_map>

#include "engine/autograd/tape.h"
#include "engine/program/arithmetic.h"
#include "engine/program/interpreter.h"
#include "engine/program/unknown_names.h"

namespace unroll::program {
namespace {

constexpr std::size_t max_calls = 50;  // within each other

Value constant_of(const std::string& text) {
  if (text == "None") return None{};
  if (text == "True" || text == "False") return text == "True";
  if (text.front() == '"') return text.substr(1, text.size() - 2);
  if (text.find_first_of(".e") != std::string::npos) return std::strtod(text.c_str(), nullptr);
  return static_cast<std::int64_t>(std::strtol(text.c_str(), nullptr, 10));
}

Signature read(std::string text) {
  Signature signature;
  for (std::size_t end; !text.empty(); text.erase(0, end)) {
    end = std::min(text.find(", "), text.size());
    std::string name = text.substr(0, end);
    const std::size_t equals = name.find('=');
    signature.fallbacks.push_back(equals == std::string::npos ? std::nullopt
                                                              : std::optional(constant_of(name.substr(equals + 1))));
    name.resize(std::min(equals, name.size()));
    signature.takes_rest = name.front() == '*';
    signature.names.push_back(name.substr(signature.takes_rest ? 1 : 0));
    end = std::min(end + 2, text.size());
  }
  return signature;
}

// Of a size, an axis or a count.
bool is_small(std::int64_t whole) {
  constexpr std::int64_t most = 1 << 28;
  return whole >= -most && whole <= most;
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

// PyTorch takes NumPy's names of these parameters, too: axis and keepdims.
std::string modern(const std::string& name) {
  if (name == "axis") return "dim";
  if (name == "keepdims") return "keepdim";
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
  return call(Value(&function), std::move(arguments), function.place);
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

// ── The arguments of an operation ────────────────────────────────────────────────────────────────────────────────────

void Arguments::refuse(int i, const char* wanted, const char* id) const {
  fail_at(place, id, callee.name, phrase(wanted), signature_of(callee).names[static_cast<std::size_t>(i)],
          described((*this)[i]));
}

const TypedTensor& Arguments::typed(int i) const {
  const auto* tensor = (*this)[i].as<TypedTensor>();
  if (!tensor) refuse(i, "a_tensor");
  return *tensor;
}

Operand Arguments::tensor(int i) const {
  if (!(*this)[i].is<TypedTensor>() && !is_number((*this)[i])) refuse(i, "a_tensor_or_a_number");
  return operand_of((*this)[i], place);
}

// PyTorch takes no truth value as a size, an axis or a count, and of int tensors those without axes.
int Arguments::whole(int i) const {
  const auto* tensor = (*this)[i].as<TypedTensor>();
  if ((*this)[i].is<bool>() || (tensor && (tensor->tensor.rank() > 0 || tensor->type == Type::boolean)))
    refuse(i, "a_whole_number");
  return index(i);
}

int Arguments::index(int i) const {
  const Value& value = (*this)[i];
  const auto* tensor = value.as<TypedTensor>();
  if (tensor && tensor->type != Type::real && tensor->tensor.size() == 1)
    return static_cast<int>(tensor->tensor.item());
  if (!is_whole(value)) refuse(i, "a_whole_number");
  if (!is_small(whole_of(value))) refuse(i, "a_number_of_at_most_2_to_28");
  return static_cast<int>(whole_of(value));
}

// PyTorch takes no tensor with a gradient as a number: the gradient would be lost.
double Arguments::number(int i) const {
  const auto* tensor = (*this)[i].as<TypedTensor>();
  if (tensor && (tensor->type == Type::real || tensor->tensor.rank() > 0))
    refuse(i, "a_number", "argument_is_not_wanted_but_item");
  return only_number(i);
}

double Arguments::only_number(int i) const {
  const Value& value = (*this)[i];
  const auto* tensor = value.as<TypedTensor>();
  if (tensor && tensor->tensor.size() == 1) return static_cast<double>(tensor->tensor.item());
  if (!is_number(value)) refuse(i, "a_number");
  return number_of(value);
}

bool Arguments::flag(int i) const {
  const bool* truth = (*this)[i].as<bool>();
  if (!truth) refuse(i, "true_or_false_of_python");
  return *truth;
}

const std::string& Arguments::text(int i) const {
  const auto* text = (*this)[i].as<std::string>();
  if (!text) refuse(i, "a_text");
  return *text;
}

std::vector<int> Arguments::integers(int i) const {
  const std::vector<Value>* items = items_of((*this)[i]);
  if (!items) return {whole(i)};
  std::vector<int> all;
  count_items(items->size());
  for (const Value& each : *items) {
    if (each.is<bool>() || !is_whole(each) || !is_small(whole_of(each))) refuse(i, "whole_numbers_of_at_most_2_to_28");
    all.push_back(static_cast<int>(whole_of(each)));
  }
  return all;
}

// x.reshape(2, 3) and x.reshape((2, 3)) are the same.
std::vector<int> Arguments::rest(int i) const {
  const std::vector<Value>* items = items_of((*this)[i]);
  const Signature& signature = signature_of(callee);
  if (signature.takes_rest && items && items->empty())
    fail_at(place, "call_needs_argument", callee.name, signature.names[static_cast<std::size_t>(i)]);
  if (items && items->size() == 1 && items_of(items->front())) {
    const Arguments inner(interpreter, callee, place,
                          std::vector<Value>(static_cast<std::size_t>(i) + 1, items->front()));
    return inner.integers(i);
  }
  return integers(i);
}

Shape Arguments::shape(int i) const {
  const std::vector<int> all = rest(i);
  for (const int size : all)
    if (size < 0) refuse(i, "sizes_of_at_least_0");
  if (all.size() > Shape::max_rank) refuse(i, "at_most_six_sizes");
  return Shape(std::span<const int>(all));
}

int Arguments::counted_from_first(int axis, int rank) const {
  if (rank == 0 || axis < -rank || axis >= rank) fail_at(place, "no_such_axis", callee.name, axis, rank);
  return axis < 0 ? axis + rank : axis;
}

int Arguments::axis(int i, int rank) const { return counted_from_first(whole(i), rank); }

std::vector<int> Arguments::axes(int i, int rank) const {
  std::vector<int> all = integers(i);
  for (int& axis : all) axis = counted_from_first(axis, rank);
  std::ranges::sort(all, std::greater());
  if (std::ranges::adjacent_find(all) != all.end()) refuse(i, "each_axis_once");
  return all;
}

void Arguments::count_items(std::size_t items) const { interpreter.account().items(items, place); }

void Arguments::count_values() const {
  for (const Value& each : values_)
    if (const auto* tensor = each.as<TypedTensor>()) interpreter.account().values(tensor->tensor.shape(), place);
}

CallSite Arguments::where() const { return site_of(place); }

Value Arguments::result(const Tensor& tensor, Type type) const { return result_of(interpreter, tensor, type, place); }

}  // namespace unroll::program
