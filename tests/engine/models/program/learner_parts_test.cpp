// A learner's part with the lab's own operations gives the lab's own numbers.
#include "engine/models/learner_parts.h"

#include "tests/engine/support/models.h"
#include "tests/engine/support/part_texts.h"
#include "tests/engine/support/task_run.h"

namespace {

Config with_part(const Config& config, const char* part, const Text& program) {
  return with(config, {{"part", Text(part)}, {"program", program}});
}

const Config pairs_of_letters = {
    {"pairs", Text("a b c\tc b a\nd e\te d\nc a\ta c\nb d e a\ta e d b\n")}, {"batch", 3.0}, {"learning_rate", 0.01}};

Config transformer() {
  return with(
      pairs_of_letters,
      {{"kind", Text("transformer")}, {"model_size", 8.0}, {"heads", 2.0}, {"feed_forward", 11.0}, {"layers", 2.0}});
}

Config seq2seq() {
  return with(pairs_of_letters,
              {{"kind", Text("seq2seq")}, {"embedding", 5.0}, {"hidden", 6.0}, {"attention_size", 4.0}});
}

Config language_model(const char* kind) {
  Text text;
  for (int i = 0; i < 60; ++i) text += "so it goes ";
  return {{"kind", Text(kind)}, {"text", text}, {"batch", 3.0}, {"learning_rate", 0.01}};
}

Config transformer_lm() {
  return with(language_model("transformer_lm"),
              {{"model_size", 8.0}, {"heads", 2.0}, {"feed_forward", 11.0}, {"layers", 2.0}});
}

// The loss, and the gradient of each parameter by its name.
std::map<Text, Tensor> gradients_of(TaskRun& run) {
  run.trainer->set_inputs(training_batches(*run.task, run.config).batch(1, 0));
  LiveTape tape(Tape::Detail::training);
  const Tensor loss = run.model->loss();
  backward(loss);
  std::map<Text, Tensor> all = {{"loss", loss}};
  for (const Parameter& each : run.model->parameters().all())
    all[each.name] = tape.nodes()[static_cast<std::size_t>(tape.find(each.value))].gradient;
  return all;
}

std::map<Text, Tensor> values_of(const TaskRun& run) {
  std::map<Text, Tensor> all;
  for (const Parameter& each : run.model->parameters().all()) all[each.name] = each.value;
  return all;
}

double distance(const Tensor& a, const Tensor& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(double(a.data()[i]) - double(b.data()[i])));
  return most;
}

void expect_equal(const std::map<Text, Tensor>& own, const std::map<Text, Tensor>& learner) {
  CHECK(own.size() == learner.size());
  for (const auto& [name, value] : own) {
    INFO(name);
    REQUIRE(learner.contains(name));
    REQUIRE(value.shape() == learner.at(name).shape());
    CHECK_MESSAGE(same_bits(value, learner.at(name)), distance(value, learner.at(name)));
  }
}

// The lab's own model and that with the part start with the same values and stay the same.
void expect_the_same(const Config& config, const char* part, const Text& program) {
  TaskRun own(config), learner(with_part(config, part, program));
  for (auto& [name, value] : values_of(learner)) {
    const Parameter* from = own.model->parameters().find(name);
    INFO(name);
    REQUIRE(from);
    REQUIRE(from->value.shape() == value.shape());
    std::ranges::copy(from->value.values(), value.data());
  }
  expect_equal(gradients_of(own), gradients_of(learner));
  CHECK(own.steps(20) == learner.steps(20));
  expect_equal(values_of(own), values_of(learner));
}

}  // namespace

TEST_CASE("a learner's score is the lab's, bit for bit") {
  expect_the_same(transformer(), "score", parts::scaled_dot_score);
  expect_the_same(transformer_lm(), "score", parts::scaled_dot_score);
  expect_the_same(seq2seq(), "score", parts::additive_score);
}

TEST_CASE("a learner's attention is the lab's, bit for bit") {
  expect_the_same(transformer(), "attention", parts::attention);
  expect_the_same(with(transformer_lm(), {{"positions", Text("alibi")}}), "attention", parts::attention);
  expect_the_same(
      with(seq2seq(),
           {{"score", Text("scaled_dot")}, {"project_keys", Text("linear")}, {"project_queries", Text("linear")}}),
      "attention", parts::attention);
}

TEST_CASE("a learner's norm is the lab's, bit for bit") {
  expect_the_same(transformer(), "norm", parts::layer_norm);
  expect_the_same(with(transformer_lm(), {{"norm_place", Text("post")}}), "norm", parts::layer_norm);
}

TEST_CASE("a learner's feed-forward network is the lab's, bit for bit") {
  expect_the_same(transformer(), "feed_forward", parts::feed_forward);
  expect_the_same(transformer_lm(), "feed_forward", parts::feed_forward);
}

TEST_CASE("a learner's positions are the lab's, bit for bit") {
  expect_the_same(transformer(), "positions", parts::sinusoids);
  expect_the_same(transformer_lm(), "positions", parts::sinusoids);
}

TEST_CASE("a learner's cell is the lab's, bit for bit") {
  for (const char* kind : {"rnn", "gru"}) {
    CAPTURE(kind);
    const Text& text = kind == Text("rnn") ? parts::tanh_cell : parts::gru_cell;
    expect_the_same(with(seq2seq(), {{"cell", Text(kind)}}), "cell", text);
    expect_the_same(with(language_model("language_model"), {{"cell", Text(kind)}, {"hidden", 6.0}, {"layers", 2.0}}),
                    "cell", text);
  }
}

TEST_CASE("a learner's block is the lab's, bit for bit") {
  expect_the_same(transformer(), "block", parts::block);
  expect_the_same(transformer_lm(), "block", parts::block);
}
