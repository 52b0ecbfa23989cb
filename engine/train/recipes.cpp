#include "engine/train/recipes.h"

#include <algorithm>
#include <span>

#include "engine/tensor/error.h"

namespace unroll {
namespace {

struct ModelRecipe {
  std::string_view name;
  const char* cell;
  const char* attention;  // with bahdanau, the encoder is bidirectional
};

constexpr ModelRecipe models[] = {
    {"rnn", "rnn", "none"},
    {"lstm", "lstm", "none"},
    {"gru", "gru", "none"},
    {"gru-attention", "gru", "bahdanau"},
    {"lstm-attention", "lstm", "bahdanau"},
    {"gru-luong", "gru", "luong"},
};

// Training hyperparameters.
struct Training {
  int batch, steps;
  double learning_rate, weight_decay = 0.01, beta2 = 0.999;
};

struct TaskRecipe {
  std::string_view name;
  int embedding, hidden, attention_size;
  Training training;
  bool reverse_source = false;
};

constexpr TaskRecipe tasks[] = {
    {"reverse", 32, 64, 64, {64, 300, 4e-3}}, {"copy", 32, 64, 64, {64, 300, 4e-3}},
    {"sort", 32, 64, 64, {64, 400, 4e-3}},    {"addition", 8, 128, 128, {64, 4000, 6e-3}, true},
    {"dates", 32, 64, 64, {64, 350, 4e-3}},   {"translate-en-fr", 64, 96, 128, {16, 2800, 5e-3, 0.2, 0.95}},
};

struct TransformerRecipe {
  std::string_view name;
  int model_size, heads, feed_forward, layers;
  Training training;
  const char* positions = "sinusoidal";
  int batch_tokens = 0;
  bool tied_embedding = false;
};

constexpr TransformerRecipe transformers[] = {
    {"reverse", 64, 2, 128, 1, {16, 1600, 4e-3}},
    {"copy", 64, 2, 128, 1, {16, 1000, 4e-3}},
    {"sort", 64, 2, 128, 1, {16, 1600, 4e-3}},
    {"addition", 64, 4, 128, 2, {16, 6000, 3e-3}},
    {"dates", 64, 4, 128, 1, {16, 1600, 4e-3}},
    {"translate-en-fr", 64, 4, 128, 2, {48, 3800, 5e-3, 0.1, 0.95}, "rotary", 256, true},
};

// beta2: with 0.999, Adam would still remember gradients from a thousand steps ago, of the 1500 that there are.
constexpr TransformerRecipe language_models[] = {{"stories", 64, 4, 256, 2, {16, 1500, 4e-3, 0.01, 0.95}}};

struct CaptionerRecipe {
  std::string_view name;
  int channels, embedding, hidden, attention_size;
  Training training;
};

constexpr CaptionerRecipe captioners[] = {{"captions", 32, 32, 96, 64, {32, 1800, 6e-3}}};

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
  fail(ErrorCode::config, field, " is \"", name, "\": use one of ", names_of(recipes), ".");
}

// Common to all recipes: AdamW, linear warm-up over the first 15 % of the steps, then cosine decay.
void add_training(Config& config, const Training& training) {
  const int warmup = training.steps * 15 / 100;
  config.set("optimiser", std::string("adamw"));
  config.set("learning_rate", training.learning_rate);
  config.set("weight_decay", training.weight_decay);
  config.set("beta2", training.beta2);
  config.set("schedule", std::string("cosine"));
  config.set("warmup", double(warmup));
  config.set("batch", double(training.batch));
  config.set("steps", double(training.steps));
}

Config recurrent_recipe(std::string_view task_name, std::string_view model_name) {
  const TaskRecipe& task = find<TaskRecipe>(tasks, "task", task_name);
  const ModelRecipe& model = find<ModelRecipe>(models, "model", model_name);
  const std::string attention = model.attention;
  Config config = {{"kind", std::string("seq2seq")},
                   {"task", std::string(task.name)},
                   {"cell", std::string(model.cell)},
                   {"attention", attention},
                   {"bidirectional", attention == "bahdanau"},
                   {"input_feeding", attention == "luong"},
                   {"embedding", double(task.embedding)},
                   {"hidden", double(task.hidden)},
                   {"attention_size", double(task.attention_size)},
                   {"reverse_source", task.reverse_source && attention == "none"}};
  add_training(config, task.training);
  return config;
}

Config transformer_recipe(std::string_view task_name) {
  const TransformerRecipe& task = find<TransformerRecipe>(transformers, "task", task_name);
  Config config = {{"kind", std::string("transformer")},        {"task", std::string(task.name)},
                   {"model_size", double(task.model_size)},     {"heads", double(task.heads)},
                   {"feed_forward", double(task.feed_forward)}, {"layers", double(task.layers)},
                   {"positions", std::string(task.positions)},  {"batch_tokens", double(task.batch_tokens)},
                   {"tied_embedding", task.tied_embedding}};
  add_training(config, task.training);
  return config;
}

Config language_model_recipe(std::string_view task_name) {
  const TransformerRecipe& task = find<TransformerRecipe>(language_models, "task", task_name);
  Config config = {{"kind", std::string("transformer_lm")},     {"task", std::string(task.name)},
                   {"model_size", double(task.model_size)},     {"heads", double(task.heads)},
                   {"feed_forward", double(task.feed_forward)}, {"layers", double(task.layers)},
                   {"activation", std::string("gelu")}};
  add_training(config, task.training);
  return config;
}

Config captioner_recipe(std::string_view task_name) {
  const CaptionerRecipe& task = find<CaptionerRecipe>(captioners, "task", task_name);
  Config config = {{"kind", std::string("captioner")},  {"task", std::string(task.name)},
                   {"channels", double(task.channels)}, {"embedding", double(task.embedding)},
                   {"hidden", double(task.hidden)},     {"attention_size", double(task.attention_size)}};
  add_training(config, task.training);
  return config;
}

// The learner's own model is trained as the lab's is on that task.
Config program_recipe(std::string_view task_name) {
  const bool is_text =
      std::ranges::find(language_models, task_name, &TransformerRecipe::name) != std::end(language_models);
  const std::string kind = is_text ? "program_lm" : "program_seq2seq";
  Config config = {{"kind", kind}, {"task", std::string(task_name)}};
  add_training(config, is_text ? find<TransformerRecipe>(language_models, "task", task_name).training
                               : find<TaskRecipe>(tasks, "task", task_name).training);
  return config;
}

}  // namespace

Config recipe(std::string_view task, std::string_view model) {
  if (model == "program") return program_recipe(task);
  if (model == "captioner") return captioner_recipe(task);
  if (model == "lm") return language_model_recipe(task);
  return model == "transformer" ? transformer_recipe(task) : recurrent_recipe(task, model);
}

std::vector<std::string> recipe_models() {
  std::vector<std::string> names = names_of<ModelRecipe>(models);
  names.insert(names.end(), {"transformer", "lm", "captioner"});
  return names;
}

std::vector<std::string> recipe_tasks(std::string_view model) {
  if (model == "captioner") return names_of<CaptionerRecipe>(captioners);
  if (model == "lm") return names_of<TransformerRecipe>(language_models);
  if (model == "transformer") return names_of<TransformerRecipe>(transformers);
  find<ModelRecipe>(models, "model", model);
  return names_of<TaskRecipe>(tasks);
}

}  // namespace unroll
