// Setting inputs: a refused call changes nothing.
#include "engine/autograd/backward.h"
#include "engine/models/model.h"
#include "engine/models/program/program_model.h"
#include "tests/engine/support/lessons.h"
#include "tests/engine/support/test.h"

namespace {

// The refusal, after checking that every input and the loss have kept their bits.
std::string refused(Model& model, ErrorCode code, const std::string& name, const Tensor& value) {
  std::vector<Tensor> before;
  for (const ModelInput& input : model.inputs()) before.push_back(input.value.copy());
  const Tensor loss = model.loss();
  const std::string message = refusal(code, [&] { model.set_input(name, value); });
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(same_bits(before[i], model.inputs()[i].value));
  CHECK(same_bits(loss, model.loss()));
  return message;
}

Tensor with(Shape shape, std::size_t place, Scalar value) {
  Tensor x = Tensor::full(shape, 1);
  x.data()[place] = value;
  return x;
}

}  // namespace

TEST_CASE("values that are not numbers or too large are refused, with their place") {
  const std::unique_ptr<Model> model = make_model(four_words());
  CHECK(refused(*model, ErrorCode::input, "X", with({4, 3}, 5, NAN)) ==
        "X[1, 2] is NaN: use a number from −1000000 to 1000000.");
  CHECK(refused(*model, ErrorCode::input, "X", with({4, 3}, 11, -infinity)).starts_with("X[3, 2] is −∞"));
  CHECK(refused(*model, ErrorCode::input, "target", with({4, 3}, 0, 2e6f)).starts_with("target[0, 0] is 2000000"));
  CHECK(refused(*model, ErrorCode::input, "mask", with({4, 4}, 0, infinity)) ==
        "mask[0, 0] is ∞: use a number from −1000000 to 1000000, or −∞ to hide a key.");
  CHECK(refused(*model, ErrorCode::input, "W_Q", Tensor({3, 3})) ==
        "\"W_Q\" is not an input of this model: use one of X, mask, target.");
}

TEST_CASE("shapes that the model cannot take are refused") {
  const std::unique_ptr<Model> model = make_model(four_words());
  CHECK(refused(*model, ErrorCode::shape, "X", Tensor({0, 3})) == "X is (0, 3): use 1 to 16 words of 3 numbers each.");
  CHECK(refused(*model, ErrorCode::shape, "X", Tensor::full({17, 3}, 1)).starts_with("X is (17, 3): use 1 to 16"));
  CHECK(refused(*model, ErrorCode::shape, "X", Tensor::full({4, 2}, 1)).starts_with("X is (4, 2)"));
  CHECK(refused(*model, ErrorCode::shape, "X", Tensor::full({12}, 1)).starts_with("X is (12)"));
  CHECK(refused(*model, ErrorCode::shape, "mask", Tensor::full({3, 3}, 0)) ==
        "mask is (3, 3): this model takes (4, 4).");
  CHECK(refused(*model, ErrorCode::shape, "target", Tensor::full({4, 4}, 0)).starts_with("target is (4, 4)"));

  Config config = softmax_lesson();
  config.set("target", 3.0);
  const std::unique_ptr<Model> softmax = make_model(config);
  CHECK(refused(*softmax, ErrorCode::shape, "e", Tensor::full({0}, 1)) == "e is (0): use a list of 1 to 16 scores.");
  CHECK(refused(*softmax, ErrorCode::shape, "e", Tensor::full({17}, 1)).starts_with("e is (17)"));
  CHECK(refused(*softmax, ErrorCode::shape, "e", Tensor::full({3}, 1)) ==
        "e has 3 scores, but target is 3: keep at least 4 scores or choose a smaller target.");
}

TEST_CASE("the model keeps a copy, which the caller cannot change later") {
  const std::unique_ptr<Model> model = make_model(four_words());
  const Tensor X = Tensor::full({4, 3}, 1);
  model->set_input("X", X);
  X.data()[0] = 9;
  CHECK(model->inputs()[0].value.data()[0] == 1);
}

TEST_CASE("with another number of words, mask and target follow") {
  const std::unique_ptr<Model> model = make_model(four_words());
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

TEST_CASE("a mask that hides everything gives context 0") {
  const std::unique_ptr<Model> model = make_model(four_words());
  model->set_input("mask", Tensor::full({4, 4}, -infinity));
  model->loss();
  expect(model->output(), {4, 3}, std::vector<double>(12, 0));
}

TEST_CASE("an input that a program returns keeps its name and has a gradient") {
  for (const char* value : {"tensor(4.0)", "tensor([4.0])"}) {
    ProgramModel model({{"program", std::string("def f(w=") + value + "):\n    return w\n"}});
    Tape tape(Tape::Detail::trace);
    const RecordingGuard recording(&tape);
    backward(model.loss());
    const int w = tape.find("w");
    REQUIRE(w >= 0);
    CHECK(tape.nodes()[static_cast<std::size_t>(w)].gradient.item() == 1);
  }
}
