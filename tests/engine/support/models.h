// Helpers for tests of models: configurations, a batch, and expectations that hold for all.
#pragma once

#include "engine/io/checkpoint.h"
#include "engine/models/model.h"
#include "engine/train/trainer.h"
#include "tests/engine/support/settings.h"
#include "tests/engine/support/test.h"

namespace unroll {

// A batch of three sources (B = 3, S = 5) and targets (T = 4) of ids below 9 and below 8, the last two with padding.
inline const Tensor source({3, 5}, {3, 5, 8, 4, 2, 7, 3, 2, 0, 0, 6, 2, 0, 0, 0});
inline const Tensor target_in({3, 4}, {1, 4, 7, 3, 1, 5, 3, 0, 1, 6, 0, 0});
inline const Tensor target_out({3, 4}, {4, 7, 3, 2, 5, 3, 2, 0, 6, 2, 0, 0});
// Replaces the source (3, S): by scenes for a captioner, by empty prompts for a language model.
Tensor source_for(const Model& model);
// A model that reads no tokens keeps the inputs it has.
void set_batch(Model& model);

// A model with its trainer, and everything a checkpoint stores of them.
struct ModelRun {
  explicit ModelRun(const Config& config) : model(make_model(config)), trainer(*model, config) {}
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
Tensor row(const Tensor& x, int first, int count = 1);

// The logits (1, 3, V) of row 1 of the batch, and the same where the model reads that row alone, without its padding.
std::pair<Tensor, Tensor> row_in_batch_and_alone(Model& model);

// Weights (B, T, S) over the source of the batch sum to 1 over its tokens and are 0 on its padding.
void check_weights(const Tensor& weights);

// The backward pass from the loss reaches every parameter.
void check_every_parameter_learns(Model& model);

// The tensors of one run by name; each must be on the tape.
std::vector<Tensor> traced(Model& model, const std::vector<std::string>& names);
inline Tensor traced(Model& model, const std::string& name) { return traced(model, std::vector{name})[0]; }

}  // namespace unroll
