#include "engine/models/attention_layer.h"

#include "engine/nn/attention/masks.h"
#include "tests/engine/support/lessons.h"
#include "tests/engine/support/models.h"

namespace {

Config layer(const Config& fields) { return with({{"kind", "attention_layer"}}, fields); }

Tensor output_of(Model& model) {
  model.loss();
  return model.output();
}

const Tensor& input_of(const Model& model, const Text& name) {
  return std::ranges::find(model.inputs(), name, &ModelInput::name)->value;
}

// The rows of x (n, …), permuted.
Tensor in_order(const Tensor& x, const std::vector<Scalar>& order) {
  return gather(x, Tensor({static_cast<int>(order.size())}, order));
}

double farthest(const Tensor& a, const Tensor& b) {
  const Tensor differences = a - b;
  double most = 0;
  for (const Scalar difference : differences.values()) most = std::max(most, std::abs(static_cast<double>(difference)));
  return most;
}

// The difference between the outputs of permuted words and the permuted outputs.
double moved_by_order(const Config& config) {
  const std::vector<Scalar> order = {3, 0, 4, 1, 2};
  const std::unique_ptr<Model> model = make_model(config);
  const Tensor before = output_of(*model);
  model->set_input("X", in_order(input_of(*model, "X"), order));
  return farthest(output_of(*model), in_order(before, order));
}

Text refused(const Config& config) { return REFUSAL(config, make_model(config)); }

std::vector<double> transposed(const std::vector<double>& square) {
  std::vector<double> result;
  for (int i = 0; i < 9; ++i) result.push_back(square[i % 3 * 3 + i / 3]);
  return result;
}

}  // namespace

TEST_CASE("four words by hand, with weights laid out as in Linear") {
  Config config = layer({{"size", 3.0}, {"X", std::vector<double>{1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1}}});
  for (const char* weight : {"W_Q", "W_K", "W_V"})
    config.set(weight, transposed(std::get<std::vector<double>>(four_words().fields().at(weight))));
  expect(output_of(*make_model(config)), {4, 3}, four_words_output, 1e-6);
}

TEST_CASE("without positions permuting the words permutes the outputs, in every form") {
  for (const char* form : {"plain", "linear", "blocks"})
    CHECK(moved_by_order(layer({{"words", 5.0}, {"heads", 2.0}, {"form", form}})) < 1e-5);
}

TEST_CASE("with positions it does not") {
  for (const char* positions : {"index", "sinusoidal", "learned", "alibi", "rotary"})
    CHECK_MESSAGE(moved_by_order(layer({{"words", 5.0}, {"heads", 2.0}, {"positions", positions}})) > 1e-3, positions);
}

TEST_CASE("masks of a configuration") {
  const auto mask = [](const Config& config) { return input_of(*make_model(config), "mask"); };
  expect(mask(layer({{"words", 2.0}})), {2, 2}, {0, 0, 0, 0});
  expect(mask(layer({{"words", 2.0}, {"mask", "causal"}})), {2, 2}, {0, masked, 0, 0});
  expect(mask(layer({{"words", 3.0}, {"padding", 1.0}, {"mask", "causal"}})), {3, 3},
         {0, masked, masked, 0, 0, masked, 0, 0, masked});
  expect(mask(layer({{"words", 3.0}, {"mask", "window"}, {"window", 1.0}, {"sinks", 1.0}})), {3, 3},
         {0, masked, masked, 0, 0, masked, 0, masked, 0});
  expect(mask(layer({{"words", 2.0}, {"source_words", 3.0}, {"padding", 2.0}})), {2, 3},
         {0, masked, masked, 0, masked, masked});
}

TEST_CASE("a row that sees no key gives 0 in every form") {
  for (const char* form : {"plain", "blocks"}) {
    const std::unique_ptr<Model> model = make_model(layer({{"words", 3.0}, {"heads", 2.0}, {"form", form}}));
    Tensor mask = Tensor::full({3, 3}, 0);
    for (int j = 0; j < 3; ++j) mask.data()[3 + j] = static_cast<Scalar>(masked);
    model->set_input("mask", mask);
    expect(slice(output_of(*model), 0, 1, 1), {1, 4}, {0, 0, 0, 0});
  }
}

