// The settings of the lessons: what is trained, with what model, how long.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/models/config.h"

namespace unroll {

// A whole configuration for TaskTrainer. Models: see recipe_models; tasks: see recipe_tasks of the model. Throws
// Error(config) for another name.
Config recipe(std::string_view task, std::string_view model);

// rnn lstm gru gru-attention lstm-attention gru-luong transformer lm captioner
std::vector<std::string> recipe_models();

// The tasks that there are recipes of this model for.
std::vector<std::string> recipe_tasks(std::string_view model);

}  // namespace unroll
