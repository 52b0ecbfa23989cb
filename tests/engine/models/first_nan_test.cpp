// A program whose result has a NaN is refused where the first one was made.
#include "engine/models/program/first_nan.h"

#include "engine/models/program/program_model.h"
#include "engine/train/trainer.h"
#include "tests/engine/support/test.h"

namespace {

// The model of def f(x=…): lines, the sentence that refuses it, and its loss.
ProgramModel model_with(const std::string& x, const std::string& lines) {
  return ProgramModel({{"program", "def f(x=" + x + "):\n" + lines}});
}
std::string refused_with(const std::string& x, const std::string& lines) {
  return REFUSAL(program, model_with(x, lines));
}
double loss_with(const std::string& x, const std::string& lines) {
  return static_cast<double>(model_with(x, lines).loss().item());
}

// The place and the sentence about the loss or a gradient, or nothing.
std::string why_not_finite(const std::string& x, const std::string& lines) {
  ProgramModel model = model_with(x, lines);
  LiveTape tape(Tape::Detail::trace);
  const Tensor loss = model.loss();
  backward(loss);
  const std::optional<NotFinite> found = first_not_finite(tape, loss);
  if (!found) return "";
  return std::to_string(found->place.line) + ":" + std::to_string(found->place.column) + " " + found->message.english;
}

}  // namespace

TEST_CASE("the first operation that made a NaN is named with its place, its operands and a hint") {
  CHECK(refused_with("tensor([[1.0, 2.0, 3.0], [1.0, 2.0, -1.0]])", "    α = 2 * log(x)\n    return exp(α) * 3\n") ==
        "line 2, column 13: log(x) made NaN at [1, 2] from -1; a logarithm needs numbers "
        "above 0: take x.clamp(min=1e-6) or abs(x) + 1e-6.");
  CHECK(
      refused_with("zeros(2)", "    s = x.sum()\n    return x / s\n") ==
      "line 3, column 14: x / s made NaN at [0] from 0 and 0; 0 / 0 has no value: is a row masked as a whole? Else add "
      "a little to what divides, such as 1e-6.");
  CHECK(
      refused_with("zeros(2)", "    y = x - 4\n    return sqrt(y[1])\n") ==
      "line 3, column 12: sqrt(…) made NaN from -4; a square root needs numbers of at least 0: take x.clamp(min=0) or "
      "abs(x).");
  CHECK(
      refused_with("ones(2)", "    return softmax(x * inf, -1)\n") ==
      "line 2, column 12: softmax(…) made NaN at [0] from ∞ and ∞; ∞ - ∞ has no value: has exp grown too large, or is "
      "-inf in more places than a mask?");
  CHECK(
      refused_with("zeros(2)", "    return x + x * -inf\n").starts_with("line 2, column 18: x * −∞ made NaN at [0] "));
  CHECK(refused_with("eye(2)", "    y = x.masked_fill(x > 0, inf)\n    return y @ x\n")
            .starts_with("line 3, column 14: y @ x made NaN at [0, 1]; 0 * ∞ has no value"));
  CHECK(refused_with("tensor([-1.0])", "    return x ** 1.5\n").starts_with("line 2, column 14: x ** 1.5 made NaN"));
  CHECK(refused_with("ones(2)", "    return x * (inf - inf)\n") ==
        "line 2, column 21: the result is undefined for ∞ and ∞.");
}

TEST_CASE("infinity alone is allowed, and a NaN that no result has") {
  CHECK(loss_with("ones(2)", "    return x.masked_fill(x > 0, -inf)\n") == -HUGE_VAL);
  CHECK(loss_with("tensor([-1.0, 1.0])", "    return where(x > 0, log(x), 3.0)\n") == 3);
  CHECK(loss_with("ones(2, 2)", "    return softmax(x.masked_fill(triu(x, 1) > 0, -inf), -1)\n") == 2);
}

