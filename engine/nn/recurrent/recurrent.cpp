#include "engine/nn/recurrent/recurrent.h"

#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/nn/tokens.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

std::string layer_name(int layer, bool reverse) { return std::to_string(layer) + (reverse ? "_reverse" : ""); }

std::string position_name(std::size_t t) { return "t" + std::to_string(t); }

// For each position, which rows have a token there (B, 1); empty if all have.
std::vector<Tensor> position_masks(const Tensor& present, std::size_t positions) {
  std::vector<Tensor> masks(positions);
  if (!present) return masks;
  for (std::size_t t = 0; t < positions; ++t) {
    bool all = true;
    for (std::size_t i = t; i < present.size(); i += positions) all = all && present.data()[i] != 0;
    if (!all) masks[t] = slice(present, 1, static_cast<int>(t), 1);
  }
  return masks;
}

// The state after a position that some rows do not have: those rows keep their previous state.
CellState masked_state(const Tensor& mask, const CellState& next, const CellState& previous) {
  CellState state{where(mask, next.h, previous.h).as("h kept")};
  if (next.c) state.c = where(mask, next.c, previous.c).as("c kept");
  return state;
}

struct Scan {
  std::vector<Tensor> states;  // S of (B, H)
  CellState last;
};

// One layer in one direction, starting from `state`.
Scan scan(const std::vector<Tensor>& x, const std::vector<Tensor>& masks, const Cell& cell, CellState state,
          bool reverse) {
  std::vector<Tensor> states(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t t = reverse ? x.size() - 1 - i : i;
    Scope position(position_name(t));
    const CellState next = cell.step(x[t], state);
    state = masks[t] ? masked_state(masks[t], next, state) : next;
    states[t] = masks[t] ? where(masks[t], next.h, 0).as("h shown") : next.h;
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

// The token of each row at position s when its tokens are read backwards; padding stays at the end.
Tensor at_mirrored(Operand ids, const std::vector<int>& lengths, int s) {
  Tensor position({ids.shape()[0]});
  for (std::size_t b = 0; b < lengths.size(); ++b)
    position.data()[b] = static_cast<Scalar>(s < lengths[b] ? lengths[b] - 1 - s : s);
  return pick(forward_operand(ids), position);
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

RecurrentOutput Recurrent::run(const std::vector<Tensor>& x, const Tensor& present,
                               const std::vector<CellState>& first) const {
  check(x, present, first);
  const std::vector<Tensor> masks = position_masks(present, x.size());
  RecurrentOutput output{x, {}};
  const int layers = static_cast<int>(cells_.size()) / directions_;
  for (int layer = 0; layer < layers; ++layer) output.states = run_layer(layer, masks, first, output);
  return output;
}

std::vector<CellState> Recurrent::step(Operand x, const std::vector<CellState>& previous) const {
  std::vector<CellState> next;
  for (std::size_t layer = 0; layer < cells_.size(); ++layer) {
    Scope scope(std::to_string(layer));
    next.push_back(cells_[layer].step(layer == 0 ? Tensor(x) : next.back().h, previous[layer]));
  }
  return next;
}

std::vector<CellState> Recurrent::zero_states(int batch) const {
  std::vector<CellState> states;
  for (const Cell& cell : cells_) states.push_back(cell.zero_state(batch));
  return states;
}

void Recurrent::check(const std::vector<Tensor>& x, const Tensor& present, const std::vector<CellState>& first) const {
  if (x.empty()) fail(ErrorCode::shape, "recurrent_without_positions");
  const Shape wanted = {x[0].shape()[0], static_cast<int>(x.size())};
  if (present && present.shape() != wanted) fail(ErrorCode::shape, "recurrent_present_shape", present.shape(), wanted);
  if (!first.empty() && first.size() != cells_.size())
    fail(ErrorCode::shape, "recurrent_initial_state_count", first.size(), cells_.size());
}

std::vector<Tensor> Recurrent::run_layer(int layer, const std::vector<Tensor>& masks,
                                         const std::vector<CellState>& first, RecurrentOutput& output) const {
  const int batch = output.states[0].shape()[0];
  std::vector<std::vector<Tensor>> states;  // by direction
  for (int direction = 0; direction < directions_; ++direction) {
    Scope scope(layer_name(layer, direction == 1));
    const std::size_t index = output.last.size();
    const CellState start = first.empty() ? cells_[index].zero_state(batch) : first[index];
    const Scan result = scan(output.states, masks, cells_[index], start, direction == 1);
    states.push_back(result.states);
    output.last.push_back(result.last);
  }
  if (directions_ == 1) return states[0];
  Scope scope(std::to_string(layer) + "_both");
  return side_by_side(states[0], states[1]);
}

RecurrentEncoder::RecurrentEncoder(const RecurrentOptions& options, int vocabulary, bool reversed,
                                   Parameters& parameters)
    : embedding_(parameters, "source_embedding", vocabulary, options.input),
      network_(options, parameters, "encoder"),
      reversed_(reversed) {}

Source RecurrentEncoder::encode(Operand ids) const {
  Scope scope("encoder", ids.where);
  const int S = ids.shape()[1];
  const std::vector<int> lengths = lengths_of(ids, pad_id);
  std::vector<Tensor> x;  // S of (B, E)
  for (int s = 0; s < S; ++s) x.push_back(embedding_(reversed_ ? at_mirrored(ids, lengths, s) : at_position(ids, s)));
  const RecurrentOutput encoded = network_.run(x, present_tokens(lengths, S));
  return {.h = join_positions(encoded.states).as("h"), .last = encoded.last, .lengths = lengths};
}

Tensor at_position(Operand x, int position) {
  return reshape(slice(forward_operand(x), 1, position, 1), x.shape().without(1));
}

Tensor join_positions(const std::vector<Tensor>& positions) {
  std::vector<Operand> columns;
  for (const Tensor& x : positions) columns.push_back(reshape(x, x.shape().inserted(1)));  // (B, 1, …)
  return concat(columns, 1);
}

std::vector<int> lengths_of(const Tensor& ids, int padding) {
  const int batch = ids.shape()[0], positions = ids.shape()[1];
  std::vector<int> lengths(static_cast<std::size_t>(batch), 0);
  for (int b = 0; b < batch; ++b)
    for (int s = 0; s < positions; ++s)
      if (ids.data()[b * positions + s] != static_cast<Scalar>(padding)) lengths[b] = s + 1;
  return lengths;
}

Tensor present_tokens(const std::vector<int>& lengths, int positions) {
  if (std::ranges::all_of(lengths, [=](int length) { return length == positions; })) return {};
  Tensor present = Tensor::full({static_cast<int>(lengths.size()), positions}, 0);
  for (std::size_t b = 0; b < lengths.size(); ++b) std::fill_n(present.data() + b * positions, lengths[b], Scalar(1));
  return present;
}

}  // namespace unroll
