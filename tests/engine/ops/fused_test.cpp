// A kernel runs while training, its composite while tracing: both must give the same values and gradients, bit for bit.
#include "engine/ops/fused.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "engine/autograd/backward.h"
#include "engine/autograd/tape.h"
#include "engine/nn/cell.h"
#include "engine/nn/scores.h"
#include "engine/ops/ops.h"
#include "tests/engine/support/expect.h"
#include "tests/engine/support/samples.h"

using namespace unroll;

namespace {

using Tensors = std::vector<Tensor>;
// From inputs to any number of results.
using Function = std::function<Tensors(const Tensors&)>;

constexpr Scalar infinity = std::numeric_limits<Scalar>::infinity();

struct Run {
  Tensors values, gradients;
  bool fused = false;
};

// Results and ∂/∂inputs of their sum weighted by `weights`.
Run run(const Function& f, const Tensors& inputs, const Tensors& weights, Tape::Detail detail,
        const std::string& kernel) {
  Tape tape(detail);
  Recording recording(&tape);
  Tensors xs;
  for (const Tensor& each : inputs) xs.push_back(input("x", each, Role::parameter));
  Run result;
  result.values = f(xs);
  Tensor total = sum(result.values[0] * weights[0]);
  for (std::size_t i = 1; i < weights.size(); ++i) total = total + sum(result.values[i] * weights[i]);
  backward(total);
  for (const Tensor& x : xs) {
    REQUIRE(gradient(x));
    result.gradients.push_back(gradient(x));
  }
  result.fused = std::ranges::any_of(tape.nodes(), [&](const Node& node) { return node.op.name == kernel; });
  return result;
}

// Only the sign of a zero may differ: the composite adds zeros where the kernel adds nothing.
void check_same(const Tensors& a, const Tensors& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CAPTURE(i);
    CHECK(a[i].shape() == b[i].shape());
    CHECK(std::ranges::equal(a[i].values(), b[i].values()));
  }
}

void check(const std::string& kernel, const Function& f, const Tensors& inputs, Samples& random) {
  Tensors weights;
  for (const Tensor& y : f(inputs)) weights.push_back(random.tensor(y.shape(), -1, 1));
  const Run trained = run(f, inputs, weights, Tape::Detail::training, kernel);
  const Run traced = run(f, inputs, weights, Tape::Detail::trace, kernel);
  CHECK(trained.fused);
  CHECK_FALSE(traced.fused);
  check_same(trained.values, traced.values);
  check_same(trained.gradients, traced.gradients);
  check_same(f(inputs), traced.values);  // without a tape
}

void for_seeds(const std::function<void(Samples&)>& job) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    CAPTURE(seed);
    Samples random(seed, 19);
    job(random);
  }
}

// x, h (and c) and the weights of a cell with `blocks` gates. Large sums reach the flat ends of σ and tanh.
Tensors cell_inputs(Samples& random, int blocks, int states) {
  const int B = random.size(), X = random.size(), H = random.size(), rows = blocks * H;
  Tensors inputs = {random.tensor({rows, X}), random.tensor({rows, H}), random.tensor({rows}), random.tensor({rows}),
                    random.tensor({B, X}, -4, 4)};
  for (int i = 0; i < states; ++i) inputs.push_back(random.tensor({B, H}, -1, 1));
  return inputs;
}

CellWeights weights_of(const Tensors& x) { return {x[0], x[1], x[2], x[3]}; }

Tensor with(Tensor x, std::size_t from, std::size_t count, Scalar value) {
  std::ranges::fill(x.values().subspan(from, count), value);
  return x;
}

}  // namespace

TEST_CASE("gru: kernel and composite") {
  for_seeds([](Samples& random) {
    const Function twice = [](const Tensors& x) {
      const CellState first = gru_step(x[4], {x[5]}, weights_of(x));
      return Tensors{first.h, gru_step(x[4], first, weights_of(x)).h};
    };
    check("gru", twice, cell_inputs(random, 3, 1), random);
  });
}

TEST_CASE("gelu: kernel and composite") {
  for_seeds([](Samples& random) {
    const Function f = [](const Tensors& x) { return Tensors{gelu(x[0])}; };
    check("gelu", f, {random.tensor(random.shape(), -6, 6)}, random);
    check("gelu", f, {random.tensor({3, 700}, -6, 6)}, random);  // more than a block
  });
}

TEST_CASE("lstm: kernel and composite") {
  for_seeds([](Samples& random) {
    const Function twice = [](const Tensors& x) {
      const CellState first = lstm_step(x[4], {x[5], x[6]}, weights_of(x));
      const CellState second = lstm_step(x[4], first, weights_of(x));
      return Tensors{first.h, second.h, second.c};
    };
    check("lstm_memory", twice, cell_inputs(random, 4, 2), random);
    check("lstm_output", twice, cell_inputs(random, 4, 2), random);
  });
}

