#include "engine/nn/attention/attention.h"
#include "tests/engine/support/models.h"

namespace {

Config layer(const Text& words) { return with({{"kind", "attention_layer"}}, words.c_str()); }

std::unique_ptr<Model> made(const Text& words) { return make_model(layer(words)); }

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

// The difference between the outputs of permuted words and the permuted outputs.
double moved_by_order(const Text& words) {
  const std::vector<Scalar> order = {3, 0, 4, 1, 2};
  const std::unique_ptr<Model> model = made(words);
  const Tensor before = output_of(*model);
  model->set_input("X", in_order(input_of(*model, "X"), order));
  return farthest(output_of(*model), in_order(before, order));
}

Text refused(const Config& config) { return REFUSAL(config, make_model(config)); }
Text refused(const char* words) { return refused(layer(words)); }

// Of tensors in the trace.
void check_shapes(const Text& words, const std::vector<std::pair<Text, Shape>>& shapes) {
  const std::unique_ptr<Model> model = made(words);
  for (const auto& [name, shape] : shapes) CHECK_MESSAGE(traced(*model, name).shape() == shape, name);
}

std::vector<double> transposed(const std::vector<double>& square) {
  std::vector<double> result;
  for (int i = 0; i < 9; ++i) result.push_back(square[i % 3 * 3 + i / 3]);
  return result;
}

}  // namespace

TEST_CASE("four words by hand, with weights laid out as in Linear") {
  Config config = with(layer("size=3"), {{"X", std::vector<double>{1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1}}});
  for (const char* weight : {"W_Q", "W_K", "W_V"})
    config.set(weight, transposed(std::get<std::vector<double>>(four_words().fields().at(weight))));
  expect(output_of(*make_model(config)), {4, 3}, four_words_output, 1e-6);
}

TEST_CASE("permuting the words permutes the outputs in every form without positions, and not with them") {
  for (const char* form : {"plain", "linear", "blocks"})
    CHECK(moved_by_order("words=5 heads=2 form=" + Text(form)) < 1e-5);
  for (const char* positions : {"index", "sinusoidal", "learned", "alibi", "rotary"})
    CHECK_MESSAGE(moved_by_order("words=5 heads=2 positions=" + Text(positions)) > 1e-3, positions);
}

TEST_CASE("masks of a configuration") {
  const auto mask = [](const char* words) { return input_of(*made(words), "mask"); };
  expect(mask("words=2"), {2, 2}, {0, 0, 0, 0});
  expect(mask("words=2 mask=causal"), {2, 2}, {0, masked, 0, 0});
  expect(mask("words=3 padding=1 mask=causal"), {3, 3}, {0, masked, masked, 0, 0, masked, 0, 0, masked});
  expect(mask("words=3 mask=window window=1 sinks=1"), {3, 3}, {0, masked, masked, 0, 0, masked, 0, masked, 0});
  expect(mask("words=2 source_words=3 padding=2"), {2, 3}, {0, masked, masked, 0, masked, masked});
}

TEST_CASE("a row that sees no key gives 0 in every form") {
  for (const char* form : {"plain", "blocks"}) {
    const std::unique_ptr<Model> model = made("words=3 heads=2 form=" + Text(form));
    model->set_input("mask", Tensor({3, 3}, {0, 0, 0, masked, masked, masked, 0, 0, 0}));
    expect(slice(output_of(*model), 0, 1, 1), {1, 4}, {0, 0, 0, 0});
  }
}

TEST_CASE("a causal layer does not see later words") {
  for (const char* form : {"plain", "linear", "blocks"}) {
    const std::unique_ptr<Model> model = made("mask=causal form=" + Text(form));
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
    const Text words = "words=7 size=8 heads=4 key_value_heads=2 mask=causal block=3 positions=" + Text(positions);
    CHECK(farthest(output_of(*made(words)), output_of(*made(words + " form=blocks"))) < 1e-5);
  }
}

TEST_CASE("the steps of each form can be seen, and so can the outputs and weights of cross-attention") {
  const Text words = "words=2 source_words=5 size=6 heads=3 value_size=4";
  check_shapes(words, {{"attention/q", {1, 3, 2, 2}}, {"attention/k", {1, 3, 5, 2}}, {"attention/v", {1, 3, 5, 4}}});
  check_shapes(words, {{"attention/e", {1, 3, 2, 5}}, {"attention/α", {1, 3, 2, 5}}, {"attention/o", {1, 2, 6}}});
  CHECK(output_of(*made(words)).shape() == Shape{2, 6});
  check_shapes("form=blocks words=5 heads=2",
               {{"attention.block2/e", {1, 2, 5, 1}}, {"attention.block1/m", {1, 2, 5, 1}}});
  check_shapes("form=linear mask=causal", {{"attention.t3/S", {1, 1, 4, 4}}});
  check_shapes("positions=sinusoidal source_words=2", {{"P", {4, 4}}, {"x", {4, 4}}, {"x of the source", {2, 4}}});
}

