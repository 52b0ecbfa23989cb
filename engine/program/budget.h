// The budget of a run, and the account of what the run has used.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/program/place.h"
#include "engine/tensor/shape.h"

namespace unroll::program {

// Everything is counted and nothing is timed, in units that are the same on every machine: a program ends in the same
// place everywhere. The products and values are those of a step that a reader still waits for: at 12 · 10⁹
// multiplications a second, forward and backward take 2.5 seconds. The memory is what the 1 GB of a page's module
// leaves beside parameters of 64 MB, their gradients, Adam's two averages and the gradients of what a run has computed.
struct Budget {
  std::int64_t statements = 1'000'000;
  std::int64_t expressions = 10'000'000;
  std::int64_t items = 20'000'000;  // of lists, or letters of texts, that are read, copied or compared
  std::int64_t operations = 200'000;
  std::int64_t values = 400'000'000;  // of tensors, read and computed by operations
  double multiply_adds = 1e10;
  std::size_t bytes = std::size_t{384} << 20;           // in use at one time: tensors, lists, texts, the tape
  std::size_t gradient_bytes = std::size_t{512} << 20;  // of a run that keeps its gradients
};

// Add to, and subtract from, the memory that the lists, tuples and texts of all programs take now.
void hold(std::size_t items, std::size_t letters);
void let_go(std::size_t items, std::size_t letters);

// Counts what dictionaries do, in items of lists. The account of the run takes it over with the next expression.
void count_work(std::size_t items);

// Each function throws Error(program) at the place where the budget ends.
class Account {
 public:
  explicit Account(const Budget& budget);

  void statement(const Place& place);
  void expression(const Place& place);
  void items(std::size_t count, const Place& place);
  // An operation that has run. Also counts what the tape has recorded since the previous one.
  void operation(const Place& place);
  void values(std::size_t count, const Place& place);
  // The values of a tensor. One without values counts as if each empty axis had size 1: operations loop over the
  // others.
  void values(const Shape& shape, const Place& place);
  void multiply_adds(double count, const Place& place);
  // Checks the memory in use now.
  void check_memory(const Place& place) const;
  [[noreturn]] void refuse_tensors(const Place& place) const;

 private:
  void count_recorded(const Place& place);

  Budget remaining_;
  const std::size_t bytes_, tensors_before_, lists_before_;
  std::size_t first_node_ = 0, nodes_ = 0;  // on the live tape: before the run, and counted so far
  std::uint64_t work_ = 0;                  // of dictionaries, counted so far
};

}  // namespace unroll::program