TEST_CASE("a NaN is named on a tape with edits and on one that trains, but not one among the parameters") {
  ProgramModel model({{"program", "def f(x=ones(2)):\n    y = x + 1\n    return log(y)\n"}});
  Edits edits;
  set_edit(edits, "y", 1, -3);
  LiveTape tape(Tape::Detail::trace, &edits);
  CHECK(REFUSAL(program, model.loss()).starts_with("line 3, column 12: log(y) made NaN at [1] from -3;"));
  ProgramModel trained({{"program", "def f(x=ones(2)):\n    return log(x) * parameter('W', (2,))\n"}});
  trained.set_input("x", Tensor({2}, {1, -2}));
  LiveTape training(Tape::Detail::training);
  CHECK(REFUSAL(program, trained.loss()).starts_with("line 2, column 12: log(x) made NaN at [1] from -2;"));
  ProgramModel spoilt({{"program", "def f(x=ones(2)):\n    return x * parameter('W', (2,))\n"}});
  spoilt.parameters().find("W")->value.data()[1] = std::numeric_limits<Scalar>::quiet_NaN();
  CHECK(std::isnan(spoilt.loss().item()));
}

TEST_CASE("in the backward pass it is named by the operation that it goes through") {
  CHECK(why_not_finite("zeros(2)", "    return (sqrt(x) * 0).sum()\n") ==
        "2:13 the gradient through sqrt(x) is NaN at [0]; the slope of sqrt at 0 is infinite: take sqrt(x + 1e-12).");
  CHECK(why_not_finite("zeros(2)", "    y = x + 0\n    return where(x > 0, log(y), x)\n")
            .starts_with("3:25 the gradient through log(y) is NaN at [0]; a slope is infinite there"));
  CHECK(why_not_finite("ones(2)", "    return log(x)\n").empty());
}

TEST_CASE("an infinity of the loss or a gradient is named as a NaN is, unless the program itself writes it") {
  CHECK(why_not_finite("tensor([1.0, 100.0])", "    return exp(x)\n") ==
        "2:12 exp(x) made ∞ at [1] from 100; e^x is too large for a number from x = 89 on: subtract the "
        "largest value before, as softmax does.");
  CHECK(why_not_finite("zeros(2)", "    return (1 / x).sum()\n") ==
        "2:15 1 / x made ∞ at [0] from 1 and 0; this divides by 0: add a little to what divides, such as "
        "1e-6.");
  CHECK(why_not_finite("zeros(2)", "    return log(x)\n").starts_with("2:12 log(x) made −∞ at [0] from 0;"));
  CHECK(why_not_finite("ones(2)", "    return x * 3e38 * 2\n")
            .find("made ∞ at [0] from 3e+38 and 2; it is beyond 3.4e38") != std::string::npos);
  CHECK(why_not_finite("zeros(2)", "    return sqrt(x)\n") ==
        "2:12 the gradient through sqrt(x) is ∞ at [0]; the slope of sqrt at 0 is infinite: take "
        "sqrt(x + 1e-12).");
  CHECK(why_not_finite("ones(2)", "    return x.masked_fill(x > 0, -inf)\n").empty());
  CHECK(why_not_finite("ones(2)", "    y = exp(x * 100).detach()\n    return x\n").empty());
}

TEST_CASE("training says which operation made a loss or a gradient infinite, and the weights stay") {
  const auto refused = [](const std::string& lines) {
    ProgramModel model({{"program", "def f(x=zeros(2)):\n    W = parameter('W', (2,), 'ones')\n" + lines}});
    Trainer trainer(model, {{"learning_rate", 0.1}});
    const std::string message = REFUSAL(diverged, trainer.step());
    expect(model.parameters().find("W")->value, {2}, {1, 1}, 0);
    return message;
  };
  CHECK(refused("    return exp(W * 100).sum()\n") ==
        "line 3, column 12: exp(…) made ∞ at [0] from 100; e^x is too large for a number from x = 89 on: subtract the "
        "largest value before, as softmax does. If it happens only after some steps, a lower learning_rate may help "
        "too.");
  CHECK(refused("    return sqrt(W * x).sum()\n")
            .starts_with("line 3, column 12: the gradient through sqrt(…) is ∞ at [0]; the slope of sqrt at 0 is "
                         "infinite: take sqrt(x + 1e-12). If it happens"));
  CHECK(refused("    return (W * 1e30).square().sum()\n").starts_with("line 3, column 22: "));
}

TEST_CASE("training of a program that writes says it as well") {
  const auto model = make_model({{"kind", "program_lm"},
                                 {"program", Text("def forward(ids):\n"
                                                  "    E = parameter('E', (VOCABULARY, 8))\n"
                                                  "    return sqrt(embedding(ids, E) * 0) @ E.T\n")}});
  Trainer trainer(*model, {{"learning_rate", 0.1}});
  CHECK(
      REFUSAL(diverged, trainer.step()).starts_with("line 3, column 12: the gradient through sqrt(…) is −∞ at [0, 0"));
}
