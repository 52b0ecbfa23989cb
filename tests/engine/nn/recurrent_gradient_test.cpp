#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "engine/nn/recurrent.h"
#include "tests/engine/support/gradient_check.h"

using namespace unroll;

namespace {

using Step = std::function<CellState(Operand x, const CellState& before, const CellWeights& weights)>;

constexpr int lstm_blocks = 4;

struct Sizes {
  int batch, input, hidden, blocks;
};

void append_weights(Samples& random, const Sizes& sizes, int input, Tensors& inputs) {
  const int rows = sizes.blocks * sizes.hidden;
  for (const Shape& shape : {Shape{rows, input}, Shape{rows, sizes.hidden}, Shape{rows}, Shape{rows}})
    inputs.push_back(random.tensor(shape, -1, 1));
}

CellWeights weights_from(const Tensors& inputs, std::size_t place) {
  return {inputs[place], inputs[place + 1], inputs[place + 2], inputs[place + 3]};
}

Tensor values_of(const CellState& state) { return state.c ? side_by_side(state.h, state.c) : state.h; }

// One step from a state that takes a gradient as well.
MakeGradientCase step_case(const Step& step, int blocks) {
  return [=](Samples& random) {
    const Sizes sizes{random.size(), random.size(), random.size(), blocks};
    const Shape state{sizes.batch, sizes.hidden};
    Tensors inputs{random.tensor({sizes.batch, sizes.input}), random.tensor(state, -1, 1)};
    append_weights(random, sizes, sizes.input, inputs);
    if (blocks == lstm_blocks) inputs.push_back(random.tensor(state, -1, 1));
    return GradientCase{inputs, [=](const Tensors& x) {
                          return values_of(step(x[0], {x[1], x.size() > 6 ? x[6] : Tensor()}, weights_from(x, 2)));
                        }};
  };
}

// A cell's step is that of its kind.
Step step_of(CellKind kind) {
  return [kind](Operand x, const CellState& before, const CellWeights& weights) {
    return Cell(kind, weights).step(x, before);
  };
}

// The sums stay away from the kink of relu: the products (at most 12 · 0.04) cannot outweigh the biases (1.65 or more).
GradientCase relu_step(Samples& random) {
  const int B = random.size(), X = random.size(), H = random.size();
  const auto small = [&](const Shape& shape) { return random.tensor(shape, -0.2, 0.2); };
  Tensors inputs{small({B, X}), small({B, H}), small({H, X}), small({H, H}), random.away_from_zero({H}), Tensor({H})};
  for (int i = 0; i < H; ++i) {
    Scalar& b = inputs[4].data()[i];
    b = b < 0 ? b - 1 : b + 1;
    inputs[5].data()[i] = b / 2;
  }
  return {inputs, [](const Tensors& x) { return rnn_relu_step(x[0], {x[1]}, {x[2], x[3], x[4], x[5]}).h; }};
}

// (B, S): ones, then zeros; the first position of each row is there.
Tensor any_present(Samples& random, int batch, int positions) {
  Tensor present = Tensor::full({batch, positions}, 0);
  for (int row = 0; row < batch; ++row)
    std::fill_n(present.data() + row * positions, random.up_to(positions), Scalar(1));
  return present;
}

Tensor all_values(const Encoded& encoded) {
  Tensor all;
  const auto append = [&](const Tensor& value) { all = all ? side_by_side(all, value) : value; };
  for (const Tensor& state : encoded.states) append(state);
  for (const CellState& state : encoded.last) append(values_of(state));
  return all;
}

struct NetworkShape {
  int positions, layers, directions;
  bool padded, started;
  int cells() const { return layers * directions; }
};

// Inputs: x by position, the weights by cell, and where `started` the states to start from by cell.
Encoded run_network(CellKind kind, const NetworkShape& shape, const Tensor& present, const Tensors& inputs) {
  const auto at = [&](int place) { return inputs.begin() + place; };
  const bool has_memory = kind == CellKind::lstm;
  const int weights = shape.positions, states = weights + 4 * shape.cells();
  std::vector<Cell> cells;
  std::vector<CellState> first;
  for (int i = 0; i < shape.cells(); ++i) {
    cells.emplace_back(kind, weights_from(inputs, weights + 4 * i));
    const int state = states + (has_memory ? 2 : 1) * i;
    if (shape.started) first.push_back({inputs[state], has_memory ? inputs[state + 1] : Tensor()});
  }
  return Recurrent(cells, shape.directions == 2).run(Tensors(at(0), at(weights)), present, first);
}

GradientCase network_case(Samples& random, CellKind kind, int blocks) {
  const Sizes sizes{random.up_to(3), random.up_to(3), random.up_to(3), blocks};
  const NetworkShape shape{random.up_to(4), random.up_to(2), random.up_to(2), random.coin(), random.coin()};
  Tensors inputs;
  for (int t = 0; t < shape.positions; ++t) inputs.push_back(random.tensor({sizes.batch, sizes.input}));
  for (int i = 0; i < shape.cells(); ++i)
    append_weights(random, sizes, i < shape.directions ? sizes.input : shape.directions * sizes.hidden, inputs);
  for (int i = 0; shape.started && i < shape.cells() * (kind == CellKind::lstm ? 2 : 1); ++i)
    inputs.push_back(random.tensor({sizes.batch, sizes.hidden}, -1, 1));
  const Tensor present = shape.padded ? any_present(random, sizes.batch, shape.positions) : Tensor();
  return {inputs, [=](const Tensors& x) { return all_values(run_network(kind, shape, present, x)); }};
}

// The kinds without a kink, and how many blocks of rows each has.
constexpr std::pair<CellKind, int> smooth[] = {
    {CellKind::rnn, 1}, {CellKind::gru, 3}, {CellKind::gru_reset_before, 3}, {CellKind::lstm, lstm_blocks}};

GradientCase any_network(Samples& random) {
  const auto& [kind, blocks] = smooth[random.below(4)];
  return network_case(random, kind, blocks);
}

const GradientCases cases = {
    {"rnn_step(x, before, weights)", step_case(rnn_step, 1)},
    {"rnn_relu_step(x, before, weights)", relu_step},
    {"gru_step(x, before, weights)", step_case(gru_step, 3)},
    {"gru_reset_before_step(x, before, weights)", step_case(gru_reset_before_step, 3)},
    {"lstm_step(x, before, weights)", step_case(lstm_step, lstm_blocks)},
    {"step(x, before)", step_case(step_of(CellKind::lstm), lstm_blocks)},
    {"run(x, present, first)", any_network},
};

}  // namespace

TEST_CASE("gradients of recurrent cells and networks") { cases.check(); }

TEST_CASE("gradients of a network of each kind") {
  for (const auto& [kind, blocks] : smooth)
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
      CAPTURE(static_cast<int>(kind));
      CAPTURE(seed);
      Samples random(seed);
      CHECK(gradient_error(network_case(random, kind, blocks), random) < 1e-6);
    }
}
