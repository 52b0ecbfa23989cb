#include "engine/train/task_trainer.h"

#include "engine/models/model.h"
#include "engine/tensor/pool.h"
#include "engine/train/evaluate.h"
#include "engine/train/recipes.h"
#include "tests/engine/support/sources.h"
#include "tests/engine/support/task_run.h"
#include "tests/engine/support/test.h"

namespace {

// A small version of the lesson's model.
struct Run : TaskRun {
  explicit Run(const char* model, double forcing = 1)
      : TaskRun(with(recipe_with("reverse", model, "embedding=8 hidden=8 attention_size=8 batch=8 length=4"),
                     {{"forcing", forcing}})) {}
};

// The fraction of new sources of a given length that a model reverses exactly, after 300 steps on lengths 1 to 10.
struct Reversed {
  double length_4, length_10;
};
Reversed reverse_with(const char* model, double seed) {
  TaskRun run(with(
      recipe_with("reverse", model, "embedding=12 hidden=24 attention_size=12 batch=24 steps=300 learning_rate=0.01"),
      {{"seed", seed}}));
  run.steps(300);
  const auto exact = [&](int length) {
    const std::vector<Pair> pairs = run.task->pairs_of_length(length, 60, 1);
    Evaluator evaluator(dynamic_cast<Generator&>(*run.model), *run.task, spread(pairs, 0));
    while (evaluator.next()) {
    }
    return evaluator.result().exact_match;
  };
  return {exact(4), exact(10)};
}

// The mean loss of the last ten of so many steps, in which the learning rate rises and falls as in the whole training.
double loss_after(const std::string& task, const std::string& file, int steps) {
  TaskRun run(with(recipe(task, "program"), {{"program", source_text("lessons/programs/" + file)},
                                             {"steps", double(steps)},
                                             {"warmup", double(steps * 15 / 100)}}));
  run.steps(steps - 10);
  double total = 0;
  for (int i = 0; i < 10; ++i) total += run.steps(1);
  return total / 10;
}

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

TEST_CASE("every model accepts its recipe for each of its tasks") {
  for (const std::string& name : recipe_models())
    for (const std::string& task : recipe_tasks(name)) {
      INFO("task ", task, ", name ", name);
      const Config config = recipe(task, name);
      CHECK(config.text("task", "", task_names()) == task);
      CHECK_FALSE(make_model(config)->parameters().all().empty());
    }
}

TEST_CASE("every task has a recipe with a model that can learn it; one without attention reads a sum from its end") {
  std::set<std::string> tasks;
  for (const std::string& name : recipe_models()) {
    const std::vector<std::string> of_model = recipe_tasks(name);
    tasks.insert(of_model.begin(), of_model.end());
  }
  for (const std::string& task : task_names()) CHECK_MESSAGE(tasks.contains(task), task);
  CHECK(REFUSAL(config, recipe("captions", "gru")).starts_with("task is \"captions\": use one of"));
  CHECK(REFUSAL(config, recipe("reverse", "captioner")) == "task is \"reverse\": use one of captions.");
  CHECK(recipe("addition", "lstm").flag("reverse_source", false));
  CHECK_FALSE(recipe("addition", "lstm-attention").flag("reverse_source", true));
}

// The purpose of attention: sequences that do not fit into a single state.
TEST_CASE("after the same training, a GRU reverses long sequences with attention, but only short ones without") {
  for (const double seed : {1.0, 3.0}) {
    CAPTURE(seed);
    const Reversed without = reverse_with("gru", seed), with = reverse_with("gru-attention", seed);
    CHECK(without.length_4 > 0.1);
    CHECK(without.length_10 < 0.05);
    CHECK(with.length_4 > 0.9);
    CHECK(with.length_10 > 0.4);
  }
}

// Models that are programs of the learner's language learn their tasks. (How well is a matter of `lab bars`.)
// An even guess among 14 tokens has the loss 2.64, and the task can be learnt to 0.
TEST_CASE("bahdanau.py learns to reverse") { CHECK(loss_after("reverse", "bahdanau.py", 80) < 1); }

// An even guess among 137 tokens has the loss 4.92, and the entropy of the stories is 0.37.
TEST_CASE("gpt.py learns to tell stories") { CHECK(loss_after("stories", "gpt.py", 60) < 2); }
