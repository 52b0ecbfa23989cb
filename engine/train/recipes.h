// Training configurations of the lessons: task, model and hyperparameters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/models/config.h"

namespace unroll {

// A complete configuration for TaskTrainer. Models: see recipe_models; tasks: see recipe_tasks of the model. Throws
// Error(config) for an unknown name.
Config recipe(std::string_view task, std::string_view model);

// rnn lstm gru gru-attention lstm-attention gru-luong transformer lm captioner
std::vector<std::string> recipe_models();

// The tasks with a recipe for this model. Throws Error(config) for an unknown model.
std::vector<std::string> recipe_tasks(std::string_view model);

}  // namespace unroll
