// A writer whose probabilities are a table: what comes next depends on the last token alone.
#pragma once

#include "engine/generate/generator.h"
#include "engine/kernels/random.h"
#include "engine/ops/ops.h"

namespace unroll {

// A source row begins with the number of its table (V, V): row = the last token, column = the next. Its weights say
// which token it was given.
class Chain : public Generator {
 public:
  explicit Chain(const std::vector<Tensor>& tables)
      : V_(tables[0].shape()[0]), log_p_(log(concat({tables.begin(), tables.end()}, 0))) {}

  GeneratorState start(const Tensor& source) override { return {{slice(source, 1, 0, 1)}}; }

  StepOutput next(const Tensor& tokens, GeneratorState& state) override {
    ++positions;
    const Tensor first = reshape(state.rows[0], tokens.shape()) * V_;
    return {gather(log_p_, first + tokens), one_hot(tokens, V_)};
  }

  int positions = 0;  // how often it was asked

 private:
  int V_;
  Tensor log_p_;
};

// Sources that name the tables 0, 1 … of their rows.
inline Tensor tables_numbered(std::initializer_list<Scalar> numbers) {
  return Tensor({static_cast<int>(numbers.size()), 1}, numbers);
}

// Each row of (V, V) a random distribution.
inline Tensor random_table(int V, std::uint64_t seed) {
  Random random(seed);
  Tensor logits({V, V});
  for (Scalar& each : logits.values()) each = random.normal();
  return softmax(logits * 2);
}

// After <bos> 3 is the likeliest, but what follows 4 is more certain: greedy writes 3 <eos> of 0.175, and 4 <eos> has
// 0.36.
inline Tensor trap() {
  return Tensor({5, 5}, {
                            0.2, 0.2, 0.2,  0.2,  0.2,   //
                            0,   0,   0.1,  0.5,  0.4,   // after <bos>
                            0.2, 0.2, 0.2,  0.2,  0.2,   //
                            0,   0,   0.35, 0.33, 0.32,  // after 3
                            0,   0,   0.9,  0.1,  0,     // after 4
                        });
}

}  // namespace unroll
