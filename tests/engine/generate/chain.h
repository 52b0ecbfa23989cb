// A generator whose probabilities are a table: the next token depends on the last one alone.
#pragma once

#include "engine/generate/generator.h"
#include "engine/kernels/random.h"
#include "engine/ops/ops.h"

namespace unroll {

// A source row begins with the number of its table (V, V): row = the last token, column = the next. The attention
// weights show which token it was given.
class Chain : public Generator {
 public:
  explicit Chain(const std::vector<Tensor>& tables)
      : V_(tables[0].shape()[0]), log_p_(log(concat({tables.begin(), tables.end()}, 0))) {}

  GeneratorState start(const Tensor& source) override { return GeneratorState(slice(source, 1, 0, 1)); }

  StepOutput next(const Tensor& tokens, GeneratorState& state) override {
    ++positions;
    const Tensor first = reshape(state.as<Tensor>(), tokens.shape()) * V_;
    return {gather(log_p_, first + tokens), one_hot(tokens, V_)};
  }

  int positions = 0;  // how many steps it has taken

 private:
  int V_;
  Tensor log_p_;
};

// Sources whose rows use the tables 0, 1 …
inline Tensor tables_numbered(std::initializer_list<Scalar> numbers) {
  return Tensor({static_cast<int>(numbers.size()), 1}, numbers);
}

// A table (V, V) whose rows are random distributions.
inline Tensor random_table(int V, std::uint64_t seed) {
  Random random(seed);
  Tensor logits({V, V});
  for (Scalar& each : logits.values()) each = random.normal();
  return softmax(logits * 2);
}

// After <bos>, 3 is the most likely, but the successor of 4 is more certain: greedy decoding gives 3 <eos> with 0.175,
// while 4 <eos> has 0.36.
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
