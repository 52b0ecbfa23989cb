#include "engine/train/recipes.h"

#include <algorithm>
#include <span>

#include "engine/tensor/error.h"

namespace unroll {
namespace {

// Training hyperparameters.
struct Training {
  int batch, steps;
  double learning_rate, weight_decay = 0.01, beta2 = 0.999;
};

// A task with the sizes of a model that learns it, in the order of the model's list of sizes.
struct TaskRecipe {
  std::string_view name;
  double sizes[4];
  Training training;
};

constexpr TaskRecipe recurrent[] = {
    {"reverse", {32, 64, 64}, {64, 300, 4e-3}},
    {"copy", {32, 64, 64}, {64, 300, 4e-3}},
    {"sort", {32, 64, 64}, {64, 400, 4e-3}},
    {"rotate", {32, 64, 64}, {64, 600, 4e-3}},
    {"addition", {8, 128, 128}, {64, 4000, 6e-3}},
    {"dates", {32, 64, 64}, {64, 350, 4e-3}},
    {"translate-en-fr", {64, 96, 128}, {16, 2800, 5e-3, 0.2, 0.95}},
    {"recall", {16, 32, 32}, {64, 600, 4e-3}},
};

constexpr TaskRecipe transformers[] = {
    {"reverse", {64, 2, 128, 1}, {16, 1600, 4e-3}},
    {"copy", {64, 2, 128, 1}, {16, 1000, 4e-3}},
    {"sort", {64, 2, 128, 1}, {16, 1600, 4e-3}},
    {"rotate", {64, 2, 128, 1}, {16, 1600, 4e-3}},
    {"addition", {64, 4, 128, 2}, {16, 6000, 3e-3}},
    {"dates", {64, 4, 128, 1}, {16, 1600, 4e-3}},
    {"translate-en-fr", {64, 4, 128, 2}, {48, 3800, 5e-3, 0.1, 0.95}},
    {"recall", {64, 2, 128, 1}, {16, 600, 4e-3}},
};

// beta2: with 0.999, Adam would still remember gradients from a thousand steps ago, of the 1500 that there are.
constexpr TaskRecipe texts[] = {{"stories", {64, 4, 256, 2}, {16, 1500, 4e-3, 0.01, 0.95}}};

constexpr TaskRecipe pictures[] = {{"captions", {32, 32, 96, 64}, {32, 1800, 6e-3}}};

constexpr const char* recurrent_sizes[] = {"embedding", "hidden", "attention_size"};
constexpr const char* transformer_sizes[] = {"model_size", "heads", "feed_forward", "layers"};
constexpr const char* captioner_sizes[] = {"channels", "embedding", "hidden", "attention_size"};

struct ModelRecipe {
  std::string_view name;
  const char* kind;
  std::span<const char* const> sizes;
  std::span<const TaskRecipe> tasks;
  const char* cell = "";
  const char* attention = "";
};

constexpr ModelRecipe models[] = {
    {"rnn", "seq2seq", recurrent_sizes, recurrent, "rnn", "none"},
    {"lstm", "seq2seq", recurrent_sizes, recurrent, "lstm", "none"},
    {"gru", "seq2seq", recurrent_sizes, recurrent, "gru", "none"},
    {"gru-attention", "seq2seq", recurrent_sizes, recurrent, "gru", "bahdanau"},
    {"lstm-attention", "seq2seq", recurrent_sizes, recurrent, "lstm", "bahdanau"},
    {"gru-luong", "seq2seq", recurrent_sizes, recurrent, "gru", "luong"},
    {"transformer", "transformer", transformer_sizes, transformers},
    {"lm", "transformer_lm", transformer_sizes, texts},
    {"captioner", "captioner", captioner_sizes, pictures},
};

template <typename Recipe>
std::vector<std::string> names_of(std::span<const Recipe> recipes) {
  std::vector<std::string> names;
  for (const Recipe& recipe : recipes) names.emplace_back(recipe.name);
  return names;
}

template <typename Recipe>
const Recipe& find(std::span<const Recipe> recipes, std::string_view field, std::string_view name) {
  const auto found = std::ranges::find(recipes, name, &Recipe::name);
  if (found != recipes.end()) return *found;
  fail(ErrorCode::config, "no_such_recipe", field, name, names_of(recipes));
}

// Common to all recipes: AdamW, linear warm-up over the first 15 % of the steps, then cosine decay.
Config with_training(Config config, const Training& training) {
  const int warmup = training.steps * 15 / 100;
  config.set("optimiser", std::string("adamw"));
  config.set("learning_rate", training.learning_rate);
  config.set("weight_decay", training.weight_decay);
  config.set("beta2", training.beta2);
  config.set("schedule", std::string("cosine"));
  config.set("warmup", double(warmup));
  config.set("batch", double(training.batch));
  config.set("steps", double(training.steps));
  return config;
}

void set_wiring(Config& config, const ModelRecipe& model, std::string_view task) {
  const std::string attention = model.attention;
  config.set("cell", std::string(model.cell));
  config.set("attention", attention);
  config.set("bidirectional", attention == "bahdanau");
  config.set("input_feeding", attention == "luong");
  config.set("reverse_source", attention == "none" && task == "addition");
}

void set_positions(Config& config, bool translates) {
  config.set("positions", std::string(translates ? "rotary" : "sinusoidal"));
  config.set("batch_tokens", translates ? 256.0 : 0.0);
  config.set("tied_embedding", translates);
}

// The learner's own model is trained as the lab's is on that task.
Config program_recipe(std::string_view name) {
  const bool is_text = name == texts[0].name;
  const std::string kind = is_text ? "program_lm" : "program_seq2seq";
  const TaskRecipe& task = is_text ? texts[0] : find<TaskRecipe>(recurrent, "task", name);
  return with_training({{"kind", kind}, {"task", std::string(name)}}, task.training);
}

}  // namespace

Config recipe(std::string_view task_name, std::string_view model_name) {
  if (model_name == "program") return program_recipe(task_name);
  const ModelRecipe& model = find<ModelRecipe>(models, "model", model_name);
  const TaskRecipe& task = find(model.tasks, "task", task_name);
  const std::string kind = model.kind;
  Config config = {{"kind", kind}, {"task", std::string(task_name)}};
  for (std::size_t i = 0; i < model.sizes.size(); ++i) config.set(model.sizes[i], task.sizes[i]);
  if (kind == "seq2seq") set_wiring(config, model, task_name);
  if (kind == "transformer") set_positions(config, task_name == "translate-en-fr");
  if (kind == "transformer_lm") config.set("activation", std::string("gelu"));
  return with_training(config, task.training);
}

std::vector<std::string> recipe_models() { return names_of<ModelRecipe>(models); }

std::vector<std::string> recipe_tasks(std::string_view model) {
  return names_of(find<ModelRecipe>(models, "model", model).tasks);
}

}  // namespace unroll
