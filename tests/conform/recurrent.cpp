// RNN, GRU and LSTM of PyTorch, and of ONNX.
#include "engine/nn/recurrent/recurrent.h"

#include <algorithm>

#include "tests/conform/onnx.h"

namespace unroll::conform {
namespace {

// ── From the layout of the cases to the engine's, and back ───────────────────────────────────────────────────────────

// (B, S, X) → S of (B, X)
std::vector<Tensor> positions_of(const Tensor& x) {
  std::vector<Tensor> positions;
  for (int t = 0; t < x.shape()[1]; ++t) positions.push_back(at_position(x, t));
  return positions;
}

// (B) → (B, S), as Recurrent::run takes it
Tensor present_at(const Tensor& lengths, int positions) {
  return present_tokens(std::vector<int>(lengths.values().begin(), lengths.values().end()), positions);
}

// C of (B, H) → (C, B, H)
Tensor stacked(const std::vector<CellState>& states, Tensor CellState::*member) {
  std::vector<Operand> parts;
  for (const CellState& state : states) {
    const Tensor& part = state.*member;
    parts.emplace_back(reshape(part, part.shape().inserted(0)));
  }
  return concat(parts, 0);
}
Tensor stacked_h(const std::vector<CellState>& states) { return stacked(states, &CellState::h); }
Tensor stacked_c(const std::vector<CellState>& states) { return stacked(states, &CellState::c); }

Tensor of_cell(const Tensor& states, int cell) { return reshape(slice(states, 0, cell, 1), states.shape().without(0)); }

// (C, B, H) → C of (B, H); c may be no tensor
std::vector<CellState> states_of(const Tensor& h, const Tensor& c) {
  std::vector<CellState> states;
  for (int cell = 0; cell < h.shape()[0]; ++cell) states.push_back({of_cell(h, cell), c ? of_cell(c, cell) : Tensor()});
  return states;
}

// ── PyTorch ──────────────────────────────────────────────────────────────────────────────────────────────────────────

// PyTorch's names: weight_ih_l1_reverse is W of layer 1, backward.
CellWeights weights_named(const Arguments& arguments, const std::string& ending) {
  const Tensor W = arguments.param_ending("weight_ih" + ending), U = arguments.param_ending("weight_hh" + ending);
  const auto bias = [&](const char* name) {
    const Tensor given = arguments.optional_param_ending(name + ending);
    return given ? given : Tensor::full({W.shape()[0]}, 0);
  };
  return {W, U, bias("bias_ih"), bias("bias_hh")};
}

Recurrent network_of(const Arguments& arguments, CellKind kind) {
  const bool bidirectional = arguments.option("bidirectional", false);
  std::vector<Cell> cells;
  for (int layer = 0; layer < arguments.option("num_layers", 1); ++layer)
    for (const char* direction : {"", "_reverse"})
      if (bidirectional || *direction == '\0')
        cells.emplace_back(kind, weights_named(arguments, "_l" + std::to_string(layer) + direction));
  return Recurrent(cells, bidirectional);
}

// The three blocks, either named separately in the case or all in one.
Tensor blocks_of(const Arguments& arguments, const std::string& letter) {
  if (const Tensor whole = arguments.optional_param(letter)) return whole;
  return concat({arguments.param(letter + "r"), arguments.param(letter + "z"), arguments.param(letter + "n")}, 0);
}

Recurrent network_of_cho(const Arguments& arguments) {
  const Tensor W = blocks_of(arguments, "W"), U = blocks_of(arguments, "U"), b = blocks_of(arguments, "b");
  return Recurrent({Cell(CellKind::gru_reset_before, {W, U, b, Tensor::full(b.shape(), 0)})}, false);
}

std::vector<CellState> first_states(const Arguments& arguments) {
  const auto with_axis = [](const Tensor& state) {
    return state && state.rank() == 2 ? reshape(state, state.shape().inserted(0)) : state;
  };
  const Tensor h = with_axis(arguments.optional_input("h0")), c = with_axis(arguments.optional_input("c0"));
  return h ? states_of(h, c) : std::vector<CellState>();
}

Results run(const Recurrent& network, const Arguments& arguments) {
  const Tensor lengths = arguments.optional_input("lengths");
  std::vector<Tensor> x = positions_of(arguments.input("x"));
  if (arguments.option("go_backwards", false)) std::ranges::reverse(x);
  const RecurrentOutput encoded =
      network.run(x, lengths ? present_at(lengths, static_cast<int>(x.size())) : Tensor(), first_states(arguments));
  Results results = {{"y", join_positions(encoded.states)}, {"h_n", stacked_h(encoded.last)}};
  if (encoded.last[0].c) results.emplace("c_n", stacked_c(encoded.last));
  return results;
}

CellKind elman_kind(const Arguments& arguments) {
  const std::string nonlinearity = arguments.option<std::string>("nonlinearity", "tanh");
  if (nonlinearity != "tanh" && nonlinearity != "relu") throw Skip("the engine has no rnn with " + nonlinearity);
  return nonlinearity == "relu" ? CellKind::rnn_relu : CellKind::rnn;
}

// Some cases give the last state of their only cell without the axis of cells.
Check recurrent(Forward forward) {
  return [=](Json test, Findings& findings) {
    for (const char* group : {"outputs", "cotangents"})
      for (const char* name : {"h_n", "c_n"})
        if (const auto shape = Json::json_pointer(std::string("/") + group + "/" + name + "/shape");
            test.contains(shape) && test[shape].size() == 2)
          test[shape].insert(test[shape].begin(), 1);
    check_differentiable(test, forward, findings);
  };
}

const Kind kinds[] = {
    {"rnn", recurrent([](const Arguments& a) { return run(network_of(a, elman_kind(a)), a); })},
    {"gru", recurrent([](const Arguments& a) { return run(network_of(a, CellKind::gru), a); })},
    {"lstm", recurrent([](const Arguments& a) { return run(network_of(a, CellKind::lstm), a); })},
    {"gru_cho2014", recurrent([](const Arguments& a) { return run(network_of_cho(a), a); })},
};

// ── ONNX ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

using Words = std::vector<std::string>;

// Shared by the three operators: D directions, x by position, the initial states.
struct Sequence {
  explicit Sequence(const Node& node)
      : layout(node.attribute("layout", 0)), direction(node.attribute<std::string>("direction", "forward")) {
    if (node.has("clip")) throw Skip("the engine has no clipping of a cell's sums");
    x = positions_of(by_batch(node[0], 1));
    if (node.optional(4)) present = present_at(node.optional(4), static_cast<int>(x.size()));
    if (node.optional(5)) first = states_of(cells_first(node.optional(5)), memory(node));
  }

