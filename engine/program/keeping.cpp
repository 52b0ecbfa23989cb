// What operations need for their gradients: values that nobody may change afterwards.
#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/program/mutation.h"

namespace unroll::program {

bool is_recorded(const Tensor& tensor) { return Tape::live() && Tape::live()->find(tensor) >= 0; }

bool needs_gradient(const Tensor& tensor) {
  const Tape* tape = Tape::live();
  const int id = tape ? tape->find(tensor) : -1;
  return id >= 0 && tape->nodes()[static_cast<std::size_t>(id)].needs_gradient;
}

namespace {

// All tensors among values, also in lists and tuples of them.
std::vector<TypedTensor*> tensors_among(const std::vector<Value>& values, int depth = 0) {
  std::vector<TypedTensor*> all;
  for (const Value& each : values) {
    if (const auto* tensor = each.as<Value::Tensors>()) all.push_back(tensor->get());
    if (const std::vector<Value>* items = items_of(each); items && depth < 2)
      for (TypedTensor* inner : tensors_among(*items, depth + 1)) all.push_back(inner);
  }
  return all;
}

// Whether a word is among words with spaces between.
bool is_among(std::string_view word, std::string_view words) {
  for (std::size_t end; !words.empty(); words.remove_prefix(std::min(end + 1, words.size()))) {
    end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
  }
  return false;
}

bool needs_of(const Builtin& operation, std::string_view what) { return is_among(what, operation.keeps); }

}  // namespace

void keep(const TypedTensor& x, const char* operation) {
  const Tape* tape = Tape::live();
  if (!tape) return;
  x.storage->kept_by = operation;
  x.storage->kept_on = tape->serial();
}

void note_operands(Interpreter& interpreter, Operator operation, const Value& left, const Value& right,
                   const Value& result) {
  const auto *a = left.as<TypedTensor>(), *b = right.as<TypedTensor>();
  TypedTensor& y = tensor_in(result, {});
  const bool takes = (a && a->takes_gradient) || (b && b->takes_gradient);
  y.takes_gradient = takes && y.type == Type::real && interpreter.records() && operation != Operator::floor_divide;
  const bool a_needs = a && needs_gradient(a->tensor), b_needs = b && needs_gradient(b->tensor);
  const bool is_product = operation == Operator::multiply || operation == Operator::matmul;
  const bool is_quotient = operation == Operator::divide, is_power = operation == Operator::power;
  const char* name = symbol_of(operation).data();
  if (a && ((b_needs && (is_product || is_quotient || operation == Operator::remainder)) ||
            (is_power && (a_needs || b_needs))))
    keep(*a, name);
  if (b && ((a_needs && is_product) || ((a_needs || b_needs) && (is_quotient || is_power)) ||
            (b_needs && operation == Operator::remainder)))
    keep(*b, name);
  if (is_power && b_needs) keep(y, name);
}

bool needs_result(const Builtin& operation) { return needs_of(operation, "result"); }

void note_result(const Arguments& a, const Value& result) {
  const Builtin& callee = a.callee;
  const std::vector<TypedTensor*> results = tensors_among({result});
  if (results.empty()) return;  // list.append(…) costs no look at the list
  const std::vector<TypedTensor*> operands = tensors_among(a.all());
  const bool any = std::ranges::any_of(operands, [](const TypedTensor* x) { return x->takes_gradient; });
  for (TypedTensor* y : results) {
    const bool is_operand = std::ranges::find(operands, y) != operands.end();
    const bool is_decided = y->is_parameter || y->storage->twins || y->storage->values;
    if (is_operand || is_decided || y->type != Type::real) continue;
    const bool is_cut_off = Tape::live() && !needs_gradient(y->tensor);
    y->takes_gradient = y->takes_gradient || (any && a.interpreter.records() && !is_cut_off);
    if (needs_of(callee, "result") && needs_gradient(y->tensor)) keep(*y, callee.name.data());
  }
  if (!Tape::live()) return;
  const bool result_needs =
      std::ranges::any_of(results, [](const TypedTensor* y) { return needs_gradient(y->tensor); });
  if (needs_of(callee, "product")) {
    const auto needing =
        std::ranges::count_if(operands, [](const TypedTensor* x) { return needs_gradient(x->tensor); });
    for (const TypedTensor* x : operands)
      if (needing > (needs_gradient(x->tensor) ? 1 : 0)) keep(*x, callee.name.data());
    return;
  }
  const std::vector<std::string>& names = signature_of(callee).names;
  for (std::size_t i = 0; result_needs && i < names.size(); ++i)
    if (needs_of(callee, names[i]))
      for (const TypedTensor* x : tensors_among({a[static_cast<int>(i)]})) keep(*x, callee.name.data());
}

}  // namespace unroll::program
