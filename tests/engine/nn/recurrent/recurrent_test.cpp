#include "engine/nn/recurrent/recurrent.h"

#include "tests/engine/support/test.h"

namespace {

double sigma(double x) { return 1 / (1 + std::exp(-x)); }

// X = H = 1: the rows of W, U, b and c in turn.
CellWeights weights(std::initializer_list<Scalar> W, std::initializer_list<Scalar> U, std::initializer_list<Scalar> b,
                    std::initializer_list<Scalar> c) {
  const int rows = static_cast<int>(W.size());
  return {Tensor({rows, 1}, W), Tensor({rows, 1}, U), Tensor({rows}, b), Tensor({rows}, c)};
}

Tensor one(Scalar value) { return Tensor({1, 1}, {value}); }

std::vector<Tensor> any_sequence(Samples& random, int batch, int positions, int input) {
  std::vector<Tensor> x;
  for (int t = 0; t < positions; ++t) x.push_back(random.tensor({batch, input}));
  return x;
}

Tensor row(const Tensor& x, int i) { return slice(x, 0, i, 1); }

Recurrent any_network(Parameters& parameters, CellKind kind) {
  return Recurrent({.cell = kind, .input = 3, .hidden = 4, .layers = 2, .bidirectional = true}, parameters, "net");
}

}  // namespace

TEST_CASE("gru by hand: rows r, z, n, and both positions of the reset gate") {
  const CellWeights p = weights({1, 2, 3}, {-1, 0.5, 2}, {0.1, 0.2, 0.3}, {-0.1, 0.4, 0.7});
  const double x = 0.5, h = 0.8, r = sigma(x + 0.1 - h - 0.1), z = sigma(2 * x + 0.2 + 0.5 * h + 0.4);
  const double after = std::tanh(3 * x + 0.3 + r * (2 * h + 0.7)), before = std::tanh(3 * x + 0.3 + 2 * r * h + 0.7);
  const CellState state{one(0.8)};
  expect(gru_step(one(0.5), state, p).h, {1, 1}, {(1 - z) * after + z * h});
  expect(gru_reset_before_step(one(0.5), state, p).h, {1, 1}, {(1 - z) * before + z * h});
}

TEST_CASE("lstm by hand: rows i, f, g, o") {
  const CellWeights p = weights({1, 2, 3, 4}, {0.5, -1, 0.2, 0.3}, {0.1, 0.2, 0.3, 0.4}, {-0.5, 0.6, -0.7, 0.8});
  const double x = 0.5, h = 0.8, i = sigma(x + 0.5 * h - 0.4), f = sigma(2 * x - h + 0.8);
  const double g = std::tanh(3 * x + 0.2 * h - 0.4), o = sigma(4 * x + 0.3 * h + 1.2), c = f * 0.25 + i * g;
  const CellState after = lstm_step(one(0.5), {one(0.8), one(0.25)}, p);
  expect(after.c, {1, 1}, {c});
  expect(after.h, {1, 1}, {o * std::tanh(c)});
}

TEST_CASE("cells have names, and rnn and rnn_relu by hand") {
  CHECK(cell_kinds() == std::vector<std::string>{"rnn", "rnn_relu", "gru", "gru_reset_before", "lstm"});
  const CellWeights p = weights({0.5}, {-1}, {0.1}, {0.2});
  expect(rnn_step(one(2), {one(0.5)}, p).h, {1, 1}, {std::tanh(1 + 0.1 - 0.5 + 0.2)});
  expect(rnn_relu_step(one(2), {one(0.5)}, p).h, {1, 1}, {0.8});
  expect(rnn_relu_step(one(-2), {one(0.5)}, p).h, {1, 1}, {0}, 0);
}

TEST_CASE("parameters start between ±1/√H; the forget bias is added only to f's rows of b") {
  Parameters parameters(3), biased(3);
  const Cell cell(CellKind::lstm, parameters, "cell", 50, 25), other(CellKind::lstm, biased, "cell", 50, 25, 1);
  CHECK(parameters.count() == 100 * (50 + 25 + 1 + 1));
  for (const Parameter& parameter : parameters.all()) {
    CAPTURE(parameter.name);
    const Tensor size = max(reshape(sqrt(square(parameter.value)), {static_cast<int>(parameter.value.size())}), 0);
    CHECK(size.item() <= Scalar(0.2));
    CHECK(size.item() > Scalar(0.18));
  }
  const Tensor more = biased.find("cell.b")->value - parameters.find("cell.b")->value;
  for (int i = 0; i < 100; ++i) CHECK(more.data()[i] == doctest::Approx(i / 25 == 1 ? 1 : 0));
  CHECK(same_bits(biased.find("cell.c")->value, parameters.find("cell.c")->value));
}

