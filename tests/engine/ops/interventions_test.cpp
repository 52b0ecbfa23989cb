// An intervention replaces what is recorded under a name, for all that reads it, and nothing else.
#include "engine/ops/interventions.h"

#include "tests/engine/support/test.h"

namespace {

constexpr auto zero = InterventionKind::zero;

Intervention with(InterventionKind kind, const std::string& target) { return {kind, target_of(target), false, {}}; }

// h = exp(x W), left = h + x, L = Σ tanh(left) · 2 h.
struct Run {
  explicit Run(std::vector<Intervention> list, const Edits& its_edits = {})
      : edits(its_edits), interventions(std::move(list)), tape(Tape::Detail::trace, &edits, &interventions) {
    RecordingGuard recording(&tape);
    const Tensor x = input("x", Tensor({2, 2}, {Scalar(0.1), Scalar(-0.2), Scalar(0.3), Scalar(0.4)}));
    const Tensor W = input("W", Tensor({2, 2}, {Scalar(0.5), 1, -1, Scalar(0.25)}));
    const Tensor h = exp(matmul(x, W)).as("h");
    const Tensor left = (h + x).as("left");
    backward(sum(tanh(left) * (h * 2)).as("L"));
  }

  const Node& node(std::string_view name) const { return unroll::node(tape, name); }

  Edits edits;
  Interventions interventions;
  Tape tape;
};

std::vector<double> numbers(const Tensor& x) { return {x.data(), x.data() + x.size()}; }

// ∂L/∂node; 0 where none reaches it.
Tensor gradient_of(const Run& run, const char* name) {
  const Node& node = run.node(name);
  return node.gradient ? node.gradient : Tensor::full(node.value.shape(), 0);
}

bool matches(const char* pattern, const char* name) { return target_of(pattern).matches(name); }

Tensor chosen(const char* target, const Shape& shape) { return target_of(target).selection(shape); }

}  // namespace

TEST_CASE("a target is a name, in which * stands for text without a slash, and indices in brackets") {
  CHECK(matches("encoder/h", "encoder/h"));
  CHECK_FALSE(matches("encoder/h", "encoder/h2"));
  CHECK(matches("decoder.t*/s", "decoder.t12/s"));
  CHECK(matches("decoder.t*/c", "decoder.t3.attention/c"));
  CHECK_FALSE(matches("decoder*s", "decoder.t0/s"));
  CHECK(matches("*/c", "a/c"));
  CHECK_FALSE(matches("*/c", "a/b/c"));
  expect(chosen("h", {2, 2}), {2, 2}, {1, 1, 1, 1});
  expect(chosen("h[1]", {2, 2}), {2, 2}, {0, 0, 1, 1});
  expect(chosen("h[:, 0]", {2, 2}), {2, 2}, {1, 0, 1, 0});
  expect(chosen("h[-1,-1]", {2, 2}), {2, 2}, {0, 0, 0, 1});
  CHECK_FALSE(target_of("h[2]").fits({2, 2}));
  CHECK_FALSE(target_of("h[-3]").fits({2, 2}));
  CHECK_FALSE(target_of("h[0,0,0]").fits({2, 2}));
  for (const char* wrong : {"h[]", "h[a]", "h[1.5]", "h[0,]", "h[1:2]"})
    CHECK(refusal(ErrorCode::input, [&] { target_of(wrong); }).find(wrong) != std::string::npos);
}

TEST_CASE("what is replaced has the name, what was computed stays before it, and only the intervention reads that") {
  const Run plain({}), silent({with(zero, "h[0]")});
  const Node& h = silent.node("h");
  CHECK(h.op.name == Text("where"));
  CHECK(numbers(h.value) == std::vector<double>{0, 0, static_cast<double>(plain.node("h").value.data()[2]),
                                                static_cast<double>(plain.node("h").value.data()[3])});
  CHECK(same_bits(silent.node("exp").value, plain.node("h").value));
  int readers = 0;
  const int computed = silent.tape.find("exp");
  for (const Node& node : silent.tape.nodes())
    for (int i = 0; i < node.edges; ++i)
      if (node.phase == Phase::forward && silent.tape.edge(node, i).node == computed) ++readers;
  CHECK(readers == 1);
}

TEST_CASE("without interventions, or with one that fits nothing, every bit and every node is as before") {
  const Run plain({}), waiting({with(zero, "nothing"), with(zero, "h[7]"), with(zero, "h[0,0,0,0]")});
  REQUIRE(plain.tape.nodes().size() == waiting.tape.nodes().size());
  for (std::size_t i = 0; i < plain.tape.nodes().size(); ++i)
    CHECK(same_bits(plain.tape.nodes()[i].value, waiting.tape.nodes()[i].value));
}

TEST_CASE("no gradient flows to what is silent; a stopped gradient leaves the values") {
  const Run plain({}), silent({with(zero, "h")}), detached({with(InterventionKind::detach, "h")});
  CHECK(numbers(gradient_of(silent, "W")) == std::vector<double>(4, 0));
  CHECK(same_bits(detached.node("L").value, plain.node("L").value));
  CHECK(same_bits(detached.node("h").gradient, plain.node("h").gradient));
  CHECK(numbers(gradient_of(detached, "W")) == std::vector<double>(4, 0));
}

TEST_CASE("the mean of the rows, and values of another run") {
  const Run plain({}), mean({with(InterventionKind::mean, "h[0]")});
  const auto h = numbers(plain.node("h").value), now = numbers(mean.node("h").value);
  CHECK(now[0] == doctest::Approx((h[0] + h[2]) / 2));
  CHECK(now[3] == h[3]);
  Intervention patch = with(InterventionKind::from, "h[1]");
  patch.other["h"] = Tensor({3, 2}, {1, 2, 3, 4, 5, 6});  // longer: the row is the same
  const Run patched({patch});
  CHECK(numbers(patched.node("h").value) == std::vector<double>{h[0], h[1], 3, 4});
}

TEST_CASE("of two interventions the second begins with the first, and an edit comes after both") {
  const Run both({with(zero, "h[0]"), with(InterventionKind::mean, "h")}, {{"h", {{1, Scalar(0.5)}}}});
  const Run plain({});
  const auto h = numbers(plain.node("h").value), now = numbers(both.node("h").value);
  CHECK(now[0] == doctest::Approx(h[2] / 2));
  CHECK(now[1] == 0.5);
  CHECK(now[2] == doctest::Approx(h[2] / 2));
}

TEST_CASE("an input is replaced on the tape, and keeps its own values") {
  const Interventions interventions({with(zero, "x[0]")});
  Tape tape(Tape::Detail::trace, nullptr, &interventions);
  const RecordingGuard recording(&tape);
  const Tensor kept({2}, {1, 2});
  expect(input("x", kept), {2}, {0, 2});
  expect(kept, {2}, {1, 2});
}

TEST_CASE("training sees frozen parameters, and no name of what is computed") {
  const Interventions interventions({with(InterventionKind::frozen, "W"), with(zero, "h")});
  Tape tape(Tape::Detail::training, nullptr, &interventions);
  const RecordingGuard recording(&tape);
  const Tensor W({1}, {3}), b({1}, {2});
  input("W", W, Role::parameter), input("b", b, Role::parameter);
  const Tensor h = (W * b).as("h");
  backward(sum(h));
  expect(h, {1}, {6});
  CHECK_FALSE(gradient(W));
  expect(gradient(b), {1}, {3});
}
