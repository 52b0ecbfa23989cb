// A learner's part with the lab's own operations gives the lab's own numbers.
#include "engine/models/program/learner_parts.h"

#include "engine/generate/decoding.h"
#include "tests/engine/support/models.h"
#include "tests/engine/support/part_texts.h"
#include "tests/engine/support/task_run.h"

namespace {

Config with_part(const Config& config, const char* part, const Text& program) {
  return with(config, {{"part", part}, {"program", program}});
}

const Config pairs_of_letters = {
    {"pairs", "a b c\tc b a\nd e\te d\nc a\ta c\nb d e a\ta e d b\n"}, {"batch", 3.0}, {"learning_rate", 0.01}};

const char* const of_two_layers = "model_size=8 heads=2 feed_forward=11 layers=2";

Config transformer() { return with(with(pairs_of_letters, "kind=transformer"), of_two_layers); }

Config seq2seq() { return with(pairs_of_letters, "kind=seq2seq embedding=5 hidden=6 attention_size=4"); }

// With queries and keys of one size, and a score without parameters.
Config projecting_seq2seq() { return with(seq2seq(), "score=scaled_dot project_keys=linear project_queries=linear"); }

Config text_model(const char* kind) {
  Text text;
  for (int i = 0; i < 60; ++i) text += "so it goes ";
  return {{"kind", kind}, {"text", text}, {"batch", 3.0}, {"learning_rate", 0.01}};
}

Config transformer_lm() { return with(text_model("transformer_lm"), of_two_layers); }

using Named = std::map<Text, Tensor>;

Named values_of(const Model& model) {
  Named all;
  for (const Parameter& each : model.parameters().all()) all[each.name] = each.value;
  return all;
}

// The loss, and the gradient of each parameter.
Named gradients_of(Model& model) {
  LiveTape tape(Tape::Detail::training);
  const Tensor loss = model.loss();
  backward(loss);
  Named all = {{"loss", loss}};
  for (const auto& [name, value] : values_of(model))
    all[name] = tape.nodes()[static_cast<std::size_t>(tape.find(value))].gradient;
  return all;
}

// Equal to the last bit, or if a tolerance is given, to that.
void expect_equal(const Named& own, const Named& learner, double tolerance) {
  CHECK(own.size() == learner.size());
  for (const auto& [name, value] : own) {
    CAPTURE(name);
    REQUIRE(learner.contains(name));
    if (tolerance == 0) CHECK(same_bits(value, learner.at(name)));
    CHECK(farthest(value, learner.at(name)) <= tolerance);
  }
}

// The learner's parameters have the names of the lab's own, and get their values.
void copy_values(const Model& own, const Model& learner) {
  for (auto& [name, value] : values_of(learner)) {
    CAPTURE(name);
    const Parameter* from = own.parameters().find(name);
    REQUIRE(from);
    REQUIRE(from->value.shape() == value.shape());
    std::ranges::copy(from->value.values(), value.data());
  }
}

// The lab's own model and that with the part: the loss and its gradients, and the parameters after 20 steps.
void expect_same_training(const Config& config, const char* part, const Text& program, double tolerance = 0) {
  TaskRun own(config), learner(with_part(config, part, program));
  copy_values(*own.model, *learner.model);
  for (TaskRun* each : {&own, &learner})
    each->trainer->set_inputs(training_batches(*each->task, each->config).batch(1, 0));
  expect_equal(gradients_of(*own.model), gradients_of(*learner.model), tolerance);
  own.steps(20);
  learner.steps(20);
  expect_equal(values_of(*own.model), values_of(*learner.model), 100 * tolerance);
}

// The same for a model that learns no task.
void expect_same_descent(const char* fields, const char* part, const Text& program) {
  const Config config = settings(fields);
  const std::unique_ptr<Model> own = make_model(config), learner = make_model(with_part(config, part, program));
  copy_values(*own, *learner);
  expect_equal(gradients_of(*own), gradients_of(*learner), 0);
  for (Model* each : {own.get(), learner.get()}) {
    Trainer trainer(*each, {{"learning_rate", 0.01}});
    for (int step = 0; step < 20; ++step) trainer.step();
  }
  expect_equal(values_of(*own), values_of(*learner), 0);
}

// Both write the same after the same training.
void expect_same_writing(const Config& config, const char* part, const Text& program) {
  TaskRun own(config), learner(with_part(config, part, program));
  copy_values(*own.model, *learner.model);
  const Tensor prompts = is_language_model(*own.model) ? Tensor({2, 3}, {4, 5, 6, 5, 7, 4}) : source;
  std::vector<std::vector<DecodedSequence>> written;
  for (TaskRun* each : {&own, &learner}) {
    each->steps(20);
    written.push_back(greedy_decode(dynamic_cast<Generator&>(*each->model), prompts, 8));
  }
  for (std::size_t row = 0; row < written[0].size(); ++row) {
    CHECK(written[0][row].tokens == written[1][row].tokens);
    CHECK(written[0][row].log_probabilities == written[1][row].log_probabilities);
    if (part == Text("attention")) CHECK(written[0][row].weights == written[1][row].weights);
  }
}

}  // namespace

