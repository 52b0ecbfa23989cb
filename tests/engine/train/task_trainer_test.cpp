#include "engine/train/task_trainer.h"

#include "engine/models/registry.h"
#include "engine/tensor/pool.h"
#include "tests/engine/support/task_run.h"
#include "tests/engine/support/test.h"

namespace {

// A small version of the lesson's model.
struct Run : TaskRun {
  explicit Run(const char* model, double forcing = 1)
      : TaskRun(with(recipe_with("reverse", model, "embedding=8 hidden=8 attention_size=8 batch=8 length=4"),
                     {{"forcing", forcing}})) {}
};

}  // namespace

TEST_CASE("every recipe is accepted by its task and model, down to every field") {
  for (const std::string& model : recipe_models()) {
    CAPTURE(model);
    TaskRun run(recipe_with(recipe_tasks(model)[0], model, "batch=8"));
    const TrainingStep step = run.trainer->step();
    CHECK(step.step == 1);
    CHECK(step.examples == 8);
    CHECK(step.tokens > step.examples);  // at least a letter and <eos>
    CHECK((step.accuracy >= 0 && step.accuracy <= 1));
  }
  CHECK_THROWS_WITH_AS(recipe("reverse", "perceptron"), doctest::Contains("model is \"perceptron\": use one of"),
                       Error);
  CHECK_THROWS_AS(recipe("juggling", "gru"), Error);
}

TEST_CASE("batches of many lengths, one model after another: the pool holds at most a quarter more than was in use") {
  for (const auto& learnt : {std::pair{"translate-en-fr", "gru-attention"},
                             {"translate-en-fr", "transformer"},
                             {"stories", "lm"},
                             {"captions", "captioner"}}) {
    CAPTURE(learnt.second);
    pool_trim();
    TaskRun run(recipe_with(learnt.first, learnt.second, ""));
    run.steps(25);
    const PoolStats use = pool_stats();
    CHECK(use.peak > 4'000'000);
    CHECK(double(use.reserved) <= 1.25 * double(use.peak));
  }
}

TEST_CASE("no batch exceeds the estimate for the largest: many short pairs can take more than a few long ones") {
  const TaskRun run(recipe_with("translate-en-fr", "transformer", "batch=256 batch_tokens=0"));
  const Dataset batches = training_batches(*run.task, run.config);
  const double most = training_size(run.config, batches).activations;
  double reached = 0;
  for (std::uint64_t step = 0; step < 200; ++step) {
    const Batch batch = batches.batch(1, step);
    const Shape &source = batch.source.shape(), &target = batch.target_in.shape();
    reached = std::max(reached, model_size(run.config, {source[0], source[1], target[1]}).activations);
  }
  CHECK(reached <= most);
  CHECK(reached > 0.9 * most);
}

TEST_CASE("a model whose batches would take too much memory is refused when it is made, not during training") {
  const Config config = recipe_with("translate-en-fr", "transformer", "batch=256 batch_tokens=0 feed_forward=4096");
  CHECK(REFUSAL(config, TaskRun{config}) ==
        "batch is 256, for which a training step takes about 404 MB, and 256 MB is the most: use a smaller batch or a "
        "smaller model.");
}

TEST_CASE("the loss falls") {
  Run run("gru-attention");
  const double first = run.steps(1);
  CHECK(run.steps(200) < 0.7 * first);
}

TEST_CASE("training on a task resumed from a checkpoint equals training that never stopped") {
  for (const double forcing : {1.0, 0.5}) {
    Run whole("gru-attention", forcing), first("gru-attention", forcing), second("gru-attention", forcing);
    whole.steps(7);
    first.steps(3);
    second.restore(first.save());
    second.steps(4);
    CHECK(second.save() == whole.save());
  }
}

TEST_CASE("scheduled sampling changes the result of training") {
  Run forced("gru", 1), free("gru", 0);
  forced.steps(1), free.steps(1);  // step 0 is forced in both
  CHECK(forced.save() == free.save());
  CHECK(forced.steps(200) != free.steps(200));
}

TEST_CASE("after a step with scheduled sampling the model is back to teacher forcing") {
  Run trained("gru", 0), restored("gru", 0);
  trained.steps(20);
  restored.restore(trained.save());
  Dataset dataset(*trained.task, Split::train, 4);
  const Batch batch = dataset.batch(1, 0);
  trained.trainer->set_inputs(batch), restored.trainer->set_inputs(batch);
  CHECK(trained.model->loss().item() == restored.model->loss().item());
}

TEST_CASE("after a refused step, too, the model is back to teacher forcing") {
  TaskRun run(recipe_with("reverse", "gru", "embedding=8 hidden=8 forcing=0 steps=1"));
  run.steps(1);
  const Batch batch = Dataset(*run.task, Split::train, 4).batch(1, 0);
  run.trainer->set_inputs(batch);
  const Scalar before = run.model->loss().item();
  run.optimiser->set_highest_loss(0, "ten_times_guessing");
  CHECK_THROWS_AS(run.steps(1), Error);
  run.trainer->set_inputs(batch);
  CHECK(run.model->loss().item() == before);
}

TEST_CASE("a model that generates no sequences cannot learn a task") {
  Config config{{"kind", "attention"}};
  const std::shared_ptr<const Task> task = make_task("reverse");
  const std::unique_ptr<Model> model = make_model(config);
  Trainer optimiser(*model, config);
  CHECK_THROWS_WITH_AS(TaskTrainer(*task, *model, optimiser, config),
                       "This kind of model writes no sequences: to learn a task, use \"seq2seq\".", Error);
}

TEST_CASE("a loss of ten times that of guessing is refused, and the weights stay") {
  TaskRun run(
      recipe_with("reverse", "gru",
                  "hidden=16 embedding=8 batch=8 optimiser=rmsprop learning_rate=10 clip_norm=1e6 schedule=constant"));
  int steps = 0;
  const auto diverge = [&] {
    for (; steps < 400; ++steps) run.trainer->step();
  };
  CHECK_THROWS_WITH_AS(diverge(), doctest::Contains("ten times that of guessing: lower learning_rate, which is 10."),
                       Error);
  CHECK(steps > 0);
  for (const Parameter& parameter : run.model->parameters().all())
    for (const Scalar value : parameter.value.values()) REQUIRE(std::isfinite(value));
  CHECK_THROWS_AS(run.trainer->step(), Error);
}
