#include "tests/engine/support/models.h"

namespace unroll {

Config with(Config config, const Fields& fields) {
  for (const auto& [name, value] : fields) config.set(name, value);
  return config;
}

void set_batch(Model& model) {
  model.set_input("source", source);
  model.set_input("target_in", target_in);
  model.set_input("target_out", target_out);
}

Tensor row(const Tensor& x, int first, int count) { return slice(x, 0, first, count); }

std::pair<Tensor, Tensor> row_in_batch_and_alone(Model& model) {
  set_batch(model);
  model.loss();
  const Tensor together = slice(row(model.output(), 1), 1, 0, 3);
  model.set_input("source", slice(row(source, 1), 1, 0, 3));
  model.set_input("target_in", slice(row(target_in, 1), 1, 0, 3));
  model.set_input("target_out", slice(row(target_out, 1), 1, 0, 3));
  model.loss();
  return {together, model.output()};
}

void check_weights(const Tensor& weights) {
  REQUIRE(weights.shape() == Shape{3, 4, 5});
  expect(sum(weights, -1), {3, 4}, std::vector<double>(12, 1));
  for (int t = 0; t < 4; ++t) {
    CHECK(weights.data()[20 + 5 * t + 3] == 0);
    CHECK(weights.data()[40 + 5 * t + 2] == 0);
  }
}

void check_every_parameter_learns(Model& model) {
  LiveTape tape(Tape::Detail::training);
  backward(model.loss());
  for (const Parameter& parameter : model.parameters().all()) {
    CAPTURE(parameter.name);
    REQUIRE(gradient(parameter.value));
    CHECK(std::ranges::any_of(gradient(parameter.value).values(), [](Scalar x) { return x != 0; }));
  }
}

std::vector<Tensor> traced(Model& model, const std::vector<std::string>& names) {
  LiveTape tape(Tape::Detail::trace);
  model.loss();
  std::vector<Tensor> values;
  for (const std::string& name : names) {
    REQUIRE_MESSAGE(tape.find(name) >= 0, name);
    values.push_back(tape.nodes()[tape.find(name)].value);
  }
  return values;
}

}  // namespace unroll
