#include <memory>

#include "engine/nn/recurrent/bahdanau_decoder.h"
#include "engine/nn/recurrent/luong_decoder.h"
#include "engine/nn/recurrent/plain_decoder.h"
#include "tests/engine/support/gradient_check.h"
#include "tests/engine/support/kinks.h"

namespace {

void keep_off_the_kink(CellKind kind, const Parameters& parameters, Samples& random) {
  if (kind == CellKind::rnn_relu) keep_cells_off_the_kink(parameters, random);
}

// The outputs of a layer in order.
struct Outputs {
  Tensors all;
  void add(const std::vector<CellState>& states) {
    for (const CellState& state : states) all.insert(all.end(), {state.h, state.c});
  }
};

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
      Outputs outputs{{source.h}};
      outputs.add(source.last);
      return side_by_side(outputs.all);
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
};

using MakeDecoder = std::shared_ptr<RecurrentDecoder> (*)(const AnyDecoder&, Parameters&);

std::shared_ptr<RecurrentDecoder> first_state(const AnyDecoder& any, Parameters& parameters) {
  return std::make_shared<FirstStateDecoder>(any.options, parameters);
}
std::shared_ptr<RecurrentDecoder> every_step(const AnyDecoder& any, Parameters& parameters) {
  return std::make_shared<EveryStepDecoder>(any.options, parameters);
}
std::shared_ptr<RecurrentDecoder> bahdanau(const AnyDecoder& any, Parameters& parameters) {
  return std::make_shared<BahdanauDecoder>(any.options, any.attention, parameters);
}
template <bool input_feeding>
std::shared_ptr<RecurrentDecoder> luong(const AnyDecoder& any, Parameters& parameters) {
  return std::make_shared<LuongDecoder>(any.options, any.attention, input_feeding, parameters);
}

// The start, and this many tokens, each an input of the case after the source.
GradientCase decoded(Samples& random, MakeDecoder make, int tokens) {
  const AnyDecoder any(random);
  Tensors inputs = any.source_values(random);
  const std::size_t first_token = inputs.size();
  for (int t = 0; t < tokens; ++t) inputs.push_back(random.tensor({any.B, any.options.embedding}));
  return by_parameters(random, inputs, [=, &random](Parameters& parameters) {
    const std::shared_ptr<RecurrentDecoder> decoder = make(any, parameters);
    keep_off_the_kink(any.options.cell, parameters, random);
    return [=](const Tensors& x) {
      DecoderState state = decoder->start(any.source(x));
      Outputs outputs{{state.input_feed, state.memory.keys, state.memory.values}};
      for (std::size_t t = 0; t < static_cast<std::size_t>(tokens); ++t, ++state.position) {
        const DecoderOutput now = decoder->step(x[first_token + t], state);
        outputs.all.insert(outputs.all.end(), {now.logits, now.weights});
      }
      outputs.add(state.layers);
      return side_by_side(outputs.all);
    };
  });
}

template <MakeDecoder make>
GradientCase start_of(Samples& random) {
  return decoded(random, make, 0);
}

template <MakeDecoder make>
GradientCase steps_of(Samples& random) {
  return decoded(random, make, 2);
}

GRADIENT("LuongDecoder::start(source)") { return decoded(random, random.coin() ? luong<true> : luong<false>, 0); }
GRADIENT("LuongDecoder::step(y, state, temperature)") {
  return decoded(random, random.coin() ? luong<true> : luong<false>, 2);
}

GRADIENT("FirstState(source)") {
  const AnyDecoder any(random);
  return by_parameters(random, any.source_values(random), [=](Parameters& parameters) {
    const FirstState first(any.options, parameters);
    return [=](const Tensors& x) {
      Outputs outputs;
      outputs.add(first(any.source(x)));
      return side_by_side(outputs.all);
    };
  });
}

const GradientCases cases = {
    {"CellStack::step(x, previous)", steps_of<first_state>},
    {"FirstStateDecoder::start(source)", start_of<first_state>},
    {"FirstStateDecoder::step(y, state, temperature)", steps_of<first_state>},
    {"EveryStepDecoder::start(source)", start_of<every_step>},
    {"EveryStepDecoder::step(y, state, temperature)", steps_of<every_step>},
    {"BahdanauDecoder::start(source)", start_of<bahdanau>},
    {"BahdanauDecoder::step(y, state, temperature)", steps_of<bahdanau>},
};

}  // namespace

TEST_CASE("gradients of encoders and decoders") { cases.check(); }
