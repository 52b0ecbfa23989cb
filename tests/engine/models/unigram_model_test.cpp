// The unigram model: one step of learning on a few scores, where it is known what each number must be.
#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/models/model.h"
#include "tests/engine/support/models.h"

namespace {

using Numbers = std::vector<double>;

// Words came as in `examples`; trained by plain gradient descent without clipping.
Config unigram(Numbers examples, double learning_rate, const Text& more = "") {
  return with(with({{"kind", "unigram"}, {"clip_norm", 0.0}},
                   {{"examples", std::move(examples)}, {"learning_rate", learning_rate}}),
              more.c_str());
}

struct Traced {
  explicit Traced(const Config& config) : run(config) {
    RecordingGuard recording(&tape);
    const Tensor loss = run.model->loss();
    backward(loss);
    run.trainer.record_update(static_cast<double>(loss.item()));
  }
  Tensor value(const char* name) const { return node(tape, name).value; }
  Tensor slope(const char* name) const { return node(tape, name).gradient; }

  ModelRun run;
  Tape tape{Tape::Detail::trace};
};

// Of exp(1), exp(5), exp(2), exp(1), exp(1), in 50 digits.
const Numbers weights = {0.0165792301, 0.9051952900, 0.0450670198, 0.0165792301, 0.0165792301};

Numbers weights_minus(const Numbers& shares) {
  Numbers difference;
  for (std::size_t i = 0; i < shares.size(); ++i) difference.push_back(weights[i] - shares[i]);
  return difference;
}

double loss_after(const Config& config, int steps) {
  ModelRun run(config, steps);
  return static_cast<double>(run.model->loss().item());
}

const Numbers mixed = {0, 0, 0, 0, 1, 2, 2, 2};

}  // namespace

TEST_CASE("the gradient of one example is the weights minus the one-hot, link by link") {
  const Traced traced(unigram({0}, 1));
  expect(traced.value("α"), {5}, weights);
  CHECK(traced.value("L").item() == doctest::Approx(4.0996117));
  expect(traced.slope("α"), {5}, {-1 / weights[0], 0, 0, 0, 0});
  expect(traced.slope("e"), {5}, weights_minus({1, 0, 0, 0, 0}));
}

TEST_CASE("the gradient of several examples is the mean of theirs: the weights minus the share of each word") {
  const Traced traced(unigram(mixed, 1));
  expect(traced.slope("e"), {5}, weights_minus({0.5, 0.125, 0.375, 0, 0}));
}

TEST_CASE("a plain step without clipping is e − η g on the tape, and nothing else") {
  const Traced traced(unigram({0}, 0.5));
  std::set<Text> update;
  for (const Node& each : traced.tape.nodes())
    if (each.phase == Phase::update) update.insert(each.name);
  CHECK(update == std::set<Text>{"update.e/step", "update/e"});
  for (int i = 0; i < 5; ++i)
    CHECK(traced.value("update/e").data()[i] ==
          traced.value("e").data()[i] - Scalar(0.5) * traced.slope("e").data()[i]);
}

// The curvature of the loss, of diag(α) − ααᵀ, is at most 1/2, so a rate below 2 / (1/2) cannot overshoot.
TEST_CASE("each step of a learning rate below 4 lowers the loss; steps of 10 raise it again") {
  const auto losses = [](double rate) {
    ModelRun run(unigram({0, 2}, rate));
    Numbers all;
    for (int step = 0; step < 20; ++step) all.push_back(run.trainer.step());
    return all;
  };
  for (const double rate : {0.01, 1.0, 3.9}) CHECK(std::ranges::is_sorted(losses(rate), std::greater()));
  CHECK_FALSE(std::ranges::is_sorted(losses(10), std::greater()));
  CHECK(losses(10).back() > 1);
}

TEST_CASE("the share of wrong guesses of an argmax has no slope: no step changes a score") {
  const Config config = unigram(mixed, 10, "temperature=0 loss=zero_one");
  CHECK(loss_after(config, 0) == doctest::Approx(0.875));
  CHECK(loss_after(config, 20) == doctest::Approx(0.875));
  CHECK(loss_after(with(config, "temperature=1"), 200) < 0.6);
}

TEST_CASE("a batch is drawn anew for each step, from the seed alone; what is traced stays all examples") {
  const auto after = [](const Text& more) {
    ModelRun run(unigram(mixed, 0.1, more), 20);
    return run.model->parameters().all()[0].value.copy();
  };
  CHECK(same_bits(after("batch=1 seed=3"), after("batch=1 seed=3")));
  CHECK_FALSE(same_bits(after("batch=1 seed=3"), after("batch=1 seed=4")));
  CHECK_FALSE(same_bits(after("batch=1"), after("batch=0")));
  ModelRun run(unigram(mixed, 0.1, "batch=2"), 5);
  CHECK(run.model->inputs()[0].value.shape() == Shape{8});
  CHECK(Traced(unigram(mixed, 0.1, "batch=2")).value("α of y").shape() == Shape{8});
}

TEST_CASE("small batches scatter about the direction of all examples, with a mean near it") {
  double one = 0, many = 0;
  const Tensor exact = ModelRun(unigram(mixed, 1), 1).model->parameters().all()[0].value.copy();
  Tensor sum = Tensor::full({5}, 0);
  for (int seed = 1; seed <= 200; ++seed)
    for (const int batch : {1, 64}) {
      const Text more = "batch=" + std::to_string(batch) + " seed=" + std::to_string(seed);
      const Tensor e = ModelRun(unigram(mixed, 1, more), 1).model->parameters().all()[0].value.copy();
      const double distance = static_cast<double>((e.array() - exact.array()).square().sum());
      (batch == 1 ? one : many) += distance;
      if (batch == 1) sum.array() += e.array() / 200;
    }
  CHECK(one / many == doctest::Approx(64).epsilon(0.3));
  CHECK((sum.array() - exact.array()).abs().maxCoeff() < 0.1);
}

TEST_CASE("refused examples") {
  ModelRun run(unigram({0}, 1));
  CHECK(refused_input(*run.model, ErrorCode::shape, "y", Tensor({65})) == "y is (65): use a list of 1 to 64 words.");
  CHECK(refused_input(*run.model, ErrorCode::input, "y", Tensor({1}, {5})) ==
        "y[0] is 5: use a token id, a whole number from 0 to 4.");
  CHECK(REFUSAL(config, make_to_train(unigram({7}, 1))) ==
        "examples is 7: use a token id, a whole number from 0 to 4.");
}
