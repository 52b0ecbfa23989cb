#include "tests/engine/support/models.h"

#include "engine/models/captioner.h"
#include "engine/nn/tokens.h"
#include "engine/train/task_trainer.h"

namespace unroll {

Tensor source_for(const Model& model) {
  if (is_language_model(model)) return Tensor({3, 0});
  if (dynamic_cast<const Captioner*>(&model)) return Samples(3).ids({3, 16}, 17) + 4;
  return source;
}

void set_batch(Model& model) {
  if (!dynamic_cast<const Generator*>(&model)) return;
  if (!is_language_model(model)) model.set_input("source", source_for(model));
  model.set_input("target_in", target_in);
  model.set_input("target_out", target_out);
}

Tensor row(const Tensor& x, int first, int count) { return slice(x, 0, first, count); }

namespace {

Tensor unpadded(const Tensor& ids) {
  const auto end = std::ranges::find(ids.values(), Scalar(pad_id));
  return slice(ids, 1, 0, static_cast<int>(end - ids.values().begin()));
}

}  // namespace

std::pair<Tensor, Tensor> row_in_batch_and_alone(Model& model) {
  set_batch(model);
  model.loss();
  const Tensor together = slice(row(model.output(), 1), 1, 0, 3);
  const std::vector<ModelInput> batch = model.inputs();
  for (const ModelInput& input : batch) model.set_input(input.name, unpadded(row(input.value, 1)));
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
