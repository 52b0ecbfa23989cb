#include "engine/nn/recurrent/cell.h"
#include "tests/engine/support/models.h"

namespace {

std::unique_ptr<Model> recurrent(const Config& config) { return make_model(with({{"kind", "recurrent"}}, config)); }

// ‖∂L/∂h_t‖ of layer 0 for each position.
std::vector<double> gradient_norms(const Config& config) {
  const auto model = recurrent(config);
  LiveTape tape(Tape::Detail::trace);
  backward(model->loss());
  std::vector<double> norms;
  for (int t = 0; t < model->inputs()[0].value.shape()[0]; ++t)
    norms.push_back(norm(node(tape, "cell.0.t" + std::to_string(t) + "/h").gradient));
  return norms;
}

// In the linear range of tanh: the state stays 0, and h = U h_before to first order.
Config linear_regime(const std::string& cell, double scale, int positions) {
  return with({{"cell", cell}, {"positions", double(positions)}, {"scale", scale}},
              "hidden=6 input_scale=0 bias=false orthogonal=true");
}

// The fraction of the gradient left `positions` − 1 positions before the end.
double left_over(const Config& config) {
  const std::vector<double> norms = gradient_norms(config);
  return norms.front() / norms.back();
}

}  // namespace

TEST_CASE("in the linear regime the gradient falls and grows with the scale of U") {
  for (double scale : {0.5, 1.0, 1.5}) {
    CAPTURE(scale);
    const std::vector<double> norms = gradient_norms(linear_regime("rnn", scale, 30));
    REQUIRE(norms.size() == 30);
    for (std::size_t lag = 1; lag < norms.size(); ++lag)
      CHECK(norms[29 - lag] == doctest::Approx(norms[29] * std::pow(scale, lag)).epsilon(1e-4));
  }
}

TEST_CASE("with inputs the gradient of tanh vanishes faster; an LSTM that forgets less passes more of it on") {
  const Config rnn = linear_regime("rnn", 0.5, 30), config = linear_regime("lstm", 0.5, 30);
  CHECK(left_over(with(rnn, "input_scale=1")) < left_over(rnn));
  const double zero = left_over(config), one = left_over(with(config, "forget_bias=1"));
  const double four = left_over(with(config, "forget_bias=4"));
  CHECK(one > 100 * zero);
  CHECK(four > 10 * one);
  CHECK(one > 100 * left_over(rnn));
}

TEST_CASE("the gradient has a norm at every lag from 0 to 100, and attention is a shortcut to the first state") {
  const auto check_lags = [](const Config& config) {
    const std::vector<double> norms = gradient_norms(config);
    CHECK(norms.size() == 101);
    for (double each : norms) CHECK((std::isfinite(each) && each > 0));
  };
  for (const std::string cell : {"rnn", "gru", "lstm"}) {
    CAPTURE(cell);
    check_lags(linear_regime(cell, 0.9, 101));
    check_lags(with(linear_regime(cell, 0.9, 101), "attention=true"));
    const Config config = with(linear_regime(cell, 0.5, 50), "input_scale=0.5");
    CHECK(left_over(with(config, "attention=true")) > 1000 * left_over(config));
  }
}

TEST_CASE("the last state is that of the highest layer, the backward direction's after position 0") {
  const auto model = recurrent(settings("cell=gru hidden=3 layers=2 bidirectional=true"));
  LiveTape tape(Tape::Detail::trace);
  model->loss();
  REQUIRE(model->output().shape() == Shape{1, 6});
  CHECK(same_bits(slice(model->output(), 1, 0, 3), node(tape, "cell.1.t4/h").value));
  CHECK(same_bits(slice(model->output(), 1, 3, 3), node(tape, "cell.1_reverse.t0/h").value));
}

TEST_CASE("every gate of every kind of cell is on the tape by its letter") {
  const std::map<std::string, std::string> letters = {
      {"rnn", "h"}, {"rnn_relu", "h"}, {"gru", "rznh"}, {"gru_reset_before", "rznh"}, {"lstm", "ifgoch"}};
  for (const std::string& cell : cell_kinds()) {
    const auto model = recurrent({{"cell", cell}, {"positions", 3.0}});
    LiveTape tape(Tape::Detail::trace);
    model->loss();
    for (int t = 0; t < 3; ++t)
      for (char letter : letters.at(cell)) check_names(tape, {"cell.0.t" + std::to_string(t) + "/" + letter});
  }
}

TEST_CASE("orthogonal: each block of U has orthonormal rows, times the scale") {
  const auto model = recurrent(settings("cell=lstm hidden=5 orthogonal=true scale=2"));
  const Tensor U = model->parameters().find("cell.0.U")->value;  // (20, 5)
  for (int block = 0; block < 4; ++block) {
    const Tensor rows = slice(U, 0, 5 * block, 5);
    expect(matmul(rows, rows, Transposed::b), {5, 5},
           {4, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 4}, 1e-5);
  }
}

TEST_CASE("X and target are those of the config or drawn by the seed; X may have another number of positions") {
  using List = std::vector<double>;
  const Config given = with(settings("size=2 hidden=1 positions=2"), {{"X", List{1, 2, 3, 4}}, {"target", List{0.5}}});
  const auto model = recurrent(given);
  expect(model->inputs()[0].value, {2, 2}, {1, 2, 3, 4}, 0);
  expect(model->inputs()[1].value, {1, 1}, {0.5}, 0);
  CHECK(same_bits(recurrent({{"seed", 7.0}})->loss(), recurrent({{"seed", 7.0}})->loss()));
  model->set_input("X", Tensor::full({7, 2}, 1));
  CHECK(std::isfinite(model->loss().item()));
  CHECK(REFUSAL(shape, model->set_input("X", Tensor::full({102, 2}, 1))) ==
        "X is (102, 2): use 1 to 101 positions of 2 numbers each.");
}
