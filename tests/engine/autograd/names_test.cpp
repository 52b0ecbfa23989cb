// Names, scopes, roles and phases on the tape.
#include "engine/models/model.h"
#include "engine/nn/attention/attention.h"
#include "tests/engine/support/test.h"

namespace {

// Attention over three words of two numbers, with a loss.
struct Example {
  Example() {
    RecordingGuard recording(&tape);
    const Tensor X = input("X", Tensor({3, 2}, {1, 2, 3, 4, 5, 6}));
    const Tensor W = input("W", Tensor({2, 2}, {1, 0, 0, 1}), Role::parameter);
    Scope scope("attention");
    const Tensor Q = matmul(X, W).as("Q");
    const Tensor c = scaled_dot_product_attention(Q, X, X).context;
    backward(mean(square(c)).as("L"));
  }
  Tape tape{Tape::Detail::trace};
};

}  // namespace

TEST_CASE("names are scope paths that end in the last name given; roles are the given ones, else state or gradient") {
  const Example example;
  CHECK(node(example.tape, "X").op.name == Text("input"));
  CHECK(node(example.tape, "attention/Q").op.name == Text("matmul"));
  CHECK(node(example.tape, "attention/α").op.name == Text("divide"));
  CHECK(node(example.tape, "attention.softmax/exp").op.name == Text("exp"));
  CHECK(node(example.tape, "attention/L").op.name == Text("divide"));
  CHECK(node(example.tape, "X").role == Role::input);
  CHECK(node(example.tape, "W").role == Role::parameter);
  CHECK(node(example.tape, "attention/Q").role == Role::state);
  CHECK(node(example.tape, "attention/e").role == Role::score);
  CHECK(node(example.tape, "attention/α").role == Role::weight);
  for (const Node& each : example.tape.nodes())
    if (each.phase == Phase::backward) CHECK(each.role == Role::gradient);
}

TEST_CASE("names of nodes are unique, also for gradients of nodes with numbered names") {
  for (const Config& config : {Config{{"kind", "attention"}, {"score", "additive"}},
                               Config{{"kind", "recurrent"}, {"cell", "lstm"}, {"attention", true}},
                               Config{{"kind", "seq2seq"}, {"attention", "luong"}, {"hidden", 5.0}},
                               Config{{"kind", "language_model"}, {"hidden", 5.0}}}) {
    const std::unique_ptr<Model> model = make_model(config);
    LiveTape tape(Tape::Detail::trace);
    backward(model->loss());
    std::set<Text> names;
    for (const Node& each : tape.nodes()) CHECK_MESSAGE(names.insert(each.name).second, each.name);
  }
}

TEST_CASE("the gradient of every state of a recurrent network is named after the state") {
  for (const Text cell : {"rnn", "gru", "lstm"}) {
    const std::unique_ptr<Model> model = make_model({{"kind", "recurrent"}, {"cell", cell}});
    LiveTape tape(Tape::Detail::trace);
    backward(model->loss());
    for (int t = 0; t < 5; ++t) {
      const Text h = "cell.0.t" + std::to_string(t) + "/h";
      CHECK_MESSAGE(tape.find(node(tape, h).gradient) == tape.find("∂" + h), h);
    }
  }
}

TEST_CASE("a repeated name gets a number") {
  LiveTape tape(Tape::Detail::trace);
  const Tensor x = input("x", Tensor::scalar(1));
  exp(x).as("y");
  exp(x).as("y");
  exp(x);
  CHECK(tape.nodes()[1].name == "y");
  CHECK(tape.nodes()[2].name == "y#2");
  CHECK(tape.nodes()[3].name == "exp#3");
}

TEST_CASE("a named constant is recorded once, under its name, and can be edited") {
  const Edits edits{{"layer/positions", {{1, 9}}}};
  LiveTape tape(Tape::Detail::trace, &edits);
  const Tensor x = input("x", Tensor({2}, {1, 2})), constant({2}, {3, 4});
  Scope scope("layer");
  const int line = CallSite::current().line + 1;
  const Tensor P = constant.as("positions", Role::input);
  expect((x + P).as("sum"), {2}, {4, 11});
  const Node& leaf = node(tape, "layer/positions");
  CHECK(leaf.op.name == Text("constant"));
  CHECK(leaf.phase == Phase::leaf);
  CHECK(leaf.role == Role::input);
  CHECK(leaf.where.line == line);
  CHECK_FALSE(leaf.needs_gradient);
  CHECK(tape.edge(node(tape, "layer/sum"), 1).node == tape.find("layer/positions"));
  CHECK(tape.nodes().size() == 3);
  CHECK(constant.data()[1] == 4);
}

