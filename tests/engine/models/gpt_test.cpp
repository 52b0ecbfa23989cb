// The plain GPT computes what the model of all variants computes, bit by bit and name by name.
#include "engine/generate/generator.h"
#include "engine/models/transformer_lm.h"
#include "engine/nn/layers/dropout.h"
#include "engine/nn/recurrent/sequence.h"
#include "tests/engine/support/small_models.h"

namespace {

Config plain(const Config& changes) { return with(small_transformer_lms().at("transformer_lm: gpt"), changes); }

bool same_names(const Model& a, const Model& b) {
  return std::ranges::equal(a.parameters().all(), b.parameters().all(), {}, &Parameter::name, &Parameter::name);
}

// Every node of a step: its name, its operation, and the bits of its value.
struct Step {
  explicit Step(Model& model, Tape::Detail detail) : tape(detail) {
    set_batch(model);
    const DropoutStep dropping(1, 1);
    loss = model.loss();
    backward(loss);
    for (const Parameter& each : model.parameters().all()) gradients.push_back(gradient(each.value));
  }

  LiveTape tape;
  Tensor loss;
  std::vector<Tensor> gradients;
};

void check_same(const Step& a, const Step& b) {
  CHECK(same_bits(a.loss, b.loss));
  REQUIRE(a.gradients.size() == b.gradients.size());
  for (std::size_t i = 0; i < a.gradients.size(); ++i) CHECK(same_bits(a.gradients[i], b.gradients[i]));
}

struct Both {
  explicit Both(const Config& config) : gpt(make_model(config)), other(config) {
    REQUIRE(dynamic_cast<TransformerLm*>(gpt.get()) == nullptr);
  }
  Generator& generator() { return dynamic_cast<Generator&>(*gpt); }

  std::unique_ptr<Model> gpt;
  TransformerLm other;
};

}  // namespace

TEST_CASE("a GPT has the parameters of a Transformer language model, and its gradients, with dropout, too") {
  for (const double dropout : {0.0, 0.5}) {
    Both both(plain({{"dropout", dropout}}));
    CHECK(same_names(*both.gpt, both.other));
    const Step of_gpt(*both.gpt, Tape::Detail::training), of_other(both.other, Tape::Detail::training);
    check_same(of_gpt, of_other);
  }
}

TEST_CASE("the trace of a GPT is that of a Transformer language model") {
  Both both(plain({}));
  const Step a(*both.gpt, Tape::Detail::trace), b(both.other, Tape::Detail::trace);
  check_same(a, b);
  REQUIRE(a.tape.nodes().size() == b.tape.nodes().size());
  for (std::size_t i = 0; i < a.tape.nodes().size(); ++i) {
    const Node &first = a.tape.nodes()[i], &second = b.tape.nodes()[i];
    REQUIRE(first.name == second.name);
    CHECK(Text(first.op.name) == second.op.name);
    CHECK(same_bits(first.value, second.value));
  }
  REQUIRE(a.tape.scopes().size() == b.tape.scopes().size());
  for (std::size_t i = 0; i < a.tape.scopes().size(); ++i) CHECK(a.tape.scopes()[i].path == b.tape.scopes()[i].path);
}

TEST_CASE("a GPT writes as a Transformer language model does, at the same cost") {
  Both both(plain({}));
  const Tensor prompt({2, 3}, {4, 5, 6, 7, 8, 9}), tokens({2}, {1, 1}), more({2}, {5, 6});
  GeneratorState a = both.generator().start(prompt), b = both.other.start(prompt);
  for (const Tensor& each : {tokens, more, tokens}) {
    const StepOutput first = both.generator().next(each, a), second = both.other.next(each, b);
    CHECK(same_bits(first.logits, second.logits));
    CHECK(same_bits(first.weights, second.weights));
    CHECK(a.position == b.position);
    a = a.select(std::vector{1, 0});
    b = b.select(std::vector{1, 0});
  }
  const GenerationCost cost = *both.generator().generation_cost(20), other = *both.other.generation_cost(20);
  CHECK(cost.cache_bytes == other.cache_bytes);
  CHECK(cost.multiply_adds == other.multiply_adds);
  CHECK(cost.multiply_adds_uncached == other.multiply_adds_uncached);
}

TEST_CASE("a variant is another model") {
  for (const Config& variant :
       {Config{{"positions", "rotary"}}, Config{{"norm", "rms"}}, Config{{"norm_place", "post"}},
        Config{{"tied_embedding", false}}, Config{{"label_smoothing", 0.1}}, Config{{"key_value_heads", 1.0}}})
    CHECK(dynamic_cast<TransformerLm*>(make_model(plain(variant)).get()));
}
