#include "engine/generate/decoding.h"
#include "engine/models/transformer.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/nn/recurrent/recurrent.h"
#include "tests/engine/support/small_models.h"

namespace {

// Four rows of <bos> and ids from 3 to 10.
Tensor sample_ids(int positions) {
  Tensor ids = Tensor::full({4, positions}, 1);
  for (int row = 0; row < 4; ++row)
    for (int t = 1; t < positions; ++t)
      ids.data()[row * positions + t] = static_cast<Scalar>(3 + (7 * t + 5 * row + t * t) % 8);
  return ids;
}

Config small(const Config& changes) { return with(small_transformer_lms().at("transformer_lm: pre-norm"), changes); }

Tensor whole_pass(TransformerLm& model, const Tensor& ids) {
  model.set_input("target_in", ids);
  model.loss();
  return model.output();
}

// Multiply-adds in the matrix products of a job.
double counted(const std::function<void()>& job) {
  LiveTape tape(Tape::Detail::trace);
  job();
  double count = 0;
  for (const Node& node : tape.nodes()) {
    if (Text(node.op.name) != "matmul") continue;
    const Shape& a = tape.nodes()[tape.edge(node, 0).node].value.shape();
    count += static_cast<double>(node.value.size()) * a[-1];
  }
  return count;
}

double bytes_of(const GeneratorState& state) {
  double bytes = 0;
  auto cache = state.as<std::vector<KeysValues>>();
  for_each_tensor(cache, [&](const Tensor& each) { bytes += static_cast<double>(each.size()) * sizeof(float); });
  return bytes;
}

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

TEST_CASE("a prompt is read in one pass, with the same bits, and continued") {
  constexpr int prompt = 4, positions = 9;
  for_each(small_transformer_lms(), [&](const Config& config, const Text&) {
    TransformerLm model(config);
    const Tensor ids = sample_ids(positions), whole = whole_pass(model, ids);
    GeneratorState state = model.start(slice(ids, 1, 1, prompt));
    CHECK(state.position == 0);
    REQUIRE(same_bits(model.next(at_position(ids, 0), state).logits, at_position(whole, prompt)));
    CHECK(state.position == 1 + prompt);
    for (int t = prompt + 1; t < positions; ++t)
      REQUIRE(same_bits(model.next(at_position(ids, t), state).logits, at_position(whole, t)));
  });
}

TEST_CASE("a row of a state continues independently") {
  TransformerLm model(small({}));
  const Tensor ids = sample_ids(4), whole = whole_pass(model, ids);
  GeneratorState state = model.start(slice(ids, 1, 1, 2));
  const int chosen[] = {3, 1, 1};
  GeneratorState some = state.select(chosen);
  const Tensor logits = model.next(begin_tokens(3), some).logits;
  const int second[] = {1, 1, 1};
  some = some.select(second);
  for (int i = 0; i < 3; ++i) CHECK(same_bits(slice(logits, 0, i, 1), slice(at_position(whole, 2), 0, chosen[i], 1)));
  const Tensor tokens({3}, {ids.data()[7], ids.data()[7], ids.data()[7]});
  const Tensor after = model.next(tokens, some).logits;  // of rows 1, 1, 1
  for (int i = 0; i < 3; ++i) CHECK(same_bits(slice(after, 0, i, 1), slice(at_position(whole, 3), 0, 1, 1)));
}

TEST_CASE("the estimated multiply-adds of a token match the actual ones, with a cache and without") {
  for_each(small_transformer_lms(), [](const Config& config, const Text&) {
    TransformerLm model(config);
    const Tensor ids = sample_ids(8);
    GeneratorState state = model.start(Tensor({4, 0}));
    for (int t = 0; t < 8; ++t) {
      const double with_cache = counted([&] { model.next(at_position(ids, t), state); });
      const double without = counted([&] {
        GeneratorState anew = model.start(slice(ids, 1, 1, t));
        model.next(at_position(ids, 0), anew);
      });
      CHECK(with_cache == 4 * multiply_adds(model.options(), 1, t));
      CHECK(without == 4 * multiply_adds(model.options(), t + 1, 0));
    }
  });
}

TEST_CASE("a KV cache takes as many bytes as estimated, and fewer with fewer heads for keys and values") {
  for (const double key_value_heads : {6.0, 2.0, 1.0}) {
    TransformerLm model(small({{"heads", 6.0}, {"key_value_heads", key_value_heads}}));
    const Tensor ids = sample_ids(5);
    GeneratorState state = model.start(Tensor({4, 0}));
    for (int t = 0; t < 5; ++t) {
      model.next(at_position(ids, t), state);
      CHECK(bytes_of(state) == 4 * cache_bytes(model.options(), t + 1));
    }
    CHECK(cache_bytes(model.options(), 10) == 2 * 2 * key_value_heads * 2 * 10 * 4);  // layers, K and V, G, size
  }
}

TEST_CASE("if tied, the embedding is the output's weight; a variant of the plain GPT is another model") {
  const TransformerLm tied(small({})), untied(small({{"tied_embedding", false}}));
  CHECK_FALSE(tied.parameters().find("out.weight"));
  CHECK(untied.parameters().find("out.weight"));
  CHECK(tied.parameters().find("decoder.norm.weight"));
  CHECK_FALSE(TransformerLm(small({{"norm_place", "post"}})).parameters().find("decoder.norm.weight"));
  for (const Config& variant :
       {Config{{"positions", "rotary"}}, Config{{"norm", "rms"}}, Config{{"norm_place", "post"}},
        Config{{"tied_embedding", false}}, Config{{"label_smoothing", 0.1}}, Config{{"key_value_heads", 1.0}}})
    CHECK(dynamic_cast<TransformerLm*>(make_model(plain(variant)).get()));
}

TEST_CASE("invalid inputs are refused in a sentence; a longer table of positions takes longer prompts") {
  TransformerLm model(small({{"positions", "learned"}, {"longest", 6.0}}));
  CHECK(REFUSAL(shape, model.set_input("target_in", sample_ids(7)))
            .starts_with("longest is 6, and target_in has 7 positions"));
  CHECK(REFUSAL(shape, TransformerLm(small({{"positions", "learned"}, {"longest", 2.0}})))
            .starts_with("longest is 2, and target_in has 5 positions: use 5 to 64"));
  CHECK(REFUSAL(shape, model.start(Tensor({0, 1}))).starts_with("source is (0, 1)"));
  CHECK(REFUSAL(shape, model.start(Tensor::full({1, 64}, 5))).starts_with("source is (1, 64)"));
  CHECK(REFUSAL(input, model.start(Tensor({1, 2}, {5, 0}))).starts_with("source has padding"));
  TransformerLm longer(small({{"positions", "learned"}, {"longest", 100.0}}));
  GeneratorState state = longer.start(Tensor::full({1, 98}, 5));
  longer.next(Tensor({1}, {1}), state);
  CHECK(state.position == 99);
  CHECK(REFUSAL(shape, longer.start(Tensor::full({1, 100}, 5))).starts_with("source is (1, 100)"));
}

// The plain GPT computes what the model of all variants computes, bit by bit and name by name.
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