TEST_CASE("parameters and steps are named by layer and direction, and the second layer reads both directions") {
  Parameters parameters(1);
  const Recurrent network = any_network(parameters, CellKind::gru);
  std::string names;
  for (const Parameter& parameter : parameters.all())
    if (parameter.name.ends_with(".W")) names += parameter.name + text_of(parameter.value.shape()) + ' ';
  CHECK(names == "net.0.W(12, 3) net.0_reverse.W(12, 3) net.1.W(12, 8) net.1_reverse.W(12, 8) ");
  Samples random(9);
  LiveTape tape(Tape::Detail::trace);
  Scope scope("encoder");
  network.run(any_sequence(random, 1, 3, 3));
  check_names(tape, {"encoder.0.t2/z", "encoder.0_reverse.t0/n", "encoder.0_both.t1/h", "encoder.1.t0/r"});
}

TEST_CASE("padding changes nothing: each row is as if alone; if every token is present, nothing more is computed") {
  for (std::size_t kind = 0; kind < cell_kinds().size(); ++kind) {
    CAPTURE(cell_kinds()[kind]);
    Samples random(4);
    Parameters parameters(1);
    const Recurrent network = any_network(parameters, static_cast<CellKind>(kind));
    const std::vector<Tensor> x = any_sequence(random, 2, 5, 3);
    const RecurrentOutput together = network.run(x, Tensor({2, 5}, {1, 1, 1, 1, 1, 1, 1, 0, 0, 0}));

    std::vector<Tensor> second;  // row 1 has two tokens
    for (int t = 0; t < 2; ++t) second.push_back(row(x[t], 1));
    const RecurrentOutput alone = network.run(second);
    for (int t = 0; t < 2; ++t) CHECK(same_bits(row(together.states[t], 1), alone.states[t]));
    for (int t = 2; t < 5; ++t) expect(row(together.states[t], 1), {1, 8}, std::vector<double>(8, 0), 0);
    REQUIRE(together.last.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) CHECK(same_bits(row(together.last[i].h, 1), alone.last[i].h));
  }
  Samples random(4);
  Parameters parameters(1);
  const Recurrent network = any_network(parameters, CellKind::lstm);
  const std::vector<Tensor> x = any_sequence(random, 2, 5, 3);
  const auto nodes_with = [&](const Tensor& present) {
    LiveTape tape(Tape::Detail::trace);
    network.run(x, present);
    return tape.nodes().size();
  };
  CHECK(nodes_with(Tensor::full({2, 5}, 1)) == nodes_with({}));
  CHECK(nodes_with(Tensor({2, 5}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 0})) > nodes_with({}));
}

TEST_CASE("last: forward after the last position, backward after position 0; first continues from there") {
  Samples random(9);
  Parameters parameters(1);
  const Recurrent network({.cell = CellKind::lstm, .input = 3, .hidden = 4, .bidirectional = true}, parameters, "net");
  const std::vector<Tensor> x = any_sequence(random, 2, 4, 3);
  const RecurrentOutput whole = network.run(x);
  CHECK(same_bits(whole.last[0].h, slice(whole.states[3], 1, 0, 4)));
  CHECK(same_bits(whole.last[1].h, slice(whole.states[0], 1, 4, 4)));

  const Recurrent forward({.cell = CellKind::lstm, .input = 3, .hidden = 4}, parameters, "forward");
  const RecurrentOutput start = forward.run({x[0], x[1]}), rest = forward.run({x[2], x[3]}, {}, start.last);
  CHECK(same_bits(rest.last[0].c, forward.run(x).last[0].c));
}

TEST_CASE("sizes that do not fit are refused") {
  Parameters parameters(1);
  const Recurrent network = any_network(parameters, CellKind::gru);
  const std::vector<Tensor> x = {Tensor::full({2, 3}, 1)};
  const auto refused = [&](const std::vector<Tensor>& x, const Tensor& present, std::vector<CellState> first) {
    return REFUSAL(shape, network.run(x, present, first));
  };
  CHECK(refused({}, {}, {}) == "[recurrent] there is no position: give at least one.");
  CHECK(refused(x, Tensor({1, 2}), {}) == "[recurrent] present is (1, 2): use one mark a row and position, (2, 1).");
  CHECK(refused(x, {}, {{Tensor({2, 4})}}) == "[recurrent] 1 states to start from are given: give one a cell, 4.");
}
