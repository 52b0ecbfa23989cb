#include "engine/nn/recurrent.h"

#include "engine/autograd/tape.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

std::string layer_name(int layer, bool reverse) { return std::to_string(layer) + (reverse ? "_reverse" : ""); }

std::string position_name(std::size_t t) { return "t" + std::to_string(t); }

// For each position which rows have a token there (B, 1); no tensor where all have.
std::vector<Tensor> marks_of(const Tensor& present, std::size_t positions) {
  std::vector<Tensor> marks(positions);
  if (!present) return marks;
  for (std::size_t t = 0; t < positions; ++t) {
    bool all = true;
    for (std::size_t i = t; i < present.size(); i += positions) all = all && present.data()[i] != 0;
    if (!all) marks[t] = slice(present, 1, static_cast<int>(t), 1);
  }
  return marks;
}

// The state after a position that not every row has: a row without it keeps the state it had.
CellState kept(const Tensor& mark, const CellState& after, const CellState& before) {
  CellState state{where(mark, after.h, before.h).as("h kept")};
  if (after.c) state.c = where(mark, after.c, before.c).as("c kept");
  return state;
}

struct Pass {
  std::vector<Tensor> states;  // S of (B, H)
  CellState last;
};

// One layer in one direction, from `state` on.
Pass pass_over(const std::vector<Tensor>& x, const std::vector<Tensor>& marks, const Cell& cell, CellState state,
               bool reverse) {
  std::vector<Tensor> states(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t t = reverse ? x.size() - 1 - i : i;
    Scope position(position_name(t));
    const CellState after = cell.step(x[t], state);
    state = marks[t] ? kept(marks[t], after, state) : after;
    states[t] = marks[t] ? where(marks[t], after.h, 0).as("h shown") : after.h;
  }
  return {states, state};
}

// S of (B, 2H)
std::vector<Tensor> side_by_side(const std::vector<Tensor>& forward, const std::vector<Tensor>& backward) {
  std::vector<Tensor> states(forward.size());
  for (std::size_t t = 0; t < states.size(); ++t) {
    Scope position(position_name(t));
    states[t] = concat({forward[t], backward[t]}, -1).as("h");
  }
  return states;
}

}  // namespace

Recurrent::Recurrent(const RecurrentOptions& options, Parameters& parameters, const std::string& name)
    : directions_(options.bidirectional ? 2 : 1) {
  for (int layer = 0; layer < options.layers; ++layer)
    for (int direction = 0; direction < directions_; ++direction)
      cells_.emplace_back(options.cell, parameters, name + "." + layer_name(layer, direction == 1),
                          layer == 0 ? options.input : directions_ * options.hidden, options.hidden,
                          options.forget_bias);
}

Recurrent::Recurrent(std::vector<Cell> cells, bool bidirectional)
    : cells_(std::move(cells)), directions_(bidirectional ? 2 : 1) {}

Encoded Recurrent::run(const std::vector<Tensor>& x, const Tensor& present, const std::vector<CellState>& first) const {
  check(x, present, first);
  const std::vector<Tensor> marks = marks_of(present, x.size());
  Encoded encoded{x, {}};
  const int layers = static_cast<int>(cells_.size()) / directions_;
  for (int layer = 0; layer < layers; ++layer) encoded.states = run_layer(layer, marks, first, encoded);
  return encoded;
}

std::vector<CellState> Recurrent::step(Operand x, const std::vector<CellState>& before) const {
  std::vector<CellState> after;
  for (std::size_t layer = 0; layer < cells_.size(); ++layer) {
    Scope scope(std::to_string(layer));
    after.push_back(cells_[layer].step(layer == 0 ? Tensor(x) : after.back().h, before[layer]));
  }
  return after;
}

std::vector<CellState> Recurrent::zero_states(int batch) const {
  std::vector<CellState> states;
  for (const Cell& cell : cells_) states.push_back(cell.zero_state(batch));
  return states;
}

void Recurrent::check(const std::vector<Tensor>& x, const Tensor& present, const std::vector<CellState>& first) const {
  if (x.empty()) fail(ErrorCode::shape, "[recurrent] there is no position: give at least one.");
  const Shape wanted = {x[0].shape()[0], static_cast<int>(x.size())};
  if (present && present.shape() != wanted)
    fail(ErrorCode::shape, "[recurrent] present is ", present.shape(), ": use one mark a row and position, ", wanted,
         ".");
  if (!first.empty() && first.size() != cells_.size())
    fail(ErrorCode::shape, "[recurrent] ", first.size(), " states to start from are given: give one a cell, ",
         cells_.size(), ".");
}

std::vector<Tensor> Recurrent::run_layer(int layer, const std::vector<Tensor>& marks,
                                         const std::vector<CellState>& first, Encoded& encoded) const {
  const int batch = encoded.states[0].shape()[0];
  std::vector<std::vector<Tensor>> states;  // by direction
  for (int direction = 0; direction < directions_; ++direction) {
    Scope scope(layer_name(layer, direction == 1));
    const std::size_t place = encoded.last.size();
    const CellState start = first.empty() ? cells_[place].zero_state(batch) : first[place];
    const Pass pass = pass_over(encoded.states, marks, cells_[place], start, direction == 1);
    states.push_back(pass.states);
    encoded.last.push_back(pass.last);
  }
  if (directions_ == 1) return states[0];
  Scope scope(std::to_string(layer) + "_both");
  return side_by_side(states[0], states[1]);
}

}  // namespace unroll
