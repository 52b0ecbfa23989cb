#include "engine/train/task_trainer.h"

#include <algorithm>

#include "engine/data/tasks/own_data.h"
#include "engine/kernels/functions.h"
#include "engine/models/model.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

Generator& as_generator(Model& model) {
  Generator* generator = model.generator();
  if (!generator) fail(ErrorCode::config, "model_writes_no_sequences");
  return *generator;
}

void check_form(const Task& task, const Model& model) {
  if (task.form() != Form::pairs && !is_language_model(model))
    fail(ErrorCode::config, "task_of_texts_for_pair_model", task.name());
  if (task.form() == Form::pairs && is_language_model(model))
    fail(ErrorCode::config, "task_of_pairs_for_language_model", task.name());
}

// Number of tokens of target (B, T) with the largest logit (B, T, V), and of all tokens; padding is skipped.
struct Hits {
  int right = 0, all = 0;
};
Hits count_hits(const Tensor& logits, const Tensor& target) {
  const std::size_t V = static_cast<std::size_t>(logits.shape()[-1]);
  Hits hits;
  for (std::size_t i = 0; i < target.size(); ++i) {
    const int id = static_cast<int>(target.data()[i]);
    if (id == pad_id) continue;
    const Scalar* row = logits.data() + i * V;
    ++hits.all;
    hits.right += std::max_element(row, row + V) - row == id;
  }
  return hits;
}

// At most one of task, pairs and text may be given.
void check_one_task_source(const Config& config) {
  if (config.has("pairs") && config.has("text")) fail(ErrorCode::config, "pairs_and_text");
  for (const std::string field : {"pairs", "text"})
    if (config.has(field)) config.reject_if_set("task", phrase("task_and_own_data", field));
}

// Calls a function at the end of the block, also if something throws.
struct AtEnd {
  std::function<void()> call;
  ~AtEnd() { call(); }
};

// Training has diverged at this multiple of the loss of uniform guessing.
constexpr double divergence_factor = 10;
constexpr const char* divergence_meaning = "ten_times_guessing";

PairTokens pair_tokens(const Config& config) {
  if (!config.has("tokens")) return PairTokens::unsaid;
  const bool words = config.text("tokens", "words", {"words", "characters"}) == "words";
  return words ? PairTokens::words : PairTokens::characters;
}

// The smallest batch that is no smaller than any of these.
BatchSizes covering(const std::set<BatchSizes>& batches) {
  BatchSizes all;
  for (const BatchSizes& each : batches)
    all = {std::max(all.rows, each.rows), std::max(all.source, each.source), std::max(all.target, each.target)};
  return all;
}

}  // namespace

bool is_language_model(const Model& model) {
  return model.inputs().size() == 2 && model.inputs()[0].name == "target_in";
}

void set_vocabularies(Config& config, const Task& task) {
  if (task.form() != Form::pairs) return config.set("vocabulary", double(task.target_vocabulary().size()));
  config.set("source_vocabulary", double(task.source_vocabulary().size()));
  config.set("target_vocabulary", double(task.target_vocabulary().size()));
}

Dataset training_batches(const Task& task, const Config& config) {
  return {task, Split::train, config.integer("batch", 64, 1, 256), config.integer("batch_tokens", 0, 0, 16384)};
}

ModelSize training_size(const Config& config, const Dataset& batches) {
  ModelSize largest;
  for (const BatchSizes& batch : batches.batch_sizes()) {
    const ModelSize size = model_size(config, batch);
    if (size.activations > largest.activations) largest = size;
  }
  return largest;
}

TaskTrainer::TaskTrainer(const Task& task, Model& model, Trainer& trainer, const Config& config)
    : dataset_(training_batches(task, config)),
      model_(model),
      generator_(as_generator(model)),
      trainer_(trainer),
      seed_(config.seed()),
      forcing_(config.number("forcing", 1, 0, 1)),
      steps_(config.integer("steps", 1000, 1, 1'000'000)) {
  check_form(task, model);
  const bool fits = !config.has("part") && model.takes(covering(dataset_.batch_sizes()));
  if (!fits) check_batches(config, training_size(config, dataset_).activations);
  // Uniform guessing has the loss ln V.
  const Scalar guessing = kernels::log(static_cast<Scalar>(task.target_vocabulary().size()));
  trainer.set_highest_loss(divergence_factor * static_cast<double>(guessing), divergence_meaning);
}

void TaskTrainer::set_inputs(const Batch& batch) {
  if (!is_language_model(model_)) model_.set_input("source", batch.source);
  model_.set_input("target_in", batch.target_in);
  model_.set_input("target_out", batch.target_out);
}

double TaskTrainer::forcing_at(int step) const { return 1 - std::min(1.0, double(step) / steps_) * (1 - forcing_); }

std::function<void()> TaskTrainer::sample_as_in_next_step() {
  const int step = trainer_.optimiser().steps;
  constexpr std::uint64_t forcing_stream = std::uint64_t(1) << 40;  // disjoint from the streams of batches
  generator_.set_forcing(forcing_at(step), Random(seed_, forcing_stream + static_cast<std::uint64_t>(step)));
  return [&generator = generator_] { generator.set_forcing(1, Random(0)); };
}

TrainingStep TaskTrainer::step() {
  const int step = trainer_.optimiser().steps;
  const Batch batch = dataset_.batch(seed_, static_cast<std::uint64_t>(step));
  set_inputs(batch);
  const AtEnd no_more_sampling{sample_as_in_next_step()};
  const double loss = trainer_.step();
  const Hits hits = count_hits(model_.output(), batch.target_out);
  return {step + 1, loss, double(hits.right) / hits.all, static_cast<int>(batch.pairs.size()), hits.all};
}

std::shared_ptr<const Task> task_from_config(const Config& config) {
  check_one_task_source(config);
  if (const auto pairs = config.any_text("pairs")) return parse_pairs(*pairs, pair_tokens(config));
  if (const auto text = config.any_text("text"))
    return parse_text(*text, config.text("tokens", "characters", {"characters", "words"}) == "words");
  return make_task(config.text("task", "reverse", task_names()), config);
}

}  // namespace unroll
