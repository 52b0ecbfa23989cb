#include "engine/train/trainer.h"

#include "engine/tensor/pool.h"
#include "tests/engine/support/lessons.h"
#include "tests/engine/support/small_models.h"
#include "tests/engine/support/test.h"

namespace {

Config learning(const std::string& optimiser, double rate) {
  Config config = four_words();
  config.set("target", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1});
  config.set("optimiser", optimiser);
  config.set("learning_rate", rate);
  return config;
}

// Memory left in the pool by earlier tests cannot hide growth: the peak in use must stay the same too.
void check_asks_for_no_memory(ModelRun& training, int steps) {
  pool_trim();
  training.trainer.step();
  const PoolStats first = pool_stats();
  for (int i = 0; i < steps; ++i) training.trainer.step();
  CHECK(pool_stats().allocations == first.allocations);
  CHECK(pool_stats().peak == first.peak);
}

// Ids of words, without padding.
Tensor ids(int rows, int positions, int vocabulary) {
  Tensor result({rows, positions});
  for (int i = 0; i < rows * positions; ++i) result.data()[i] = static_cast<Scalar>(3 + i * 7919 % (vocabulary - 3));
  return result;
}

// A model whose loss overflows after some steps: (10 w)⁴ grows without bound.
struct Climbing : Model {
  Climbing() : Model(Config()), w(parameters_.declare("w", {1}, constant(1))) {}
  Tensor loss() override {
    parameters_.record();
    return sum(square(square(square(w * 10)))) * -1e20;
  }
  Tensor w;
};

// y = a + b: both get the same gradient tensor.
struct Sum : Model {
  Sum()
      : Model(Config()), a(parameters_.declare("a", {1}, constant(0))), b(parameters_.declare("b", {1}, constant(0))) {}
  Tensor loss() override {
    parameters_.record();
    return sum(-100 * (a + b));
  }
  Tensor a, b;
};

}  // namespace

TEST_CASE("every optimiser lowers the loss of the four words") {
  for (const std::string& kind : optimiser_kinds()) {
    CAPTURE(kind);
    ModelRun training(learning(kind, 0.01));
    const double first = training.trainer.step();
    double last = first;
    for (int i = 0; i < 100; ++i) last = training.trainer.step();
    CHECK(last < 0.8 * first);
    CHECK(training.trainer.optimiser().steps == 101);
  }
}

TEST_CASE("weight_decay is used by AdamW only, beta2 also by Adam; the others ignore both") {
  Config config = learning("adamw", 0.01);
  CHECK(ModelRun(config).trainer.optimiser().weight_decay == 0.01);
  config.set("weight_decay", 0.1);
  config.set("beta2", 0.95);
  const auto optimiser_named = [&](const char* kind, auto check) {
    config.set("optimiser", kind);
    ModelRun training(config);
    check(training.trainer.optimiser());
    CHECK_NOTHROW(config.reject_unknown());
  };
  optimiser_named("adamw", [](Optimiser& it) {
    CHECK(it.weight_decay == 0.1);
    CHECK(dynamic_cast<Adam&>(it).beta2 == 0.95);
  });
  optimiser_named("adam", [](Optimiser& it) {
    CHECK(it.weight_decay == 0);
    CHECK(dynamic_cast<Adam&>(it).beta2 == 0.95);
  });
  optimiser_named("sgd", [](Optimiser& it) { CHECK(it.weight_decay == 0); });
}

TEST_CASE("after the first step no optimiser allocates memory") {
  for (const std::string& kind : optimiser_kinds()) {
    CAPTURE(kind);
    ModelRun training(learning(kind, 0.01));
    check_asks_for_no_memory(training, 20);
  }
}

TEST_CASE("after the first step no model allocates memory") {
  for_each(small_models(), [](const Config& config, const Text&) {
    ModelRun run(with(config, "optimiser=adam"));
    if (run.model->parameters().count()) check_asks_for_no_memory(run, 4);
  });
}

// As in tests/bench/train.cpp.
TEST_CASE("nor does W1, the model of the benchmark: a GRU with attention to 16 positions, batches of 64 pairs") {
  ModelRun training(
      settings("kind=seq2seq cell=gru attention=bahdanau bidirectional=false embedding=64 hidden=128 "
               "attention_size=128 source_vocabulary=64 target_vocabulary=64 optimiser=adam clip_norm=1"));
  for (const char* name : {"source", "target_in", "target_out"}) training.model->set_input(name, ids(64, 16, 64));
  check_asks_for_no_memory(training, 3);
}

TEST_CASE("the same seed gives the same bits") {
  ModelRun one(learning("adam", 0.02)), two(learning("adam", 0.02));
  for (int i = 0; i < 50; ++i) CHECK(one.trainer.step() == two.trainer.step());
}

TEST_CASE("clipping limits the first step of gradient descent to rate · norm") {
  Config config = learning("sgd", 1);
  config.set("clip_norm", 0.001);
  ModelRun training(config);
  std::vector<Tensor> before;
  for (const Parameter& parameter : training.model->parameters().all()) before.push_back(parameter.value.copy());
  training.trainer.step();
  double squared = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    squared += static_cast<double>(sum(square(training.model->parameters().all()[i].value - before[i])).item());
  CHECK(std::sqrt(squared) == doctest::Approx(0.001).epsilon(1e-3));
}

TEST_CASE("parameters that share a gradient move alike") {
  Sum model;
  Trainer trainer(model, {{"learning_rate", 1.0}});
  trainer.step();
  expect(model.a, {1}, {std::sqrt(0.5)}, 1e-4);
  expect(model.b, {1}, {std::sqrt(0.5)}, 1e-4);
}

TEST_CASE("a loss or a gradient that is not finite is refused, and the weights stay") {
  Climbing model;
  Trainer trainer(model, {{"learning_rate", 10.0}});
  const std::string message = refusal(ErrorCode::diverged, [&] {
    for (int i = 0; i < 1000; ++i) trainer.step();
  });
  CHECK(message.find("lower learning_rate, which is 10.") != std::string::npos);
  const Tensor before = model.w.copy();
  CHECK(std::isfinite(before.item()));
  const int steps = trainer.optimiser().steps;
  REFUSAL(diverged, trainer.step());
  CHECK(same_bits(before, model.w));
  CHECK(trainer.optimiser().steps == steps);
}

TEST_CASE("a loss above the limit is refused, naming the limit") {
  Sum model;
  Trainer trainer(model, {{"learning_rate", 1.0}});
  trainer.set_highest_loss(-100, "ten_times_guessing");
  CHECK(REFUSAL(diverged, trainer.step())
            .ends_with(", where -100 is ten times that of guessing: lower learning_rate, which is 1."));
}

TEST_CASE("a model without parameters has nothing to train") {
  ModelRun training(softmax_lesson());
  CHECK(REFUSAL(config, training.trainer.step()) == "This model has no parameters: there is nothing to train.");
}