TEST_CASE("lstm: a loss on the memory alone") {
  for_seeds([](Samples& random) {
    const Function memory = [](const Tensors& x) { return Tensors{lstm_step(x[4], {x[5], x[6]}, weights_of(x)).c}; };
    check("lstm_memory", memory, cell_inputs(random, 4, 2), random);
  });
}

TEST_CASE("additive score: kernel and composite") {
  for_seeds([](Samples& random) {
    const int T = random.up_to(3), S = random.size(), A = random.size(), Q = random.up_to(5);
    const Shape batch = random.batch(1);
    const Function score = [](const Tensors& x) {
      return Tensors{additive_score_of_keys(x[0], x[1], x[2], x[3], x[4])};
    };
    check("additive_score", score,
          {random.tensor(joined(batch, {T, Q})), random.tensor(joined(batch, {S, A})), random.tensor({A, Q}),
           random.tensor({A}), random.tensor({A})},
          random);
  });
}

TEST_CASE("additive score: what broadcasts is left to the composite") {
  Samples random(1);
  const Tensor q = random.tensor({2, 3, 4}), keys = random.tensor({1, 5, 4}), v = random.tensor({4});
  CHECK(fused::takes_additive_score(q, random.tensor({2, 5, 4}), v));
  CHECK_FALSE(fused::takes_additive_score(q, keys, v));
  CHECK_FALSE(fused::takes_additive_score(q, random.tensor({5, 4}), v));
  CHECK_FALSE(fused::takes_additive_score(q, random.tensor({2, 5, 4}), random.tensor({1})));
  CHECK_FALSE(fused::takes_additive_score(v, v, v));
  const Tensor fourth = random.tensor({2, 1, 3, 4});  // the composite has no axis left for the pairs
  CHECK_FALSE(fused::takes_additive_score(fourth, fourth, v));
}

TEST_CASE("softmax: kernel and composite, with what is hidden and without") {
  const Function weights = [](const Tensors& x) { return Tensors{softmax(x[0])}; };
  for_seeds([&](Samples& random) {
    const Shape shape = random.shape();
    check("softmax", weights, {random.tensor(shape, -9, 9)}, random);
    const Tensor mask = random.mask(shape);
    const Function hidden = [&](const Tensors& x) { return Tensors{softmax(x[0] + mask)}; };
    check("softmax", hidden, {random.tensor(shape, -9, 9)}, random);
  });
}

TEST_CASE("softmax: along another axis it is left to the composite") {
  Tape tape(Tape::Detail::training);
  Recording recording(&tape);
  softmax(input("x", Tensor({2, 2}, {1, 2, 3, 5}), Role::parameter), 0);
  CHECK(
      std::ranges::none_of(tape.nodes(), [](const Node& node) { return std::string_view(node.op.name) == "softmax"; }));
}

TEST_CASE("cross-entropy: kernel and composite, with padding and without") {
  for_seeds([](Samples& random) {
    const int count = random.size();
    const Shape rows = random.shape(0, 3);
    const Tensor target = random.ids(rows, count);
    for (const int ignored : {-1, 0}) {
      const Function loss = [&](const Tensors& x) {
        return Tensors{cross_entropy(x[0], target, {.ignored = ignored})};
      };
      check("negative_log_likelihood", loss, {random.tensor(joined(rows, {count}), -9, 9)}, random);
    }
  });
}

TEST_CASE("cross-entropy: classes of −∞, and a row of nothing else") {
  Samples random(3);
  const Tensor one = with(random.tensor({2, 5}), 1, 2, -infinity);
  const Tensor row = with(random.tensor({2, 5}), 5, 5, -infinity);
  const Function loss = [](const Tensors& x) {
    return Tensors{cross_entropy(x[0], Tensor({2}, {3, 0}), {.ignored = 0, .reduction = Reduction::sum})};
  };
  check("negative_log_likelihood", loss, {one}, random);
  check("negative_log_likelihood", loss, {row}, random);
}

TEST_CASE("a bad target is refused with the sentence of the composite") {
  const Tensor logits({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto sentence = [&](Tape::Detail detail, const Tensor& target) {
    Tape tape(detail);
    Recording recording(&tape);
    return refusal(ErrorCode::input, [&] { cross_entropy(input("x", logits), target); });
  };
  for (const Tensor& target : {Tensor({2}, {0, 3}), Tensor({2}, {0.5, 1})})
    CHECK(sentence(Tape::Detail::training, target) == sentence(Tape::Detail::trace, target));
}
