// A kernel runs in training, its composite in tracing: both must give the same values and gradients, bit for bit.
#include "engine/ops/fused/fused.h"

#include "engine/nn/attention/scores.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/nn/positions.h"
#include "engine/nn/recurrent/cell.h"
#include "tests/engine/support/kernel_check.h"
#include "tests/engine/support/test.h"

namespace {

// x, h (and c) and the weights of a cell with `blocks` gates. Large sums reach the flat ends of σ and tanh.
Tensors cell_inputs(Samples& random, int blocks, int states) {
  const int B = random.size(), X = random.size(), H = random.size(), rows = blocks * H;
  Tensors inputs = {random.tensor({rows, X}), random.tensor({rows, H}), random.tensor({rows}), random.tensor({rows}),
                    random.tensor({B, X}, -4, 4)};
  for (int i = 0; i < states; ++i) inputs.push_back(random.tensor({B, H}, -1, 1));
  return inputs;
}

CellState step(CellKind kind, const Tensors& x, const CellState& previous) {
  return Cell(kind, {x[0], x[1], x[2], x[3]}).step(x[4], previous);
}

Tensor with(Tensor x, std::size_t from, std::size_t count, Scalar value) {
  std::ranges::fill(x.values().subspan(from, count), value);
  return x;
}

}  // namespace

TEST_CASE("gru: kernel and composite") {
  for_seeds([](Samples& random) {
    const Function twice = [](const Tensors& x) {
      const CellState first = step(CellKind::gru, x, {x[5]});
      return Tensors{first.h, step(CellKind::gru, x, first).h};
    };
    check_kernel("gru", twice, cell_inputs(random, 3, 1), random);
  });
}

TEST_CASE("gelu: kernel and composite") {
  for_seeds([](Samples& random) {
    const auto f = [](const Tensors& x) { return gelu(x[0]); };
    check_kernel_in_company("gelu", f, {random.tensor(random.shape(), -6, 6)}, random);
    check_kernel_in_company("gelu", f, {random.tensor({3, 700}, -6, 6)}, random);  // more than a block
  });
}

TEST_CASE("linear: its bias is added in place, to a product that nothing else uses") {
  for_seeds([](Samples& random) {
    const int in = random.size(), out = random.size();
    const Function f = [](const Tensors& x) { return Tensors{Linear{x[1], x[2]}(x[0])}; };
    const Tensors weights = {random.tensor({out, in}), random.tensor({out})};
    for (const Shape& rows : {Shape{random.size(), in}, Shape{random.size(), random.size(), in}, Shape{in}})
      check_kernel("add_bias", f, {random.tensor(rows), weights[0], weights[1]}, random);
  });
}

TEST_CASE("lstm: kernel and composite, also with a loss on the memory alone") {
  for_seeds([](Samples& random) {
    const Function twice = [](const Tensors& x) {
      const CellState first = step(CellKind::lstm, x, {x[5], x[6]});
      const CellState second = step(CellKind::lstm, x, first);
      return Tensors{first.h, second.h, second.c};
    };
    check_kernel("lstm_memory", twice, cell_inputs(random, 4, 2), random);
    check_kernel("lstm_output", twice, cell_inputs(random, 4, 2), random);
    const Function memory = [](const Tensors& x) { return Tensors{step(CellKind::lstm, x, {x[5], x[6]}).c}; };
    check_kernel("lstm_memory", memory, cell_inputs(random, 4, 2), random);
  });
}

TEST_CASE("additive score: kernel and composite") {
  for_seeds([](Samples& random) {
    const int T = random.up_to(3), S = random.size(), A = random.size(), Q = random.up_to(5);
    const Shape batch = random.batch(2);
    const Function score = [](const Tensors& x) {
      return Tensors{additive_score_of_keys(x[0], x[1], x[2], x[3], x[4])};
    };
    check_kernel("additive_score", score,
                 {random.tensor(joined(batch, {T, Q})), random.tensor(joined(batch, {S, A})), random.tensor({A, Q}),
                  random.tensor({A}), random.tensor({A})},
                 random);
  });
}

TEST_CASE("additive score: broadcasting operands are left to the composite") {
  const Shape q = {2, 3, 4}, v = {4};
  CHECK(fused::takes_additive_score(q, {2, 5, 4}, v));
  CHECK_FALSE(fused::takes_additive_score(q, {1, 5, 4}, v));
  CHECK_FALSE(fused::takes_additive_score(q, {5, 4}, v));
  CHECK_FALSE(fused::takes_additive_score(q, {2, 5, 4}, {1}));
  CHECK_FALSE(fused::takes_additive_score(v, v, v));
  const Shape sixth = {2, 1, 1, 1, 3, 4};  // the composite has no axis left for the pairs
  CHECK_FALSE(fused::takes_additive_score(sixth, sixth, v));
}

TEST_CASE("additive score: sums of nothing are 0, and so are their gradients") {
  Tensor::full({2, 3, 5}, 7);  // leaves old values in the memory that the scores will get
  const Tensor q({2, 3, 0}), k({2, 5, 0}), v(Shape{0});
  const Tensor e = fused::additive_score(q, k, v);
  expect(e, {2, 3, 5}, std::vector<double>(30, 0));
  expect(additive_score_of_keys(Tensor({2, 3, 1}), k, Tensor({0, 1}), v, v), {2, 3, 5}, std::vector<double>(30, 0));
  LiveTape tape(Tape::Detail::training);
  const Tensor watched = input("q", q, Role::parameter);
  backward(sum(fused::additive_score(watched, k, v)));
  expect(gradient(watched), {2, 3, 0}, {});
}

