// The interface of autoregressive models: decoding (greedy, beam, sampling) sees models only through it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/autograd/tensor.h"
#include "engine/kernels/random.h"

namespace unroll {

// State between two steps: tensors whose first axis is R, one row per sequence being generated.
struct GeneratorState {
  std::vector<Tensor> rows;
  int position = 0;  // of the next token, the same for all rows; kept by models that count positions

  // pack() collects the tensors a model keeps between steps, in an order of its choice; unpack() assigns them back in
  // that order. Tensors that do not exist yet must come last and are left out.
  static GeneratorState pack(const std::vector<Tensor*>& kept, int position = 0);
  void unpack(const std::vector<Tensor*>& kept) const;

  // Gathers rows by index, in this order; an index may repeat.
  GeneratorState select(std::span<const int> indices) const;
};

struct StepOutput {
  Tensor logits;        // (R, V), for the next token
  Tensor weights = {};  // (R, S), attention weights; empty without attention
};

// Cost of generating one token of one sequence after a number of positions: with a KV cache, which processes only the
// last position, and without one, which recomputes them all.
struct GenerationCost {
  double cache_bytes = 0;                                // after these positions
  double multiply_adds = 0, multiply_adds_uncached = 0;  // in matrix products
};

constexpr int max_generation_length = 64;  // tokens per sequence

class Generator {
 public:
  virtual ~Generator() = default;

  // Reads the source (R, S) of token ids; generates nothing yet.
  virtual GeneratorState start(const Tensor& source) = 0;

  // Feeds the last token of each row (R), <bos> at first, and advances the state by one position. The caller opens the
  // tape scope of that position around the call.
  virtual StepOutput next(const Tensor& tokens, GeneratorState& state) = 0;

  // Maximum number of tokens, including <eos>, that fit after a source of this length.
  virtual int max_new_tokens(int) const { return max_generation_length; }

  // For training: the probability of feeding the true token next instead of the model's own (see TeacherForcing).
  // Ignored by generators that read all target tokens at once.
  virtual void set_forcing(double, Random) {}

  // For 1 position or more; nullopt for models that have no KV cache to count.
  virtual std::optional<GenerationCost> generation_cost(int) const { return std::nullopt; }
};

}  // namespace unroll
