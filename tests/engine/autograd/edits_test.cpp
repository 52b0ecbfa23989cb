// An edit replaces a value where it is recorded: dependent nodes follow, everything else keeps its bits.
#include <span>

#include "tests/engine/support/test.h"

namespace {

// h = exp(x W), left = h + x, right = h · 2, L = Σ tanh(left) · right. Every name is one node.
struct Run {
  explicit Run(const Edits& edits = {}) : edits(edits) {
    RecordingGuard recording(&tape);
    const Tensor x = input("x", Tensor({2, 2}, {Scalar(0.1), Scalar(-0.2), Scalar(0.3), Scalar(0.4)}));
    const Tensor W = input("W", Tensor({2, 2}, {Scalar(0.5), 1, -1, Scalar(0.25)}));
    const Tensor h = exp(matmul(x, W)).as("h");
    const Tensor left = (h + x).as("left"), right = (h * 2).as("right");
    backward(sum(tanh(left) * right).as("L"));
  }

  // The nodes up to the loss.
  std::span<const Node> forward() const { return {tape.nodes().data(), static_cast<std::size_t>(tape.find("L")) + 1}; }
  const Node& node(std::string_view name) const { return unroll::node(tape, name); }
  double loss() const { return static_cast<double>(node("L").value.item()); }

  Edits edits;
  Tape tape{Tape::Detail::trace, &edits};
};

// All forward nodes that depend on a node, according to the operands on the tape.
std::set<std::string> downstream(const Run& run, std::string_view name) {
  std::set<int> reached{run.tape.find(name)};
  std::set<std::string> names;
  for (int i = 0; i < static_cast<int>(run.forward().size()); ++i) {
    const Node& node = run.forward()[i];
    for (int k = 0; k < node.edges; ++k)
      if (reached.contains(run.tape.edge(node, k).node)) reached.insert(i);
    if (reached.contains(i)) names.insert(node.name);
  }
  return names;
}

std::set<std::string> changed(const Run& before, const Run& after) {
  std::set<std::string> names;
  for (const Node& node : before.forward())
    if (!same_bits(node.value, after.node(node.name).value)) names.insert(node.name);
  return names;
}

const char* const editable[] = {"x", "W", "matmul", "h", "left", "right", "tanh", "L"};

}  // namespace

TEST_CASE("an edit changes its node and exactly what depends on it") {
  const Run plain;
  for (const std::string name : editable) {
    CAPTURE(name);
    const Run edited(Edits{{name, {{0, Scalar(0.77)}}}});
    CHECK(edited.node(name).edited);
    CHECK(edited.node(name).value.data()[0] == Scalar(0.77));
    CHECK(changed(plain, edited) == downstream(plain, name));
  }
}

TEST_CASE("removing the edit restores all bits, gradients included") {
  const Run before;
  const Run edited({{"h", {{1, 5}}}, {"x", {{0, 2}}}});
  const Run after;
  CHECK(edited.loss() != before.loss());
  REQUIRE(before.tape.nodes().size() == after.tape.nodes().size());
  for (std::size_t i = 0; i < before.tape.nodes().size(); ++i)
    CHECK(same_bits(before.tape.nodes()[i].value, after.tape.nodes()[i].value));
}

TEST_CASE("the gradient at any value, edited or not, agrees with differences of the loss under edits") {
  for (const char* edited : {"", "x", "matmul", "h", "left", "tanh"}) {
    Edits edits;
    if (*edited) edits[edited] = {{1, Scalar(0.6)}, {2, Scalar(-0.3)}};
    const Run run(edits);
    for (const char* name : editable)
      for (std::size_t i = 0; i < run.node(name).value.size(); ++i) {
        const auto loss_at = [&](Scalar offset) {
          Edits moved = edits;
          moved[name].push_back({i, run.node(name).value.data()[i] + offset});
          return Run(moved).loss();
        };
        const double h = 1.0 / 64;
        const double numeric = (loss_at(Scalar(h)) - loss_at(Scalar(-h))) / (2 * h);
        const double analytic = static_cast<double>(run.node(name).gradient.data()[i]);
        INFO("edited ", edited, ", gradient of ", name, " at ", i);
        CHECK(analytic == doctest::Approx(numeric).epsilon(2e-3).scale(1));
      }
  }
}

TEST_CASE("no gradient flows from an edited value to its operands, and the trace shows the step that stops it") {
  const Run run({{"matmul", {{3, 1}}}});
  const Run plain;
  CHECK(plain.tape.find("∂exp/where") < 0);
  int stops = 0;
  for (const Node& node : run.tape.nodes()) {
    if (node.phase != Phase::backward || node.op.name != Text("where")) continue;
    ++stops;
    CHECK(node.origin == run.tape.find("matmul"));
    CHECK(node.value.data()[3] == 0);
    CHECK(node.value.data()[2] == run.node("matmul").gradient.data()[2]);
    CHECK(node.edges == 3);
  }
  CHECK(stops == 1);
}

TEST_CASE("the backward pass uses the edited values, as its steps show") {
  const Run run({{"h", {{0, 9}}}});
  for (const Node& node : run.tape.nodes()) {
    if (node.phase != Phase::backward || node.op.name != Text("multiply")) continue;
    const Tensor a = run.tape.nodes()[run.tape.edge(node, 0).node].value;
    const Tensor b = run.tape.nodes()[run.tape.edge(node, 1).node].value;
    CHECK(same_bits(node.value, a * b));
  }
}

TEST_CASE("only the tape sees an edit: an input keeps its values, and so does the tensor that an edited view shows") {
  const Tensor kept({2}, {1, 2});
  const Edits edits{{"x", {{0, 5}}}, {"edited", {{1, 7}}}};
  LiveTape tape(Tape::Detail::trace, &edits);
  const Tensor seen = input("x", kept);
  expect(reshape(seen, {2, 1}).as("column"), {2, 1}, {5, 2});
  expect(kept, {2}, {1, 2});
  const Tensor viewed = exp(input("zeros", Tensor({2}, {0, 0})));
  expect(reshape(viewed, {2, 1}).as("edited"), {2, 1}, {1, 7});
  expect(viewed, {2}, {1, 1});
}

TEST_CASE("an edit outside the tensor, or of a constant, changes nothing, and training does not see edits") {
  const Run plain, edited({{"h", {{99, 1}}}, {"constant", {{0, 5}}}});
  CHECK(changed(plain, edited).empty());
  CHECK_FALSE(edited.node("constant").edited);
  const Edits edits{{"x", {{0, 5}}}};
  LiveTape tape(Tape::Detail::training, &edits);
  expect(input("x", Tensor({1}, {1}), Role::parameter), {1}, {1});
}
