// Helpers for tests of models: configurations, a batch, and expectations that hold for all.
#pragma once

#include "engine/io/checkpoint.h"
#include "engine/models/sequence_model.h"
#include "engine/nn/layers/sprites.h"
#include "engine/nn/tokens.h"
#include "engine/train/task_trainer.h"
#include "tests/engine/support/settings.h"
#include "tests/engine/support/test.h"

namespace unroll {

// A batch of three sources (B = 3, S = 5) and targets (T = 4) of ids below 9 and below 8, the last two with padding.
inline const Tensor source({3, 5}, {3, 5, 8, 4, 2, 7, 3, 2, 0, 0, 6, 2, 0, 0, 0});
inline const Tensor target_in({3, 4}, {1, 4, 7, 3, 1, 5, 3, 0, 1, 6, 0, 0});
inline const Tensor target_out({3, 4}, {4, 7, 3, 2, 5, 3, 2, 0, 6, 2, 0, 0});
// Replaces the source (3, S): by scenes for a captioner, by empty prompts for a language model.
inline Tensor source_for(const Model& model) {
  if (is_language_model(model)) return Tensor({3, 0});
  if (model.inputs()[0].vocabulary == sprite_table().shape()[0]) return Samples(3).ids({3, 16}, 17) + 4;
  return source;
}

// The model of this configuration, of a kind that is a T.
template <typename T>
std::unique_ptr<T> made(const Config& config) {
  return std::unique_ptr<T>(&dynamic_cast<T&>(*make_model(config).release()));
}

// A model that reads no tokens keeps the inputs it has.
inline void set_batch(Model& model) {
  if (!dynamic_cast<const Generator*>(&model)) return;
  if (!is_language_model(model)) model.set_input("source", source_for(model));
  model.set_input("target_in", target_in);
  model.set_input("target_out", target_out);
}

template <typename T = Model>
std::unique_ptr<T> model_on_batch(const Config& config) {
  std::unique_ptr<T> model = made<T>(config);
  set_batch(*model);
  return model;
}

// A model of this class.
template <typename Kind>
struct OnBatch : Kind {
  explicit OnBatch(const Config& config) : Kind(config) { set_batch(*this); }
};

// The names of the parameters for which the gradient of the loss is 0.
inline std::set<Text> idle_parameters(Model& model) {
  std::set<Text> idle;
  if (!model.parameters().count()) return idle;
  LiveTape tape(Tape::Detail::training);
  backward(model.loss());
  for (const auto& [name, value] : model.parameters().all()) {
    const Tensor slope = gradient(value);
    if (!slope || std::ranges::count(slope.values(), Scalar(0)) == std::ssize(slope.values())) idle.insert(name);
  }
  return idle;
}

// The sentence that refuses an input, after checking that every input and the loss have kept their bits.
inline Text refused_input(Model& model, ErrorCode code, const Text& name, const Tensor& value) {
  std::vector<Tensor> before;
  for (const ModelInput& input : model.inputs()) before.push_back(input.value.copy());
  const Tensor loss = model.loss();
  const Text sentence = refusal(code, [&] { model.set_input(name, value); });
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(same_bits(before[i], model.inputs()[i].value));
  CHECK(same_bits(loss, model.loss()));
  return sentence;
}

// A model with its trainer, and everything a checkpoint stores of them.
struct ModelRun {
  explicit ModelRun(const Config& config, int steps = 0) : model(make_model(config)), trainer(*model, config) {
    train(steps);
  }
  void train(int steps) {
    for (int i = 0; i < steps; ++i) trainer.step();
  }
  std::vector<std::uint8_t> save() { return save_checkpoint(*model, trainer.optimiser()); }
  void restore(const std::vector<std::uint8_t>& bytes) { restore_checkpoint(bytes, *model, trainer.optimiser()); }

  std::unique_ptr<Model> model;
  Trainer trainer;
};

// Makes the model and its trainer, which must know all fields.
inline void make_to_train(const Config& config) {
  ModelRun run(config);
  config.reject_unknown();
}

// The rows of x from `first` on.
inline Tensor row(const Tensor& x, int first, int count = 1) { return slice(x, 0, first, count); }

// Ids (1, T) up to the first padding.
inline Tensor unpadded(const Tensor& ids) {
  const auto end = std::ranges::find(ids.values(), Scalar(pad_id));
  return slice(ids, 1, 0, static_cast<int>(end - ids.values().begin()));
}

// The logits (1, 3, V) of row 1 of the batch, and the same where the model reads that row alone, without its padding.
inline std::pair<Tensor, Tensor> row_in_batch_and_alone(Model& model) {
  set_batch(model);
  model.loss();
  const Tensor together = slice(row(model.output(), 1), 1, 0, 3);
  const std::vector<ModelInput> batch = model.inputs();
  for (const ModelInput& input : batch) model.set_input(input.name, unpadded(row(input.value, 1)));
  model.loss();
  return {together, model.output()};
}

// Weights (B, T, S) over the source of the batch sum to 1 over its tokens and are 0 on its padding.
inline void check_weights(const Tensor& weights) {
  REQUIRE(weights.shape() == Shape{3, 4, 5});
  expect(sum(weights, -1), {3, 4}, std::vector<double>(12, 1));
  for (int t = 0; t < 4; ++t) {
    CHECK(weights.data()[20 + 5 * t + 3] == 0);
    CHECK(weights.data()[40 + 5 * t + 2] == 0);
  }
}

// The tensors of one run by name; each must be on the tape.
inline std::vector<Tensor> traced(Model& model, const std::vector<std::string>& names) {
  LiveTape tape(Tape::Detail::trace);
  model.loss();
  std::vector<Tensor> values;
  for (const std::string& name : names) {
    REQUIRE_MESSAGE(tape.find(name) >= 0, name);
    values.push_back(tape.nodes()[tape.find(name)].value);
  }
  return values;
}
inline Tensor traced(Model& model, const std::string& name) { return traced(model, std::vector{name})[0]; }

}  // namespace unroll
