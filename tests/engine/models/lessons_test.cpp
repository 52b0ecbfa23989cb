// The models of the first lessons, against numbers computed elsewhere. Setting inputs: a refused call changes nothing.
#include "engine/models/program/program_model.h"
#include "tests/engine/support/models.h"
#include "tests/engine/support/session_state.h"

TEST_CASE("four words by hand: the twelve outputs and the loss, a causal mask, and one that hides everything") {
  const std::unique_ptr<Model> model = make_model(four_words());
  model->loss();
  REQUIRE(model->output().shape() == Shape{4, 3});
  for (int i = 0; i < 12; ++i)
    CHECK(std::abs(static_cast<double>(model->output().data()[i]) - four_words_output[i]) < 1e-7);
  const Config config = with(four_words(), {{"target", std::vector<double>(12, 1)}});
  const double loss = static_cast<double>(make_model(config)->loss().item());
  double expected = 0;
  for (double value : four_words_output) expected += (value - 1) * (value - 1) / 12;
  CHECK(loss == doctest::Approx(expected).epsilon(1e-6));
  const std::unique_ptr<Model> causal = make_model(with(four_words(), "mask=causal"));
  causal->loss();
  expect(slice(causal->output(), 0, 0, 1), {1, 3}, {1, 1, 0}, 0);
  model->set_input("mask", Tensor::full({4, 4}, -infinity));
  model->loss();
  expect(model->output(), {4, 3}, std::vector<double>(12, 0));
}

TEST_CASE("the first lesson: five weights and the surprise of the target, at temperature 0 infinite for another") {
  const std::unique_ptr<Model> model = make_model(softmax_lesson());
  const Tensor loss = model->loss();
  expect(model->output(), {5}, {0.016579, 0.905195, 0.045067, 0.016579, 0.016579}, 5e-7);
  expect(loss, {}, {-std::log(0.905195)}, 1e-6);
  const std::unique_ptr<Model> cold = make_model(with(softmax_lesson(), "temperature=0 target=0"));
  CHECK(cold->loss().item() == HUGE_VALF);
  expect(cold->output(), {5}, {0, 1, 0, 0, 0}, 0);
}

TEST_CASE("a weight that is 0 in float32 gives the loss ∞, without NaN along the way") {
  // exp(−4 · 10⁹) is 0, and the loss is −log of that weight. Its gradient contains −∞ · 0.
  Loaded session(with(softmax_lesson(), "temperature=1e-9 target=0"));
  const Reply<RunInfo> run = session.run({});
  REQUIRE_MESSAGE(run.ok, run.message());
  CHECK(run.value.loss == static_cast<double>(infinity));
  CHECK(session.values(node_of(session, "α").id).value == std::vector<float>{0, 1, 0, 0, 0});
  for (const TracedNode& node : nodes_of(session))
    if (node.phase != Phase::backward)
      for (const float value : session.values(node.id).value) CHECK_FALSE_MESSAGE(std::isnan(value), node.name);
}

namespace {

Tensor with(Shape shape, std::size_t place, Scalar value) {
  Tensor x = Tensor::full(shape, 1);
  x.data()[place] = value;
  return x;
}

}  // namespace

TEST_CASE("values that are not numbers or too large are refused, with their place") {
  const std::unique_ptr<Model> model = make_model(four_words());
  CHECK(refused_input(*model, ErrorCode::input, "X", with({4, 3}, 5, NAN)) ==
        "X[1, 2] is NaN: use a number from −1000000 to 1000000.");
  CHECK(refused_input(*model, ErrorCode::input, "X", with({4, 3}, 11, -infinity)).starts_with("X[3, 2] is −∞"));
  CHECK(
      refused_input(*model, ErrorCode::input, "target", with({4, 3}, 0, 2e6f)).starts_with("target[0, 0] is 2000000"));
  CHECK(refused_input(*model, ErrorCode::input, "mask", with({4, 4}, 0, infinity)) ==
        "mask[0, 0] is ∞: use a number from −1000000 to 1000000, or −∞ to hide a key.");
  CHECK(refused_input(*model, ErrorCode::input, "W_Q", Tensor({3, 3})) ==
        "\"W_Q\" is not an input of this model: use one of X, mask, target.");
}

TEST_CASE("shapes that the model cannot take are refused") {
  const std::unique_ptr<Model> model = make_model(four_words());
  CHECK(refused_input(*model, ErrorCode::shape, "X", Tensor({0, 3})) ==
        "X is (0, 3): use 1 to 16 words of 3 numbers each.");
  CHECK(
      refused_input(*model, ErrorCode::shape, "X", Tensor::full({17, 3}, 1)).starts_with("X is (17, 3): use 1 to 16"));
  CHECK(refused_input(*model, ErrorCode::shape, "X", Tensor::full({4, 2}, 1)).starts_with("X is (4, 2)"));
  CHECK(refused_input(*model, ErrorCode::shape, "X", Tensor::full({12}, 1)).starts_with("X is (12)"));
  CHECK(refused_input(*model, ErrorCode::shape, "mask", Tensor::full({3, 3}, 0)) ==
        "mask is (3, 3): this model takes (4, 4).");
  CHECK(refused_input(*model, ErrorCode::shape, "target", Tensor::full({4, 4}, 0)).starts_with("target is (4, 4)"));

  const std::unique_ptr<Model> softmax = make_model(with(softmax_lesson(), "target=3"));
  CHECK(refused_input(*softmax, ErrorCode::shape, "e", Tensor::full({0}, 1)) ==
        "e is (0): use a list of 1 to 16 scores.");
  CHECK(refused_input(*softmax, ErrorCode::shape, "e", Tensor::full({17}, 1)).starts_with("e is (17)"));
  CHECK(refused_input(*softmax, ErrorCode::shape, "e", Tensor::full({3}, 1)) ==
        "e has 3 scores, but target is 3: keep at least 4 scores or choose a smaller target.");
}

TEST_CASE("the model keeps a copy of an input; with another number of words, mask and target follow") {
  const std::unique_ptr<Model> model = make_model(four_words());
  const Tensor X = Tensor::full({4, 3}, 1);
  model->set_input("X", X);
  X.data()[0] = 9;
  CHECK(model->inputs()[0].value.data()[0] == 1);
  model->set_input("X", Tensor::full({2, 3}, 1));
  CHECK(model->inputs()[1].value.shape() == Shape{2, 2});
  CHECK(model->inputs()[2].value.shape() == Shape{2, 3});
  model->loss();
  CHECK(model->output().shape() == Shape{2, 3});
}

TEST_CASE("inputs are restored together: one by one, the first would not fit the others") {
  const std::unique_ptr<Model> model = make_model({{"kind", "transformer"}, {"model_size", 256.0}, {"layers", 4.0}});
  const auto ids = [](int positions) { return Tensor::full({22, positions}, 4); };
  model->set_input("source", ids(64));
  const std::vector<ModelInput> before = model->inputs();
  model->set_input("source", ids(4));
  model->set_input("target_in", ids(64));
  CHECK(REFUSAL(shape, model->set_input("source", before[0].value)).ends_with("use fewer rows or shorter ones."));
  model->restore_inputs(before);
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(same_bits(model->inputs()[i].value, before[i].value));
}

TEST_CASE("an input that a program returns keeps its name and has a gradient") {
  for (const char* value : {"tensor(4.0)", "tensor([4.0])"}) {
    ProgramModel model({{"program", std::string("def f(w=") + value + "):\n    return w\n"}});
    LiveTape tape(Tape::Detail::trace);
    backward(model.loss());
    CHECK(node(tape, "w").gradient.item() == 1);
  }
}
