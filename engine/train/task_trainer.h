// Trains a model on a task, batch by batch, in an order determined by the seed alone.
#pragma once

#include <functional>
#include <memory>

#include "engine/data/dataset.h"
#include "engine/data/tasks/task.h"
#include "engine/generate/generator.h"
#include "engine/models/model.h"
#include "engine/models/model_size.h"
#include "engine/train/trainer.h"

namespace unroll {

struct TrainingStep {
  int step = 0;                  // steps done so far
  double loss = 0;               // of the batch, before the update
  double accuracy = 0;           // share of its target tokens with the largest logit
  int examples = 0, tokens = 0;  // in the batch; tokens of the target, without padding
};

// Sets the fields of a model's config that hold the sizes of the task's vocabularies.
void set_vocabularies(Config& config, const Task& task);

// Whether the model is a language model: its only inputs are target_in and target_out.
bool is_language_model(const Model& model);

// The task's training split, in batches as config sets them; see TaskTrainer.
Dataset training_batches(const Task& task, const Config& config);

// Sizes of config's model and of its largest training step on these batches. A batch of many short pairs may take more
// memory than one of few long pairs, so every bucket counts.
ModelSize training_size(const Config& config, const Dataset& batches);

// Trains a model on a task. The task, model and trainer must outlive it.
class TaskTrainer {
 public:
  // Config: batch (1 to 256, 64), maximum pairs per batch; batch_tokens (0 to 16384, 0: no limit), maximum target
  // tokens per batch, padding included; forcing (0 to 1, 1), teacher-forcing probability after `steps` steps, reached
  // linearly from 1 at the first. Throws Error(config) for a model that generates no sequences, for a language model on
  // a task with sources, for any other model on a task of texts, and for batches that take too much memory.
  TaskTrainer(const Task& task, Model& model, Trainer& trainer, const Config& config);

  TrainingStep step();

  // Until the result is called, the model's loss takes the tokens that the next step's would: its own, where the coins
  // of scheduled sampling say so.
  std::function<void()> sample_as_in_next_step();

  // Sets the batch as the model's inputs.
  void set_inputs(const Batch& batch);

 private:
  double forcing_at(int step) const;

  Dataset dataset_;
  Model& model_;
  Generator& generator_;  // model_, as a Generator
  Trainer& trainer_;
  std::uint64_t seed_;
  double forcing_;
  int steps_;
};

// The task named by config["task"]; or the user's pairs in config["pairs"] (see parse_pairs) or text in config["text"]
// (see parse_text), whose tokens config["tokens"] sets to characters or words. Throws Error(config) if more than one of
// the three is given.
std::shared_ptr<const Task> task_from_config(const Config& config);

}  // namespace unroll