TEST_CASE("tensors without a projection are used unchanged") {
  const std::unique_ptr<Model> none = made("projections=none");
  CHECK(none->parameters().count() == 0);
  for (const char* name : {"attention/q", "attention/k", "attention/v"})
    CHECK(same_bits(traced(*none, name), input_of(*none, "X").reshaped({1, 1, 4, 4})));
  const std::unique_ptr<Model> keys = made("projections=keys_values value_size=3");
  CHECK(keys->parameters().find("W_Q") == nullptr);
  CHECK(keys->parameters().find("W_V")->value.shape() == Shape{3, 4});
  CHECK(output_of(*keys).shape() == Shape{4, 3});
}

TEST_CASE("with another number of words, mask and target are reset, as far as a table of positions goes") {
  const std::unique_ptr<Model> model = made("source_words=3 mask=causal");
  model->set_input("X", Tensor::full({2, 4}, 1));
  expect(input_of(*model, "mask"), {2, 3}, {0, masked, masked, 0, 0, masked});
  CHECK(input_of(*model, "target").shape() == Shape{2, 4});
  model->set_input("source", Tensor::full({1, 4}, 1));
  expect(input_of(*model, "mask"), {2, 1}, {0, 0});
  CHECK(REFUSAL(shape, model->set_input("source", Tensor({17, 4}))) ==
        "source is (17, 4): use 1 to 16 words of 4 numbers each.");
  const Config config = layer("positions=learned longest=5");
  CHECK(REFUSAL(shape, make_model(config)->set_input("X", Tensor::full({6, 4}, 1))) ==
        "X is (6, 4): use 1 to 5 words of 4 numbers each.");
  CHECK(refused("positions=learned longest=3") ==
        "words is 4, and the table of learned positions has 3 rows: use at most 3 words, or raise longest.");
}

TEST_CASE("impossible layers are refused in a sentence") {
  CHECK(refused("heads=0") == "heads is 0: use a whole number, 1 to 8.");
  CHECK(refused("heads=3") ==
        "heads is 3, which does not divide the model size 4 into equal parts: use a divisor of 4, or another model "
        "size.");
  CHECK(refused("heads=4 key_value_heads=3") ==
        "key_value_heads is 3, which does not divide the 4 heads into equal groups: use a divisor of 4.");
  CHECK(refused("heads=4 positions=rotary") ==
        "positions is \"rotary\", which turns pairs of numbers, and a head has 1: use an even head size.");
  CHECK(refused("padding=5") == "padding is 5, and there are 4 words to look at: use 0 to 4.");
  CHECK(refused("projections=keys_values key_size=3") ==
        "key_size is 3, but queries are not projected and each of the 1 heads gets 4 of the 4 numbers of a word: use a "
        "key_size of size / heads, or projections \"all\".");
  CHECK(refused("projections=none value_size=3").starts_with("projections is \"none\", so "));
  CHECK(refused("form=linear mask=window") ==
        "mask is \"window\", but form is \"linear\", which computes no scores: use form \"plain\" or \"blocks\".");
  CHECK(refused("form=linear padding=1").starts_with("padding"));
  CHECK(refused("form=linear positions=alibi").starts_with("positions"));
  CHECK(refused("form=linear mask=causal source_words=3")
            .starts_with("mask is \"causal\" for two sequences, but form is \"linear\""));
  CHECK(refused(with(layer(""), {{"X", std::vector<double>(15, 1)}})).starts_with("X is 15 numbers"));
}

TEST_CASE("a list for a part that the layer lacks is refused with the reason and the alternatives") {
  const auto refused_list = [](const char* name, const Config& config) {
    return refused(with(config, {{name, std::vector<double>(16, 1)}}));
  };
  const Config none = layer("projections=none");
  CHECK(refused_list("W_Q", layer("projections=keys_values")) ==
        "W_Q is 16 numbers, but projections is \"keys_values\", so queries are not projected: leave out W_Q, or use "
        "projections \"all\".");
  CHECK(refused_list("W_Q", none).starts_with("W_Q is 16 numbers, but projections is \"none\", so queries are"));
  CHECK(refused_list("W_K", none) ==
        "W_K is 16 numbers, but projections is \"none\", so keys and values are not projected: leave out W_K, or use "
        "projections \"all\" or \"keys_values\".");
  CHECK(refused_list("W_V", none).starts_with("W_V is 16 numbers, but projections is \"none\", so keys and values"));
  CHECK(refused_list("W_O", layer("")) ==
        "W_O is 16 numbers, but output_projection is false: leave out W_O, or use output_projection true.");
  CHECK(refused_list("source", layer("")) ==
        "source is 16 numbers, but source_words is 0, so the words look at themselves: leave out source, or use a "
        "source_words of 1 to 16.");
}
