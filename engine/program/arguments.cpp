// What an operation reads as its arguments.
#include <algorithm>
#include <functional>

#include "engine/program/arithmetic.h"
#include "engine/program/interpreter.h"
#include "engine/program/mutation.h"

namespace unroll::program {
namespace {

// Of a size, an axis or a count.
bool is_small(std::int64_t whole) {
  constexpr std::int64_t most = 1 << 28;
  return whole >= -most && whole <= most;
}

}  // namespace

void Arguments::refuse(int i, const char* wanted, const char* id) const {
  fail_at(place, id, callee.name, phrase(wanted), signature_of(callee).names[static_cast<std::size_t>(i)],
          described((*this)[i]));
}

const TypedTensor& Arguments::typed(int i) const {
  const auto* tensor = (*this)[i].as<TypedTensor>();
  if (!tensor) refuse(i, "a_tensor");
  refresh((*this)[i], place);
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
  if (signature.rest >= 0 && items && items->empty())
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