TEST_CASE("operands come before results, and a backward node knows its forward node, a gradient what it belongs to") {
  const Example example;
  const std::vector<Node>& nodes = example.tape.nodes();
  bool backward_has_begun = false;
  for (int id = 0; id < static_cast<int>(nodes.size()); ++id) {
    for (int i = 0; i < nodes[id].edges; ++i) CHECK(example.tape.edge(nodes[id], i).node < id);
    backward_has_begun |= nodes[id].phase == Phase::backward;
    CHECK((nodes[id].phase == Phase::forward) <= !backward_has_begun);
    CHECK((nodes[id].phase == Phase::leaf) == (nodes[id].edges == 0 && nodes[id].op.name != Text("seed")));
  }
  for (const Node& each : nodes) {
    CHECK((each.origin >= 0) == (each.phase == Phase::backward));
    if (each.origin >= 0) CHECK(nodes[each.origin].phase == Phase::forward);
    if (each.gradient_of < 0) continue;
    CHECK(each.name.starts_with("∂" + nodes[each.gradient_of].name));
    CHECK(each.value.shape() == nodes[each.gradient_of].value.shape());
    CHECK(example.tape.find(nodes[each.gradient_of].gradient) == static_cast<int>(&each - nodes.data()));
  }
  CHECK(node(example.tape, "∂attention/α").gradient_of == example.tape.find("attention/α"));
  CHECK(node(example.tape, "∂W").gradient_of == example.tape.find("W"));
}

TEST_CASE("a gradient that passes through unchanged has the explicit name, of several the one nearest the loss") {
  LiveTape tape(Tape::Detail::trace);
  const Tensor x = input("x", Tensor::scalar(2)), target = input("target", Tensor::scalar(5), Role::input, false);
  const Tensor h = exp(x).as("h");
  const Tensor moved = h - target;
  backward(square(moved));
  CHECK(tape.find(gradient(moved)) == tape.find(gradient(h)));
  CHECK(node(tape, "∂h").gradient_of == tape.find("h"));
  CHECK(tape.find("∂subtract") < 0);
  const Tensor a = exp(x).as("a");
  const Tensor b = (a + 1).as("b");
  backward(square(b + 1));
  CHECK(tape.find(gradient(a)) == tape.find("∂b"));
  CHECK(tape.find("∂a") < 0);
}

TEST_CASE("scopes hold their nodes, and the backward ones mirror the forward ones") {
  const Example example;
  const std::vector<ScopeRecord>& scopes = example.tape.scopes();
  std::set<std::string> paths;
  for (int id = 1; id < static_cast<int>(scopes.size()); ++id) {
    const ScopeRecord& scope = scopes[id];
    paths.insert(scope.path);
    CHECK(scope.parent < id);
    CHECK(scope.path.starts_with("∂") == (scope.phase == Phase::backward));
    CHECK(scopes[scope.parent].first <= scope.first);
    if (scope.parent > 0) CHECK(scope.last <= scopes[scope.parent].last);
  }
  for (const char* path : {"attention", "attention.softmax", "attention.scaled_dot_score", "∂attention",
                           "∂attention.softmax", "∂attention.scaled_dot_score"})
    CHECK_MESSAGE(paths.contains(path), path);
  for (int id = 0; id < static_cast<int>(example.tape.nodes().size()); ++id) {
    const int scope = example.tape.nodes()[id].scope;
    if (scope > 0) CHECK((scopes[scope].first <= id && id <= scopes[scope].last));
  }
}

TEST_CASE("without an active tape nothing is recorded; recordings nest, and one of nothing pauses the tape") {
  const Tensor alone = input("x", Tensor::scalar(2));
  expect(exp(alone).as("y"), {}, {7.38905609893});
  CHECK(Tape::live() == nullptr);
  CHECK_FALSE(gradient(alone));
  LiveTape outer(Tape::Detail::trace);
  Tape inner(Tape::Detail::trace);
  const Tensor x = input("x", Tensor::scalar(1));
  {
    RecordingGuard pause(nullptr);
    exp(x);
  }
  {
    RecordingGuard other(&inner);
    exp(input("y", Tensor::scalar(2)));
  }
  exp(x);
  CHECK(outer.nodes().size() == 2);
  CHECK(inner.nodes().size() == 2);
}

TEST_CASE("rules carry their numbers") {
  CHECK(Op{"matmul", "nk,km->nm"}.rule_text() == "nk,km->nm");
  CHECK(Op{"slice", "slice", "{0}", {1, 2}, 2}.rule_text() == "slice:1,2");
}