  // (S, B, …) of layout 0 as (B, S, …), and (B, D, H) of layout 1 as (D, B, H).
  Tensor by_batch(const Tensor& value, int batch_in_front) const {
    return layout == batch_in_front ? value : permute(value, {1, 0, 2});
  }
  Tensor cells_first(const Tensor& states) const { return by_batch(states, 0); }
  Tensor memory(const Node& node) const { return node.optional(6) ? cells_first(node.optional(6)) : Tensor(); }

  int layout;
  std::string direction;
  std::vector<Tensor> x, states = {};
  Tensor present = {};
  std::vector<CellState> first = {};
};

// Reorders the blocks of H rows of one direction.
Tensor reordered(const Tensor& rows, const std::vector<int>& order) {
  const int hidden = rows.shape()[0] / static_cast<int>(order.size());
  std::vector<Operand> blocks;
  for (int block : order) blocks.emplace_back(slice(rows, 0, block * hidden, hidden));
  return concat(blocks, 0);
}

// `order` has the index in ONNX of each of the engine's blocks.
CellWeights weights_of(const Node& node, int direction, const std::vector<int>& order) {
  const Tensor W = of_cell(node[1], direction), R = of_cell(node[2], direction);
  const int rows = W.shape()[0];
  const Tensor B = node.optional(3) ? of_cell(node.optional(3), direction) : Tensor::full({2 * rows}, 0);
  return {reordered(W, order), reordered(R, order), reordered(slice(B, 0, 0, rows), order),
          reordered(slice(B, 0, rows, rows), order)};
}

// Y (S, D, B, H) and Y_h, Y_c (D, B, H); with layout 1 (B, S, D, H) and (B, D, H).
std::vector<Tensor> results_of(const Sequence& sequence, const std::vector<Tensor>& states,
                               const std::vector<CellState>& last) {
  const int cells = static_cast<int>(last.size()), hidden = last[0].h.shape()[1];
  const Tensor y = join_positions(states);  // (B, S, D·H)
  const Tensor parted = reshape(y, {y.shape()[0], y.shape()[1], cells, hidden});
  const auto as_asked = [&](const Tensor& each) { return sequence.layout == 1 ? permute(each, {1, 0, 2}) : each; };
  std::vector<Tensor> results = {sequence.layout == 1 ? parted : permute(parted, {1, 2, 0, 3}),
                                 as_asked(stacked_h(last))};
  if (last[0].c) results.push_back(as_asked(stacked_c(last)));
  return results;
}

std::vector<Tensor> run(const Node& node, CellKind kind, const std::vector<int>& order) {
  const Sequence sequence(node);
  const auto cell = [&](int direction) { return Cell(kind, weights_of(node, direction, order)); };
  if (sequence.direction != "reverse") {
    std::vector<Cell> cells = {cell(0)};
    if (sequence.direction == "bidirectional") cells.push_back(cell(1));
    const RecurrentOutput encoded =
        Recurrent(cells, cells.size() == 2).run(sequence.x, sequence.present, sequence.first);
    return results_of(sequence, encoded.states, encoded.last);
  }
  // The backward half of both directions.
  std::vector<CellState> twice = sequence.first;
  twice.insert(twice.end(), sequence.first.begin(), sequence.first.end());
  const RecurrentOutput encoded = Recurrent({cell(0), cell(0)}, true).run(sequence.x, sequence.present, twice);
  const int hidden = encoded.last[1].h.shape()[1];
  std::vector<Tensor> states;
  for (const Tensor& both : encoded.states) states.push_back(slice(both, -1, hidden, hidden));
  return results_of(sequence, states, {encoded.last[1]});
}

// Checks that every direction has the wanted activations.
void require_activations(const Node& node, const Words& wanted) {
  const Words given = node.attribute("activations", wanted);
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i] != wanted[i % wanted.size()]) throw Skip("the engine has no such cell with " + given[i]);
}

