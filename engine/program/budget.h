// What a run may take, and the account of what it has taken.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/program/place.h"
#include "engine/tensor/shape.h"

namespace unroll::program {

// All is counted and nothing timed, in units that are the same on every machine, so that a program ends in the same
// place everywhere. Together they end a run within a second or two.
struct Budget {
  std::int64_t statements = 1'000'000;
  std::int64_t expressions = 10'000'000;
  std::int64_t items = 20'000'000;  // of lists, or letters of texts, that are read, copied or compared
  std::int64_t operations = 200'000;
  std::int64_t values = 200'000'000;  // of tensors, read and computed by operations
  double multiply_adds = 4e9;
  std::size_t bytes = std::size_t{256} << 20;           // held at one time: tensors, lists, texts, what is recorded
  std::size_t gradient_bytes = std::size_t{512} << 20;  // of a run that keeps its gradients
};

// What the lists, tuples and texts of all programs take now, counted per item and letter.
void hold(std::size_t items, std::size_t letters);
void let_go(std::size_t items, std::size_t letters);

// Each function throws Error(program) at the place where the budget ends.
class Account {
 public:
  explicit Account(const Budget& budget);

  void statement(const Place& place);
  void expression(const Place& place);
  void items(std::size_t count, const Place& place);
  // One that has been made: counts also what the tape has recorded since the last.
  void operation(const Place& place);
  void values(std::size_t count, const Place& place);
  // Those of a tensor; without any, its axes but the empty ones, which operations go over all the same.
  void values(const Shape& shape, const Place& place);
  void multiply_adds(double count, const Place& place);
  // Checks the memory that is held now.
  void check_memory(const Place& place) const;
  [[noreturn]] void refuse_tensors(const Place& place) const;

 private:
  void count_recorded(const Place& place);

  Budget left_;
  const std::size_t bytes_, tensors_before_, lists_before_;
  std::size_t first_node_ = 0, nodes_ = 0;  // on the live tape: before the run, and counted so far
};

}  // namespace unroll::program