TEST_CASE("a learner's score is the lab's, bit for bit") {
  for (const Config& config : {transformer(), with(transformer_lm(), "positions=alibi"), projecting_seq2seq()})
    expect_same_training(config, "score", parts::scaled_dot_score);
  expect_same_descent("kind=attention", "score", parts::scaled_dot_score);
  expect_same_descent("kind=attention score=additive", "score", parts::additive_score);
  expect_same_descent("kind=attention_layer heads=2", "score", parts::scaled_dot_score);
}

// The lab multiplies the keys by U once for all positions, so that it sums the gradients of U in another order.
TEST_CASE("a learner's additive score, which multiplies the keys at every position, is the lab's to 1e-6") {
  expect_same_training(seq2seq(), "score", parts::additive_score, 1e-6);
}

TEST_CASE("a learner's attention is the lab's, bit for bit") {
  for (const Config& config :
       {transformer(), with(transformer_lm(), "positions=rotary"), with(transformer_lm(), "key_value_heads=1"),
        projecting_seq2seq(), with(projecting_seq2seq(), "attention=luong window=local_m")})
    expect_same_training(config, "attention", parts::attention);
  for (const char* layer : {"kind=attention mask=causal", "kind=attention_layer heads=2 mask=causal"})
    expect_same_descent(layer, "attention", parts::attention);
}

TEST_CASE("a learner's norm, feed-forward network, positions and block are the lab's, bit for bit") {
  for (const Config& config : {transformer(), transformer_lm()}) {
    expect_same_training(config, "feed_forward", parts::feed_forward);
    expect_same_training(config, "positions", parts::sinusoids);
    expect_same_training(config, "block", parts::block);
  }
  for (const Config& config : {transformer(), with(transformer_lm(), "norm_place=post")})
    expect_same_training(config, "norm", parts::layer_norm);
  expect_same_descent("kind=attention_layer positions=sinusoidal", "positions", parts::sinusoids);
}

TEST_CASE("a learner's cell is the lab's, bit for bit") {
  for (const auto& [kind, program] : {std::pair{Text("rnn"), parts::tanh_cell}, {Text("gru"), parts::gru_cell}}) {
    CAPTURE(kind);
    const Text cell = "cell=" + kind;
    expect_same_training(with(seq2seq(), cell.c_str()), "cell", program);
    expect_same_training(with(text_model("language_model"), (cell + " hidden=6 layers=2").c_str()), "cell", program);
    expect_same_descent(("kind=recurrent bidirectional=true " + cell).c_str(), "cell", program);
  }
}

TEST_CASE("a model with a learner's part writes what the lab's own writes, with its cache or without one") {
  for (const Config& config : {transformer(), with(transformer_lm(), "positions=rotary"), projecting_seq2seq()})
    expect_same_writing(config, "attention", parts::attention);
  for (const Config& config : {transformer(), transformer_lm()}) {
    expect_same_writing(config, "positions", parts::sinusoids);
    expect_same_writing(config, "block", parts::block);
  }
  expect_same_writing(with(seq2seq(), "cell=rnn"), "cell", parts::tanh_cell);
}
