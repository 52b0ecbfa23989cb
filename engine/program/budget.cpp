#include "engine/program/budget.h"

#include <algorithm>
#include <utility>

#include "engine/autograd/tape.h"
#include "engine/tensor/pool.h"

namespace unroll::program {
namespace {

constexpr std::size_t bytes_of_item = 48, bytes_of_node = 600;

// Of all programs, as the pool counts all tensors: a value can outlive its run, and is freed without knowing whose it
// was.
std::size_t bytes_of_lists = 0;
// Likewise: a dictionary does not know whose it is.
std::uint64_t work_of_dictionaries = 0;

std::size_t nodes_on_tape() { return Tape::live() ? Tape::live()->nodes().size() : 0; }

// Memory for the gradients of the node's operands, in a run that keeps them all.
std::size_t gradient_bytes(const Tape& tape, const Node& node) {
  std::size_t bytes = bytes_of_node;
  for (int i = 0; i < node.edges; ++i) {
    const Edge& edge = tape.edge(node, i);
    const Tensor& operand = tape.nodes()[static_cast<std::size_t>(edge.node)].value;
    if (edge.vjp && operand) bytes += operand.size() * sizeof(float);
  }
  return bytes;
}

// Subtracts `count`, and returns whether enough remained.
template <typename Number>
bool take(Number& remaining, Number count) {
  const bool suffices = count <= remaining;
  remaining = suffices ? remaining - count : 0;
  return suffices;
}

}  // namespace

void hold(std::size_t items, std::size_t letters) { bytes_of_lists += items * bytes_of_item + letters; }
void let_go(std::size_t items, std::size_t letters) { bytes_of_lists -= items * bytes_of_item + letters; }

void count_work(std::size_t items) { work_of_dictionaries += items; }

Account::Account(const Budget& budget)
    : remaining_(budget),
      bytes_(budget.bytes),
      tensors_before_(pool_stats().in_use),
      lists_before_(bytes_of_lists),
      first_node_(nodes_on_tape()),
      nodes_(first_node_),
      work_(work_of_dictionaries) {}

void Account::statement(const Place& place) {
  if (--remaining_.statements < 0) fail_at(place, "too_many_statements");
}

void Account::expression(const Place& place) {
  if (--remaining_.expressions < 0) fail_at(place, "too_many_expressions");
  if (work_ != work_of_dictionaries)
    items(static_cast<std::size_t>(work_of_dictionaries - std::exchange(work_, work_of_dictionaries)), place);
}

void Account::items(std::size_t count, const Place& place) {
  if (!take(remaining_.items, static_cast<std::int64_t>(count))) fail_at(place, "too_many_items");
}

void Account::operation(const Place& place) {
  if (--remaining_.operations < 0) fail_at(place, "too_many_operations");
  count_recorded(place);
}

void Account::values(std::size_t count, const Place& place) {
  if (!take(remaining_.values, static_cast<std::int64_t>(count))) fail_at(place, "too_many_values");
}

void Account::values(const Shape& shape, const Place& place) {
  std::int64_t count = 1;
  for (const int size : shape) count = std::min(count * std::max(size, 1), std::int64_t{1} << 30);
  values(static_cast<std::size_t>(count), place);
}

void Account::multiply_adds(double count, const Place& place) {
  if (!take(remaining_.multiply_adds, count)) fail_at(place, "too_many_multiplications");
}

void Account::count_recorded(const Place& place) {
  const Tape* tape = Tape::live();
  if (!tape || !tape->tracing()) return;
  for (nodes_ = std::min(nodes_, tape->nodes().size()); nodes_ < tape->nodes().size(); ++nodes_)
    if (!take(remaining_.gradient_bytes, gradient_bytes(*tape, tape->nodes()[nodes_])))
      fail_at(place, "gradients_too_large");
}

void Account::check_memory(const Place& place) const {
  const auto since = [](std::size_t now, std::size_t before) { return now > before ? now - before : 0; };
  const std::size_t tensors = since(pool_stats().in_use, tensors_before_), lists = since(bytes_of_lists, lists_before_),
                    recorded = since(nodes_on_tape(), first_node_) * bytes_of_node;
  if (tensors + lists + recorded <= bytes_) return;
  if (tensors > std::max(lists, recorded)) refuse_tensors(place);
  if (lists > recorded) fail_at(place, "lists_too_large");
  fail_at(place, "recording_too_large");
}

void Account::refuse_tensors(const Place& place) const { fail_at(place, "tensors_too_large"); }

}  // namespace unroll::program