TEST_CASE("softmax: kernel and composite, with hidden scores and without") {
  const Function weights = [](const Tensors& x) { return Tensors{softmax(x[0])}; };
  for_seeds([&](Samples& random) {
    const Shape shape = random.shape();
    check_kernel("softmax", weights, {random.tensor(shape, -9, 9)}, random);
    const Tensor mask = random.mask(shape);
    const Function hidden = [&](const Tensors& x) { return Tensors{softmax(x[0] + mask)}; };
    check_kernel("softmax", hidden, {random.tensor(shape, -9, 9)}, random);
  });
}

TEST_CASE("softmax: other axes are left to the composite") {
  const auto along = [](int axis) { return [=](const Tensors& x) { return Tensors{softmax(x[0], axis)}; }; };
  const Tensors inputs = {Tensor({2, 2}, {1, 2, 3, 5})};
  CHECK(trains_with("softmax", along(1), inputs));
  CHECK_FALSE(trains_with("softmax", along(0), inputs));
}

TEST_CASE("layer_norm and rms_norm: kernel and composite") {
  for_seeds([](Samples& random) {
    const int D = 1 + random.size();
    const Tensor x = random.tensor(joined(random.batch(), {D})), weight = random.tensor({D}), bias = random.tensor({D});
    const auto layer = [](const Tensors& x) { return layer_norm(x[0], x[1], x[2]); };
    const auto rms = [](const Tensors& x) { return rms_norm(x[0], x[1]); };
    check_kernel_in_company("layer_norm", layer, {x, weight, bias}, random);
    check_kernel_in_company("rms_norm", rms, {x, weight}, random);

    const auto plain = [&](const Tensors& x) { return layer_norm(x[0], weight, bias); };  // no parameters
    const auto plain_rms = [&](const Tensors& x) { return rms_norm(x[0], weight); };
    check_kernel_in_company("layer_norm", plain, {x}, random);
    check_kernel_in_company("rms_norm", plain_rms, {x}, random);
  });
}

TEST_CASE("layer_norm and rms_norm: several axes, and rows of one value, are left to the composite") {
  const Function layer = [](const Tensors& x) { return Tensors{layer_norm(x[0], x[1], x[1])}; };
  const Function rms = [](const Tensors& x) { return Tensors{rms_norm(x[0], x[1])}; };
  const Tensor matrix({2, 2}, {1, 2, 3, 5}), row({2}, {1, 2}), column({2, 1}, {1, 2}), one({1}, {1});
  CHECK(trains_with("layer_norm", layer, {matrix, row}));
  CHECK_FALSE(trains_with("layer_norm", layer, {matrix, matrix}));
  CHECK_FALSE(trains_with("layer_norm", layer, {column, one}));
  CHECK(trains_with("rms_norm", rms, {matrix, row}));
  CHECK_FALSE(trains_with("rms_norm", rms, {column, one}));
}

TEST_CASE("rotary: kernel and composite, neighbours and halves, from the start and from later positions") {
  for_seeds([](Samples& random) {
    const Shape shape = joined(random.batch(), {random.up_to(7), 2 * random.up_to(9)});
    for (const RotaryLayout layout : {RotaryLayout::interleaved, RotaryLayout::half})
      for (const int first_position : {0, random.up_to(500)}) {
        const auto turned = [=](const Tensors& x) { return rotary(x[0], first_position, layout); };
        check_kernel_in_company("rotary", turned, {random.tensor(shape)}, random);
      }
  });
}

TEST_CASE("relu: the kernel's gradient is that of the operations") {
  for_seeds([](Samples& random) {
    const Shape shape = random.shape();
    const auto with_zeros = [&] {  // of both signs
      const Tensor some = random.ids(shape, 2);
      return some * random.tensor(shape);
    };
    const Tensor values = with_zeros(), dy = with_zeros();
    LiveTape tape(Tape::Detail::training);
    const Tensor x = input("x", values, Role::parameter);
    backward(sum(relu(x) * dy));
    CHECK(same_bits(gradient(x), where(greater(values, 0), dy, 0)));
  });
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
      check_kernel("negative_log_likelihood", loss, {random.tensor(joined(rows, {count}), -9, 9)}, random);
    }
  });
}

TEST_CASE("cross-entropy: classes of −∞, and a row of nothing but −∞") {
  Samples random(3);
  const Tensor one = with(random.tensor({2, 5}), 1, 2, -infinity);
  const Tensor row = with(random.tensor({2, 5}), 5, 5, -infinity);
  const Function loss = [](const Tensors& x) {
    return Tensors{cross_entropy(x[0], Tensor({2}, {3, 0}), {.ignored = 0, .reduction = Reduction::sum})};
  };
  check_kernel("negative_log_likelihood", loss, {one}, random);
  check_kernel("negative_log_likelihood", loss, {row}, random);
}

TEST_CASE("a bad target is refused with the composite's sentence") {
  const Tensor logits({2, 3}, {1, 2, 3, 4, 5, 6});
  const auto sentence = [&](Tape::Detail detail, const Tensor& target) {
    LiveTape tape(detail);
    return REFUSAL(input, cross_entropy(input("x", logits), target));
  };
  for (const Tensor& target : {Tensor({2}, {0, 3}), Tensor({2}, {0.5, 1})})
    CHECK(sentence(Tape::Detail::training, target) == sentence(Tape::Detail::trace, target));
}