// The LSTM whose gates also see the memory: i and f the previous one, o the new one. (Gers et al. 2002.)
CellState peephole_step(const Tensor& x, const CellState& before, const CellWeights& weights, const Tensor& P) {
  const int H = before.h.shape()[1];
  const auto peephole = [&](int block) { return slice(P, 0, block * H, H); };  // ONNX's order: i, o, f
  const Tensor Wx = matmul(x, weights.W, Transposed::b) + weights.b;
  const Tensor Uh = matmul(before.h, weights.U, Transposed::b) + weights.c;
  const Tensor sums = Wx + Uh;  // (B, 4H): i, f, g, o
  const auto block = [&](int place) { return slice(sums, 1, place * H, H); };
  const Tensor i_seen = before.c * peephole(0), f_seen = before.c * peephole(2);
  const Tensor i = sigmoid(i_seen + block(0)), f = sigmoid(f_seen + block(1)), g = tanh(block(2));
  const Tensor kept = f * before.c, written = i * g, c = kept + written, o_seen = c * peephole(1);
  const Tensor o = sigmoid(o_seen + block(3));
  return {o * tanh(c), c};
}

std::vector<Tensor> lstm_with_peepholes(const Node& node, const std::vector<int>& order) {
  const Sequence sequence(node);
  if (sequence.direction != "forward") throw Skip("peepholes are run forward only");
  const CellWeights weights = weights_of(node, 0, order);
  const Tensor P = of_cell(node[7], 0);
  CellState state =
      sequence.first.empty() ? Cell(CellKind::lstm, weights).zero_state(sequence.x[0].shape()[0]) : sequence.first[0];
  std::vector<Tensor> states;
  for (std::size_t t = 0; t < sequence.x.size(); ++t) {
    CellState after = peephole_step(sequence.x[t], state, weights, P);
    if (sequence.present) {
      const Tensor mark = slice(sequence.present, 1, static_cast<int>(t), 1);
      states.push_back(mark * after.h);
      after = {where(mark, after.h, state.h), where(mark, after.c, state.c)};
    } else {
      states.push_back(after.h);
    }
    state = after;
  }
  return results_of(sequence, states, {state});
}

ONNX(RNN) {
  const Words activations = node.attribute("activations", Words{"Tanh"});
  const bool relu = activations[0] == "Relu";
  require_activations(node, {relu ? "Relu" : "Tanh"});
  return run(node, relu ? CellKind::rnn_relu : CellKind::rnn, {0});
}

ONNX(GRU) {
  require_activations(node, {"Sigmoid", "Tanh"});
  const bool after = node.attribute("linear_before_reset", 0) != 0;
  return run(node, after ? CellKind::gru : CellKind::gru_reset_before, {1, 0, 2});  // ONNX's order: z, r, h
}

ONNX(LSTM) {
  require_activations(node, {"Sigmoid", "Tanh", "Tanh"});
  if (node.attribute("input_forget", 0) != 0) throw Skip("the engine has no LSTM with input and forget gate in one");
  const std::vector<int> order = {0, 2, 3, 1};  // ONNX's order: i, o, f, c
  return node.optional(7) ? lstm_with_peepholes(node, order) : run(node, CellKind::lstm, order);
}

}  // namespace
}  // namespace unroll::conform
