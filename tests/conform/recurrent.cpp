#include "tests/conform/recurrent.h"

#include <algorithm>

#include "engine/nn/recurrent/sequence.h"

namespace unroll::conform {
namespace {

Tensor stacked(const std::vector<CellState>& states, Tensor CellState::*member) {
  std::vector<Operand> parts;
  for (const CellState& state : states) {
    const Tensor& part = state.*member;
    parts.emplace_back(reshape(part, part.shape().inserted(0)));
  }
  return concat(parts, 0);
}

Tensor of_cell(const Tensor& states, int cell) { return reshape(slice(states, 0, cell, 1), states.shape().without(0)); }

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

}  // namespace

std::vector<Tensor> positions_of(const Tensor& x) {
  std::vector<Tensor> positions;
  for (int t = 0; t < x.shape()[1]; ++t) positions.push_back(at_position(x, t));
  return positions;
}

Tensor present_at(const Tensor& lengths, int positions) {
  return present_tokens(std::vector<int>(lengths.values().begin(), lengths.values().end()), positions);
}

Tensor stacked_h(const std::vector<CellState>& states) { return stacked(states, &CellState::h); }
Tensor stacked_c(const std::vector<CellState>& states) { return stacked(states, &CellState::c); }

std::vector<CellState> states_of(const Tensor& h, const Tensor& c) {
  std::vector<CellState> states;
  for (int cell = 0; cell < h.shape()[0]; ++cell) states.push_back({of_cell(h, cell), c ? of_cell(c, cell) : Tensor()});
  return states;
}

}  // namespace unroll::conform
