#include "engine/train/task_trainer.h"

#include <doctest/doctest.h>

#include "engine/tensor/error.h"
#include "engine/train/checkpoint.h"
#include "engine/train/recipes.h"

using namespace unroll;

namespace {

// The lesson's model of a task made small, with all that its training needs.
struct Run {
  explicit Run(const char* model_name, double forcing = 1) : config(recipe("reverse", model_name)) {
    for (const char* name : {"embedding", "hidden", "attention_size", "batch"}) config.set(name, 8.0);
    config.set("length", 4.0);
    config.set("forcing", forcing);
    task = make_task_of(config);
    set_vocabularies(config, *task);
    model = make_model(config);
    optimiser = std::make_unique<Trainer>(*model, config);
    trainer = std::make_unique<TaskTrainer>(*task, *model, *optimiser, config);
    config.refuse_unknown();
  }
  double steps(int count) {
    double loss = 0;
    for (int i = 0; i < count; ++i) loss = trainer->step().loss;
    return loss;
  }

  Config config;
  std::unique_ptr<Task> task;
  std::unique_ptr<Model> model;
  std::unique_ptr<Trainer> optimiser;
  std::unique_ptr<TaskTrainer> trainer;
};

}  // namespace

TEST_CASE("every recipe is a configuration that its task and model take whole") {
  for (const std::string& model : recipe_models()) {
    CAPTURE(model);
    Run run(model.c_str());
    const TrainingStep step = run.trainer->step();
    CHECK(step.step == 1);
    CHECK(step.examples == 8);
    CHECK(step.tokens > step.examples);  // a letter and <eos> at least
    CHECK((step.accuracy >= 0 && step.accuracy <= 1));
  }
  CHECK_THROWS_WITH_AS(recipe("reverse", "perceptron"),
                       "model is \"perceptron\": use one of rnn, lstm, gru, gru-attention, lstm-attention, gru-luong.",
                       Error);
  CHECK_THROWS_AS(recipe("juggling", "gru"), Error);
}

TEST_CASE("the loss falls") {
  Run run("gru-attention");
  const double first = run.steps(1);
  CHECK(run.steps(200) < 0.7 * first);
}

TEST_CASE("a run that goes on from a checkpoint equals the run that never stopped") {
  for (const double forcing : {1.0, 0.5}) {
    Run whole("gru-attention", forcing), first("gru-attention", forcing), second("gru-attention", forcing);
    whole.steps(7);
    first.steps(3);
    restore_checkpoint(save_checkpoint(*first.model, first.optimiser->optimiser()), *second.model,
                       second.optimiser->optimiser());
    second.steps(4);
    CHECK(save_checkpoint(*second.model, second.optimiser->optimiser()) ==
          save_checkpoint(*whole.model, whole.optimiser->optimiser()));
  }
}

TEST_CASE("scheduled sampling changes what is learnt") {
  Run forced("gru", 1), free("gru", 0);
  forced.steps(1), free.steps(1);  // at step 0 both are forced
  CHECK(save_checkpoint(*forced.model, forced.optimiser->optimiser()) ==
        save_checkpoint(*free.model, free.optimiser->optimiser()));
  CHECK(forced.steps(200) != free.steps(200));
}

TEST_CASE("a model that writes no sequences learns no task") {
  Config config{{"kind", std::string("attention")}};
  const std::unique_ptr<Task> task = make_task("reverse");
  const std::unique_ptr<Model> model = make_model(config);
  Trainer optimiser(*model, config);
  CHECK_THROWS_WITH_AS(TaskTrainer(*task, *model, optimiser, config),
                       "This kind of model writes no sequences: to learn a task, use \"seq2seq\".", Error);
}