TEST_CASE("a causal layer does not see later words") {
  for (const char* form : {"plain", "linear", "blocks"}) {
    const std::unique_ptr<Model> model = make_model(layer({{"mask", "causal"}, {"form", form}}));
    const Tensor before = output_of(*model);
    Tensor X = input_of(*model, "X").copy();
    X.data()[15] += 1;
    model->set_input("X", X);
    CHECK(same_bits(slice(before, 0, 0, 3), slice(output_of(*model), 0, 0, 3)));
    CHECK(farthest(before, output_of(*model)) > 1e-3);
  }
}

TEST_CASE("blocks give the same result as the plain form, with heads, groups, positions and masks") {
  for (const char* positions : {"none", "sinusoidal", "alibi", "rotary"}) {
    Config config = layer({{"words", 7.0},
                           {"size", 8.0},
                           {"heads", 4.0},
                           {"key_value_heads", 2.0},
                           {"mask", "causal"},
                           {"block", 3.0},
                           {"positions", positions}});
    const Tensor plain = output_of(*make_model(config));
    config.set("form", "blocks");
    CHECK(farthest(plain, output_of(*make_model(config))) < 1e-5);
  }
}

TEST_CASE("cross-attention: as many outputs as queries, as many weights as source words") {
  const std::unique_ptr<Model> model =
      make_model(layer({{"words", 2.0}, {"source_words", 5.0}, {"size", 6.0}, {"heads", 3.0}, {"value_size", 4.0}}));
  CHECK(traced(*model, "attention/q").shape() == Shape{1, 3, 2, 2});
  CHECK(traced(*model, "attention/k").shape() == Shape{1, 3, 5, 2});
  CHECK(traced(*model, "attention/v").shape() == Shape{1, 3, 5, 4});
  CHECK(traced(*model, "attention/e").shape() == Shape{1, 3, 2, 5});
  CHECK(traced(*model, "attention/α").shape() == Shape{1, 3, 2, 5});
  CHECK(traced(*model, "attention/o").shape() == Shape{1, 2, 6});
  CHECK(output_of(*model).shape() == Shape{2, 6});
}

TEST_CASE("tensors without a projection are used unchanged") {
  const std::unique_ptr<Model> none = make_model(layer({{"projections", "none"}}));
  CHECK(none->parameters().count() == 0);
  for (const char* name : {"attention/q", "attention/k", "attention/v"})
    CHECK(same_bits(traced(*none, name), input_of(*none, "X").reshaped({1, 1, 4, 4})));
  const std::unique_ptr<Model> keys = make_model(layer({{"projections", "keys_values"}, {"value_size", 3.0}}));
  CHECK(keys->parameters().find("W_Q") == nullptr);
  CHECK(keys->parameters().find("W_V")->value.shape() == Shape{3, 4});
  CHECK(output_of(*keys).shape() == Shape{4, 3});
}

TEST_CASE("the steps of each form can be seen") {
  const std::unique_ptr<Model> blocks = make_model(layer({{"form", "blocks"}, {"words", 5.0}, {"heads", 2.0}}));
  CHECK(traced(*blocks, "attention.block2/e").shape() == Shape{1, 2, 5, 1});
  CHECK(traced(*blocks, "attention.block1/m").shape() == Shape{1, 2, 5, 1});
  const std::unique_ptr<Model> linear = make_model(layer({{"form", "linear"}, {"mask", "causal"}}));
  CHECK(traced(*linear, "attention.t3/S").shape() == Shape{1, 1, 4, 4});
  const std::unique_ptr<Model> placed = make_model(layer({{"positions", "sinusoidal"}, {"source_words", 2.0}}));
  CHECK(traced(*placed, "P").shape() == Shape{4, 4});
  CHECK(traced(*placed, "x").shape() == Shape{4, 4});
  CHECK(traced(*placed, "x of the source").shape() == Shape{2, 4});
}

TEST_CASE("with another number of words, mask and target are reset") {
  const std::unique_ptr<Model> model = make_model(layer({{"source_words", 3.0}, {"mask", "causal"}}));
  model->set_input("X", Tensor::full({2, 4}, 1));
  expect(input_of(*model, "mask"), {2, 3}, {0, masked, masked, 0, 0, masked});
  CHECK(input_of(*model, "target").shape() == Shape{2, 4});
  model->set_input("source", Tensor::full({1, 4}, 1));
  expect(input_of(*model, "mask"), {2, 1}, {0, 0});
  CHECK(REFUSAL(shape, model->set_input("source", Tensor({17, 4}))) ==
        "source is (17, 4): use 1 to 16 words of 4 numbers each.");
}

