// A model that writes a sequence token by token. Decoding (greedy, beam, sampling) knows models as writers only.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/tensor/random.h"
#include "engine/tensor/tensor.h"

namespace unroll {

// Where a writer stands: tensors whose first axis is R, a row for each sequence being written.
struct WriterState {
  std::vector<Tensor> rows;

  // The tensors that a model keeps between two tokens, in an order of its own, and back to where they were. What is not
  // there yet stands last and is left out.
  static WriterState of(const std::vector<Tensor*>& kept);
  void put_back(const std::vector<Tensor*>& kept) const;

  // The rows with these numbers, in this order; one may come several times.
  WriterState select(std::span<const int> numbers) const;
};

struct Written {
  Tensor logits;        // (R, V), for the next token
  Tensor weights = {};  // (R, S), where it looked; empty without attention
};

// What it takes to write one sequence's token behind so many positions: with a KV cache, where only the last of them is
// read, and where all are read anew.
struct WritingCost {
  double cache_bytes = 0;                            // after these positions
  double multiply_adds = 0, multiply_adds_anew = 0;  // in matrix products
};

constexpr int most_written = 64;  // tokens of a sequence

class Writer {
 public:
  virtual ~Writer() = default;

  // Reads the source (R, S) of token ids; nothing is written yet.
  virtual WriterState start(const Tensor& source) = 0;

  // Takes the last token of each row (R), <bos> at first, and moves the state on by one position. On the tape the
  // caller says which: its scope is around all that is recorded here.
  virtual Written next(const Tensor& tokens, WriterState& state) = 0;

  // How many tokens, <eos> among them, can be written behind a source of so many positions.
  virtual int room(int) const { return most_written; }

  // For training: how likely the true token is taken next and not the one written (see TeacherForcing). A writer that
  // reads all true tokens at once cannot do otherwise.
  virtual void set_forcing(double, Random) {}

  // Behind 1 position or more; nothing where there is no such cache to count.
  virtual std::optional<WritingCost> cost_behind(int) const { return std::nullopt; }
};

}  // namespace unroll
