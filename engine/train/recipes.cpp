#include "engine/train/recipes.h"

#include <algorithm>
#include <span>

#include "engine/tensor/error.h"

namespace unroll {
namespace {

struct ModelRecipe {
  std::string_view name;
  const char* cell;
  const char* attention;  // its encoder reads in both directions where it is bahdanau
};

constexpr ModelRecipe models[] = {
    {"rnn", "rnn", "none"},
    {"lstm", "lstm", "none"},
    {"gru", "gru", "none"},
    {"gru-attention", "gru", "bahdanau"},
    {"lstm-attention", "lstm", "bahdanau"},
    {"gru-luong", "gru", "luong"},
};

struct TaskRecipe {
  std::string_view name;
  int embedding, hidden, attention_size, batch, steps;
  double learning_rate;
  bool reverse_source = false;
};

constexpr TaskRecipe tasks[] = {
    {"reverse", 32, 64, 64, 64, 300, 4e-3}, {"copy", 32, 64, 64, 64, 300, 4e-3},
    {"sort", 32, 64, 64, 64, 400, 4e-3},    {"addition", 8, 128, 128, 64, 4000, 6e-3, true},
    {"dates", 32, 64, 64, 64, 350, 4e-3},   {"translate-en-fr", 64, 96, 128, 16, 4000, 3e-3},
};

template <typename Recipe>
const Recipe& find(std::span<const Recipe> recipes, std::string_view field, std::string_view name) {
  const auto found = std::ranges::find(recipes, name, &Recipe::name);
  if (found != recipes.end()) return *found;
  std::string known;
  for (const Recipe& recipe : recipes) known += std::string(known.empty() ? "" : ", ") + std::string(recipe.name);
  fail(ErrorCode::config, field, " is \"", name, "\": use one of ", known, ".");
}

}  // namespace

Config recipe(std::string_view task_name, std::string_view model_name) {
  const TaskRecipe& task = find<TaskRecipe>(tasks, "task", task_name);
  const ModelRecipe& model = find<ModelRecipe>(models, "model", model_name);
  const std::string attention = model.attention;
  return {{"kind", std::string("seq2seq")},
          {"task", std::string(task.name)},
          {"cell", std::string(model.cell)},
          {"attention", attention},
          {"bidirectional", attention == "bahdanau"},
          {"input_feeding", attention == "luong"},
          {"embedding", double(task.embedding)},
          {"hidden", double(task.hidden)},
          {"attention_size", double(task.attention_size)},
          {"reverse_source", task.reverse_source && attention == "none"},
          {"optimiser", std::string("adamw")},
          {"learning_rate", task.learning_rate},
          {"schedule", std::string("cosine")},
          {"warmup", double(task.steps * 15 / 100)},
          {"batch", double(task.batch)},
          {"steps", double(task.steps)}};
}

std::vector<std::string> recipe_models() {
  std::vector<std::string> names;
  for (const ModelRecipe& model : models) names.emplace_back(model.name);
  return names;
}

}  // namespace unroll
