#include "engine/nn/recurrent/cell.h"

#include <array>
#include <cmath>

namespace unroll {
namespace {

// Block i of H = `hidden` columns.
Tensor block(Operand x, int i, int hidden) { return slice(forward_operand(x), -1, i * hidden, hidden); }

Tensor sum_of_products(Operand x, const Tensor& h, const CellWeights& p) {
  const Tensor Wx = matmul(x, p.W, Transposed::b) + p.b;  // (B, G·H)
  const Tensor Uh = matmul(h, p.U, Transposed::b) + p.c;  // (B, G·H)
  return Wx + Uh;
}

// (1 − z) n + z h
CellState interpolate(Operand z, Operand n, Operand h) {
  const Tensor fresh = (1 - z) * n;
  const Tensor kept = z * h;
  return {(fresh + kept).as("h")};
}

using Step = CellState (*)(Operand x, const CellState& previous, const CellWeights& weights);

struct Kind {
  const char* name;
  int blocks;
  Step step;
};

// In the order of CellKind.
constexpr std::array<Kind, 5> kinds = {{{"rnn", 1, rnn_step},
                                        {"rnn_relu", 1, rnn_relu_step},
                                        {"gru", 3, gru_step},
                                        {"gru_reset_before", 3, gru_reset_before_step},
                                        {"lstm", 4, lstm_step}}};

const Kind& entry(CellKind kind) { return kinds[static_cast<std::size_t>(kind)]; }

// `init`, plus `amount` in rows H to 2H − 1, those of the forget gate.
Init with_forget_bias(Init init, int hidden, double amount) {
  return [=](Tensor& b, Random& random) {
    init(b, random);
    for (Scalar& value : b.values().subspan(hidden, hidden)) value += static_cast<Scalar>(amount);
  };
}

CellWeights declare_weights(CellKind kind, Parameters& parameters, const std::string& name, int input, int hidden,
                            double forget_bias) {
  const int rows = blocks_of(kind) * hidden;
  const Init start = uniform(1 / std::sqrt(static_cast<Scalar>(hidden)));
  const Init biased = kind == CellKind::lstm ? with_forget_bias(start, hidden, forget_bias) : start;
  return {.W = parameters.declare(name + ".W", {rows, input}, start),
          .U = parameters.declare(name + ".U", {rows, hidden}, start),
          .b = parameters.declare(name + ".b", {rows}, biased),
          .c = parameters.declare(name + ".c", {rows}, start)};
}

CellFunction step_of(CellKind kind, CellWeights weights) {
  return [kind, weights = std::move(weights)](const Operand& x, const CellState& previous) {
    return entry(kind).step(x, previous, weights);
  };
}

}  // namespace

CellState rnn_step(Operand x, const CellState& previous, const CellWeights& p) {
  return {tanh(sum_of_products(x, previous.h, p)).as("h")};
}

CellState rnn_relu_step(Operand x, const CellState& previous, const CellWeights& p) {
  return {relu(sum_of_products(x, previous.h, p)).as("h")};
}

CellState composite::gru_step(const Operand& x, const CellState& previous, const CellWeights& p) {
  const int H = previous.h.shape()[-1];
  const Tensor Wx = matmul(x, p.W, Transposed::b) + p.b;           // (B, 3H)
  const Tensor Uh = matmul(previous.h, p.U, Transposed::b) + p.c;  // (B, 3H)
  const Tensor sums = Wx + Uh;                                     // (B, 3H)
  const Tensor r = sigmoid(block(sums, 0, H)).as("r");             // (B, H)
  const Tensor z = sigmoid(block(sums, 1, H)).as("z");             // (B, H)
  const Tensor reset = r * block(Uh, 2, H);                        // (B, H)
  const Tensor n = tanh(reset + block(Wx, 2, H)).as("n");          // (B, H)
  return interpolate(z, n, previous.h);
}

CellState gru_reset_before_step(Operand x, const CellState& previous, const CellWeights& p) {
  const Tensor& h = previous.h;
  const int H = h.shape()[-1];
  const Tensor U_rz = slice(p.U, 0, 0, 2 * H);                  // (2H, H)
  const Tensor U_n = slice(p.U, 0, 2 * H, H);                   // (H, H)
  const Tensor Wx = matmul(x, p.W, Transposed::b) + p.b + p.c;  // (B, 3H)
  const Tensor Uh = matmul(h, U_rz, Transposed::b);             // (B, 2H)
  const Tensor sums = Uh + slice(Wx, -1, 0, 2 * H);             // (B, 2H)
  const Tensor r = sigmoid(block(sums, 0, H)).as("r");          // (B, H)
  const Tensor z = sigmoid(block(sums, 1, H)).as("z");          // (B, H)
  const Tensor reset = matmul(r * h, U_n, Transposed::b);       // (B, H)
  const Tensor n = tanh(reset + block(Wx, 2, H)).as("n");       // (B, H)
  return interpolate(z, n, h);
}

CellState composite::lstm_step(const Operand& x, const CellState& previous, const CellWeights& p) {
  const int H = previous.h.shape()[-1];
  const Tensor sums = sum_of_products(x, previous.h, p);  // (B, 4H)
  const Tensor i = sigmoid(block(sums, 0, H)).as("i");    // (B, H)
  const Tensor f = sigmoid(block(sums, 1, H)).as("f");    // (B, H)
  const Tensor g = tanh(block(sums, 2, H)).as("g");       // (B, H)
  const Tensor o = sigmoid(block(sums, 3, H)).as("o");    // (B, H)
  const Tensor kept = f * previous.c;                     // (B, H)
  const Tensor added = i * g;                             // (B, H)
  const Tensor c = (kept + added).as("c");                // (B, H)
  return {(o * tanh(c)).as("h"), c};
}

std::vector<std::string> cell_kinds() {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) names.push_back(kind.name);
  return names;
}

int blocks_of(CellKind kind) { return entry(kind).blocks; }

Cell::Cell(CellKind kind, Parameters& parameters, const std::string& name, int input, int hidden, double forget_bias)
    : kind_(kind), hidden_(hidden), step_(replaced_or(parameters.parts().cell(name, input, hidden), [&] {
        return step_of(kind, declare_weights(kind, parameters, name, input, hidden, forget_bias));
      })) {}

Cell::Cell(CellKind kind, CellWeights weights)
    : kind_(kind), hidden_(weights.U.shape()[1]), step_(step_of(kind, std::move(weights))) {}

CellState Cell::zero_state(int batch) const {
  const Shape shape = {batch, hidden_};
  CellState state{Tensor::full(shape, 0)};
  if (kind_ == CellKind::lstm) state.c = Tensor::full(shape, 0);
  return state;
}

}  // namespace unroll
