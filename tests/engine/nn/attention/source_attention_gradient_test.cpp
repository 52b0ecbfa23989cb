#include "engine/nn/attention/local_attention.h"
#include "engine/nn/attention/source_attention.h"
#include "engine/nn/recurrent/sequence.h"
#include "tests/engine/support/gradient_check.h"

namespace {

GRADIENT("at_position(x, position)") {
  const int S = random.size(), s = random.below(S);
  return {{random.tensor(random.coin() ? Shape{random.size(), S} : Shape{random.size(), S, random.size()})},
          [=](const Tensors& x) { return at_position(x[0], s); }};
}

GRADIENT("join_positions(positions)") {
  const Shape shape = random.coin() ? Shape{random.size()} : Shape{random.size(), random.size()};
  Tensors positions;
  for (int s = random.size(); s > 0; --s) positions.push_back(random.tensor(shape));
  return {positions, [](const Tensors& x) { return join_positions(x); }};
}

GRADIENT("predicted_position(q, last, W, v)") {
  const int B = random.size(), T = random.size(), Q = random.size(), A = random.size();
  const Tensor last = random.ids({B, 1}, 9);
  return {{random.tensor({B, T, Q}), random.tensor({A, Q}, -1, 1), random.tensor({A}, -1, 1)},
          [=](const Tensors& x) { return predicted_position(x[0], last, x[1], x[2]); }};
}

GRADIENT("attend_local_p(e, v, p, deviation, mask, temperature)") {
  const int B = random.size(), T = random.size(), S = random.size();
  const Tensor mask = random.coin() ? random.mask({B, 1, S}) : Tensor();
  const double deviation = random.between(0.5, 3), temperature = random.between(0.5, 2);
  return {
      {random.tensor({B, T, S}), random.tensor({B, S, random.size()}), random.tensor({B, T}, 0, S - 1)},
      [=](const Tensors& x) { return side_by_side(attend_local_p(x[0], x[1], x[2], deviation, mask, temperature)); }};
}

Projection any_projection(Samples& random) { return static_cast<Projection>(random.below(3)); }

// The layer's own parameters are inputs of the case.
GRADIENT("SourceAttention::attend_to(s, memory, position, temperature)") {
  const int B = random.size(), S = random.size(), T = random.below(8);
  const SourceAttentionOptions options = {.query = random.size(),
                                          .state = random.size(),
                                          .attention = random.size(),
                                          .positions = S,
                                          .queries = any_projection(random),
                                          .keys = any_projection(random),
                                          .values = any_projection(random),
                                          .window = static_cast<Window>(random.below(3)),
                                          .half_width = random.size()};
  Parameters parameters(7);
  const SourceAttention attention(options, parameters, "attention");
  const std::vector<int> lengths = random.lengths(B, S);
  Tensors inputs{random.tensor({B, options.query}), random.tensor({B, S, options.state})};
  for (const Parameter& parameter : parameters.all()) inputs.push_back(parameter.value);
  return {inputs, [=](const Tensors& x) {
            const Memory memory = attention.project_memory(x[1], lengths);
            return side_by_side(attention.attend_to(x[0], memory, T));
          }};
}

GRADIENT("SourceAttention::project_memory(h, lengths)") {
  const int B = random.size(), S = random.size(), size = random.size();
  const std::vector<int> lengths = random.lengths(B, S);
  const SourceAttentionOptions options = {.query = random.size(),
                                          .state = size,
                                          .attention = random.size(),
                                          .keys = any_projection(random),
                                          .values = any_projection(random)};
  return by_parameters(random, {random.tensor({B, S, size})}, [=](Parameters& parameters) {
    const SourceAttention attention(options, parameters, "attention");
    return [=](const Tensors& x) {
      const Memory memory = attention.project_memory(x[0], lengths);
      return side_by_side(memory.keys, memory.values);
    };
  });
}

}  // namespace
