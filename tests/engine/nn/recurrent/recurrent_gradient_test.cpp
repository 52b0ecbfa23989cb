#include <memory>

#include "engine/nn/recurrent/decoders.h"
#include "engine/nn/recurrent/recurrent.h"
#include "tests/engine/support/model_gradients.h"

namespace {

using Step = std::function<CellState(Operand x, const CellState& before, const CellWeights& weights)>;

struct Sizes {
  int batch, input, hidden, blocks;
};

// The sums stay away from relu's kink: the products cannot outweigh the biases.
void append_relu_weights(Samples& random, const Sizes& sizes, int input, Tensors& inputs) {
  for (const Shape& shape : {Shape{sizes.hidden, input}, Shape{sizes.hidden, sizes.hidden}})
    inputs.push_back(random.tensor(shape, -0.1, 0.1));
  const Tensor c = random.away_from_zero({sizes.hidden});
  for (Scalar& each : c.values()) each += each < 0 ? -1 : 1;
  inputs.insert(inputs.end(), {2 * c, c});
}

void append_weights(Samples& random, CellKind kind, const Sizes& sizes, int input, Tensors& inputs) {
  if (kind == CellKind::rnn_relu) return append_relu_weights(random, sizes, input, inputs);
  const int rows = sizes.blocks * sizes.hidden;
  for (const Shape& shape : {Shape{rows, input}, Shape{rows, sizes.hidden}, Shape{rows}, Shape{rows}})
    inputs.push_back(random.tensor(shape, -1, 1));
}

CellWeights weights_from(const Tensors& inputs, std::size_t place) {
  return {inputs[place], inputs[place + 1], inputs[place + 2], inputs[place + 3]};
}

// The tensors, then h and c of each state.
Tensor all_values(Tensors all, const std::vector<CellState>& states) {
  for (const CellState& state : states) all.insert(all.end(), {state.h, state.c});
  return side_by_side(all);
}

// One step from a state that also gets a gradient.
MakeGradientCase step_case(const Step& step, CellKind kind) {
  return [=](Samples& random) {
    const Sizes sizes{random.size(), random.size(), random.size(), blocks_of(kind)};
    const Shape state{sizes.batch, sizes.hidden};
    Tensors inputs{random.tensor({sizes.batch, sizes.input}), random.tensor(state, -1, 1)};
    append_weights(random, kind, sizes, sizes.input, inputs);
    if (kind == CellKind::lstm) inputs.push_back(random.tensor(state, -1, 1));
    return GradientCase{inputs, [=](const Tensors& x) {
                          const CellState before{x[1], x.size() > 6 ? x[6] : Tensor()};
                          return all_values({}, {step(x[0], before, weights_from(x, 2))});
                        }};
  };
}

// A cell's step is its kind's step function.
GRADIENT("Cell::step(x, previous)") {
  const CellKind kind = any_cell(random);
  const auto step = [kind](Operand x, const CellState& before, const CellWeights& weights) {
    return Cell(kind, weights).step(x, before);
  };
  return step_case(step, kind)(random);
}

// (B, S): ones, then zeros; the first position of each row is present.
Tensor any_present(Samples& random, int batch, int positions) {
  Tensor present = Tensor::full({batch, positions}, 0);
  for (int row = 0; row < batch; ++row)
    std::fill_n(present.data() + row * positions, random.up_to(positions), Scalar(1));
  return present;
}

struct NetworkShape {
  int positions, layers, directions;
  bool padded, started;
  int cells() const { return layers * directions; }
};

// Inputs: x by position, the weights by cell and, if `started`, the initial states by cell.
RecurrentOutput run_network(CellKind kind, const NetworkShape& shape, const Tensor& present, const Tensors& inputs) {
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

GradientCase network_case(Samples& random, CellKind kind) {
  const Sizes sizes{random.up_to(3), random.up_to(3), random.up_to(3), blocks_of(kind)};
  const NetworkShape shape{random.up_to(4), random.up_to(2), random.up_to(2), random.coin(), random.coin()};
  Tensors inputs;
  for (int t = 0; t < shape.positions; ++t) inputs.push_back(random.tensor({sizes.batch, sizes.input}));
  for (int i = 0; i < shape.cells(); ++i)
    append_weights(random, kind, sizes, i < shape.directions ? sizes.input : shape.directions * sizes.hidden, inputs);
  for (int i = 0; shape.started && i < shape.cells() * (kind == CellKind::lstm ? 2 : 1); ++i)
    inputs.push_back(random.tensor({sizes.batch, sizes.hidden}, -1, 1));
  const Tensor present = shape.padded ? any_present(random, sizes.batch, shape.positions) : Tensor();
  return {inputs, [=](const Tensors& x) {
            const RecurrentOutput encoded = run_network(kind, shape, present, x);
            return all_values(encoded.states, encoded.last);
          }};
}

GRADIENT("Recurrent::run(x, present, first)") { return network_case(random, any_cell(random)); }

// One more position, from states that get a gradient.
GRADIENT("Recurrent::step(x, previous)") {
  const CellKind kind = any_cell(random);
  const Sizes sizes{random.size(), random.size(), random.size(), blocks_of(kind)};
  const int layers = random.up_to(2);
  Tensors inputs{random.tensor({sizes.batch, sizes.input})};
  for (int i = 0; i < layers; ++i) append_weights(random, kind, sizes, i == 0 ? sizes.input : sizes.hidden, inputs);
  for (int i = 0; i < 2 * layers; ++i) inputs.push_back(random.tensor({sizes.batch, sizes.hidden}, -1, 1));
  return {inputs, [=](const Tensors& x) {
            std::vector<Cell> cells;
            std::vector<CellState> before;
            for (std::size_t i = 0; i < static_cast<std::size_t>(layers); ++i) {
              const std::size_t state = x.size() - 2 * (i + 1);
              cells.emplace_back(kind, weights_from(x, 1 + 4 * i));
              before.push_back({x[state], kind == CellKind::lstm ? x[state + 1] : Tensor()});
            }
            return all_values({}, Recurrent(cells, false).step(x[0], before));
          }};
}

void keep_off_the_kink(CellKind kind, const Parameters& parameters, Samples& random) {
  if (kind == CellKind::rnn_relu) keep_cells_off_the_kink(parameters, random);
}

GRADIENT("RecurrentEncoder::encode(ids)") {
  const RecurrentOptions options = {.cell = any_cell(random),
                                    .input = random.up_to(3),
                                    .hidden = random.up_to(3),
                                    .layers = random.up_to(2),
                                    .bidirectional = random.coin()};
  const int B = random.up_to(3), S = random.up_to(4), vocabulary = random.size();
  const bool reversed = random.coin();
  const std::vector<int> lengths = random.lengths(B, S);
  Tensor ids = random.ids({B, S}, vocabulary) + 1;
  for (int b = 0; b < B; ++b)
    for (int s = lengths[static_cast<std::size_t>(b)]; s < S; ++s) ids.data()[b * S + s] = 0;
  return by_parameters(random, {}, [=, &random](Parameters& parameters) {
    const RecurrentEncoder encoder(options, vocabulary + 1, reversed, parameters);
    keep_off_the_kink(options.cell, parameters, random);
    return [=](const Tensors&) {
      const Source source = encoder.encode(ids);
      return all_values({source.h}, source.last);
    };
  });
}

// A decoder of any size with a source of any size, whose states get a gradient.
struct AnyDecoder {
  explicit AnyDecoder(Samples& random)
      : B(random.up_to(3)),
        S(random.up_to(4)),
        directions(random.up_to(2)),
        lengths(random.lengths(B, S)),
        options{.cell = any_cell(random),
                .embedding = random.up_to(3),
                .hidden = 1 + random.up_to(3),
                .vocabulary = random.up_to(4),
                .layers = random.up_to(2)},
        attention{.query = options.hidden, .attention = random.up_to(4), .positions = S} {
    options.source = attention.state = directions * options.hidden;
    options.bridge = random.coin();
    input_feeding = random.coin();
  }

  // The source's h, then h and c of its last states.
  Tensors source_values(Samples& random) const {
    Tensors values{random.tensor({B, S, options.source}, -1, 1)};
    for (int i = 0; i < 2 * options.layers * directions; ++i)
      values.push_back(random.tensor({B, options.hidden}, -1, 1));
    return values;
  }

  Source source(const Tensors& x) const {
    Source result{.h = x[0], .last = {}, .lengths = lengths};
    for (std::size_t i = 0; i < static_cast<std::size_t>(options.layers * directions); ++i)
      result.last.push_back({x[2 * i + 1], options.cell == CellKind::lstm ? x[2 * i + 2] : Tensor()});
    return result;
  }

  int B, S, directions;
  std::vector<int> lengths;
  DecoderOptions options;
  SourceAttentionOptions attention;
  bool input_feeding = false;
};

using MakeDecoder = std::shared_ptr<RecurrentDecoder> (*)(const AnyDecoder&, Parameters&);

template <typename Decoder>
std::shared_ptr<RecurrentDecoder> plain(const AnyDecoder& any, Parameters& parameters) {
  return std::make_shared<Decoder>(any.options, parameters);
}
std::shared_ptr<RecurrentDecoder> bahdanau(const AnyDecoder& any, Parameters& parameters) {
  return std::make_shared<BahdanauDecoder>(any.options, any.attention, parameters);
}
std::shared_ptr<RecurrentDecoder> luong(const AnyDecoder& any, Parameters& parameters) {
  return std::make_shared<LuongDecoder>(any.options, any.attention, any.input_feeding, parameters);
}

// The start, and this many tokens, each an input of the case after the source.
MakeGradientCase decoded(MakeDecoder make, int tokens) {
  return [=](Samples& random) {
    const AnyDecoder any(random);
    Tensors inputs = any.source_values(random);
    const std::size_t first_token = inputs.size();
    for (int t = 0; t < tokens; ++t) inputs.push_back(random.tensor({any.B, any.options.embedding}));
    return by_parameters(random, inputs, [=, &random](Parameters& parameters) {
      const std::shared_ptr<RecurrentDecoder> decoder = make(any, parameters);
      keep_off_the_kink(any.options.cell, parameters, random);
      return [=](const Tensors& x) {
        DecoderState state = decoder->start(any.source(x));
        Tensors outputs{state.input_feed, state.memory.keys, state.memory.values};
        for (std::size_t t = first_token; t < first_token + static_cast<std::size_t>(tokens); ++t, ++state.position) {
          const DecoderOutput now = decoder->step(x[t], state);
          outputs.insert(outputs.end(), {now.logits, now.weights});
        }
        return all_values(outputs, state.layers);
      };
    });
  };
}

GRADIENT("FirstState(source)") {
  const AnyDecoder any(random);
  return by_parameters(random, any.source_values(random), [=](Parameters& parameters) {
    const FirstState first(any.options, parameters);
    return [=](const Tensors& x) { return all_values({}, first(any.source(x))); };
  });
}

const GradientCases cases = {
    {"rnn_step(x, previous, weights)", step_case(rnn_step, CellKind::rnn)},
    {"rnn_relu_step(x, previous, weights)", step_case(rnn_relu_step, CellKind::rnn_relu)},
    {"gru_step(x, previous, weights)", step_case(gru_step, CellKind::gru)},
    {"gru_reset_before_step(x, previous, weights)", step_case(gru_reset_before_step, CellKind::gru_reset_before)},
    {"lstm_step(x, previous, weights)", step_case(lstm_step, CellKind::lstm)},
    {"CellStack::step(x, previous)", decoded(plain<FirstStateDecoder>, 2)},
    {"FirstStateDecoder::start(source)", decoded(plain<FirstStateDecoder>, 0)},
    {"FirstStateDecoder::step(y, state, temperature)", decoded(plain<FirstStateDecoder>, 2)},
    {"EveryStepDecoder::start(source)", decoded(plain<EveryStepDecoder>, 0)},
    {"EveryStepDecoder::step(y, state, temperature)", decoded(plain<EveryStepDecoder>, 2)},
    {"BahdanauDecoder::start(source)", decoded(bahdanau, 0)},
    {"BahdanauDecoder::step(y, state, temperature)", decoded(bahdanau, 2)},
    {"LuongDecoder::start(source)", decoded(luong, 0)},
    {"LuongDecoder::step(y, state, temperature)", decoded(luong, 2)},
};

}  // namespace

TEST_CASE("gradients of recurrent cells, encoders and decoders") { cases.check(); }

TEST_CASE("gradients of a network of each kind") {
  for (std::size_t kind = 0; kind < cell_kinds().size(); ++kind) {
    CAPTURE(cell_kinds()[kind]);
    check_on_seeds(
        [&](Samples& random) { return gradient_error(network_case(random, static_cast<CellKind>(kind)), random); });
  }
}
