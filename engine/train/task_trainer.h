// A model that learns a task: batch after batch, in an order that depends on the seed alone.
#pragma once

#include <memory>

#include "engine/models/model.h"
#include "engine/models/model_size.h"
#include "engine/models/writer.h"
#include "engine/train/dataset.h"
#include "engine/train/tasks/task.h"
#include "engine/train/trainer.h"

namespace unroll {

struct TrainingStep {
  int step = 0;                  // done so far
  double loss = 0;               // of the batch, before the update
  double accuracy = 0;           // the share of its target tokens that were the most probable
  int examples = 0, tokens = 0;  // in the batch
};

// The sizes of the task's vocabularies, for a model of it.
void set_vocabularies(Config& config, const Task& task);

// Whether a model reads texts alone, as a language model does: it takes target_in and target_out and nothing else.
bool reads_texts(const Model& model);

// What a model learns the task from, in batches of the size that config asks for; see TaskTrainer.
Dataset training_batches(const Task& task, const Config& config);

// What the model of config and its largest training step on these batches take. Many short pairs may take more than few
// long ones, so that every bucket counts.
ModelSize size_to_learn(const Config& config, const Dataset& batches);

// Trains a model on a task. All of these must live as long.
class TaskTrainer {
 public:
  // Config: batch (1 to 256, 64) pairs at most; batch_tokens (0 to 16384, 0: any number), the most tokens of their
  // targets with padding; forcing (0 to 1, 1), how likely the true token is fed back after `steps` steps; it
  // falls to that in a line from 1 at the first. Throws Error(config) for a model that writes no sequences, for a
  // language model and a task with sources, for any other and a task of texts, and for a batch that may take too much.
  TaskTrainer(const Task& task, Model& model, Trainer& trainer, const Config& config);

  TrainingStep step();

  // Makes these pairs the inputs of the model.
  void show(const Batch& batch);

 private:
  double forcing_at(int step) const;

  Dataset dataset_;
  Model& model_;
  Writer& writer_;  // the same, as what decoding knows of it
  Trainer& trainer_;
  std::uint64_t seed_;
  double forcing_;
  int steps_;
};

// The task that config["task"] names; or the learner's own pairs in config["pairs"] (see parse_pairs), or the own text
// in config["text"] (see parse_text), of characters or words as config["tokens"] says. Throws Error(config)
// for two of the three.
std::shared_ptr<const Task> make_task_of(const Config& config);

}  // namespace unroll