TEST_CASE("a table of positions has an end") {
  const Config config = layer({{"positions", "learned"}, {"longest", 5.0}});
  CHECK(REFUSAL(shape, make_model(config)->set_input("X", Tensor::full({6, 4}, 1))) ==
        "X is (6, 4): use 1 to 5 words of 4 numbers each.");
  CHECK(refused(layer({{"positions", "learned"}, {"longest", 3.0}})) ==
        "words is 4, and the table of learned positions has 3 rows: use at most 3 words, or raise longest.");
}

TEST_CASE("impossible layers are refused in a sentence") {
  CHECK(refused(layer({{"heads", 0.0}})) == "heads is 0: use a whole number, 1 to 8.");
  CHECK(refused(layer({{"heads", 3.0}})) ==
        "heads is 3, which does not divide the model size 4 into equal parts: use a divisor of 4, or another model "
        "size.");
  CHECK(refused(layer({{"heads", 4.0}, {"key_value_heads", 3.0}})) ==
        "key_value_heads is 3, which does not divide the 4 heads into equal groups: use a divisor of 4.");
  CHECK(refused(layer({{"heads", 4.0}, {"positions", "rotary"}})) ==
        "positions is \"rotary\", which turns pairs of numbers, and a head has 1: use an even head size.");
  CHECK(refused(layer({{"padding", 5.0}})) == "padding is 5, and there are 4 words to look at: use 0 to 4.");
  CHECK(refused(layer({{"projections", "keys_values"}, {"key_size", 3.0}})) ==
        "key_size is 3, but queries are not projected and each of the 1 heads gets 4 of the 4 numbers of a word: use a "
        "key_size of size / heads, or projections \"all\".");
  CHECK(refused(layer({{"projections", "none"}, {"value_size", 3.0}})).starts_with("projections is \"none\", so "));
  CHECK(refused(layer({{"form", "linear"}, {"mask", "window"}})) ==
        "mask is \"window\", but form is \"linear\", which computes no scores: use form \"plain\" or \"blocks\".");
  CHECK(refused(layer({{"form", "linear"}, {"padding", 1.0}})).starts_with("padding"));
  CHECK(refused(layer({{"form", "linear"}, {"positions", "alibi"}})).starts_with("positions"));
  CHECK(refused(layer({{"form", "linear"}, {"mask", "causal"}, {"source_words", 3.0}}))
            .starts_with("mask is \"causal\" for two sequences, but form is \"linear\""));
  CHECK(refused(layer({{"X", std::vector<double>(15, 1)}})).starts_with("X is 15 numbers"));
}

TEST_CASE("a list for a part that the layer lacks is refused with the reason and the alternatives") {
  const auto refused_list = [](const char* name, const Config& config) {
    return refused(with(config, {{name, std::vector<double>(16, 1)}}));
  };
  const Config none = layer({{"projections", "none"}});
  CHECK(refused_list("W_Q", layer({{"projections", "keys_values"}})) ==
        "W_Q is 16 numbers, but projections is \"keys_values\", so queries are not projected: leave out W_Q, or use "
        "projections \"all\".");
  CHECK(refused_list("W_Q", none).starts_with("W_Q is 16 numbers, but projections is \"none\", so queries are"));
  CHECK(refused_list("W_K", none) ==
        "W_K is 16 numbers, but projections is \"none\", so keys and values are not projected: leave out W_K, or use "
        "projections \"all\" or \"keys_values\".");
  CHECK(refused_list("W_V", none).starts_with("W_V is 16 numbers, but projections is \"none\", so keys and values"));
  CHECK(refused_list("W_O", layer({})) ==
        "W_O is 16 numbers, but output_projection is false: leave out W_O, or use output_projection true.");
  CHECK(refused_list("source", layer({})) ==
        "source is 16 numbers, but source_words is 0, so the words look at themselves: leave out source, or use a "
        "source_words of 1 to 16.");
}
