// The settings of the lessons: what is trained, with what model, how long.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/models/config.h"

namespace unroll {

// A whole configuration for TaskTrainer. Tasks: see task_names; models: see recipe_models. Throws Error(config) for
// another name.
Config recipe(std::string_view task, std::string_view model);

// rnn lstm gru gru-attention lstm-attention gru-luong
std::vector<std::string> recipe_models();

}  // namespace unroll
