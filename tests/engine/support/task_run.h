// A model that learns a task, with everything needed to train it.
#pragma once

#include <memory>

#include "engine/io/checkpoint.h"
#include "engine/train/recipes.h"
#include "engine/train/task_trainer.h"
#include "tests/engine/support/settings.h"

namespace unroll {

// The lesson's model for a task, with other settings.
inline Config recipe_with(std::string_view task, std::string_view model, const char* changes) {
  return with(recipe(task, model), changes);
}

struct TaskRun {
  explicit TaskRun(Config settings) : config(std::move(settings)) {
    task = task_from_config(config);
    set_vocabularies(config, *task);
    model = make_model(config);
    optimiser = std::make_unique<Trainer>(*model, config);
    trainer = std::make_unique<TaskTrainer>(*task, *model, *optimiser, config);
    config.reject_unknown();
  }

  // Returns the loss of the last step.
  double steps(int count) {
    double loss = 0;
    for (int i = 0; i < count; ++i) loss = trainer->step().loss;
    return loss;
  }

  std::vector<std::uint8_t> save() const { return save_checkpoint(*model, optimiser->optimiser()); }
  void restore(const std::vector<std::uint8_t>& bytes) { restore_checkpoint(bytes, *model, optimiser->optimiser()); }

  Config config;
  std::shared_ptr<const Task> task;
  std::unique_ptr<Model> model;
  std::unique_ptr<Trainer> optimiser;
  std::unique_ptr<TaskTrainer> trainer;
};

}  // namespace unroll
