// The source lines recorded by nodes and scopes.
#include "engine/models/model.h"
#include "engine/nn/attention/scores.h"
#include "engine/nn/layers/position_wise.h"
#include "tests/engine/support/sources.h"
#include "tests/engine/support/test.h"

namespace {

int line_here(CallSite where = CallSite::current()) { return where.line; }

struct Traced {
  Tape tape{Tape::Detail::trace};
  RecordingGuard recording{&tape};
  Tensor x = input("x", Tensor({2, 2}, {1, 2, 3, 4}));

  const Node& last() const { return tape.nodes().back(); }
  int line(std::string_view name) const { return node(tape, name).where.line; }
  std::string file(std::string_view name) const { return node(tape, name).where.file; }
  const ScopeRecord& scope(std::string_view path) const {  // the last one with this name
    const auto found = std::find_if(tape.scopes().rbegin(), tape.scopes().rend(),
                                    [&](const ScopeRecord& each) { return each.path == path; });
    if (found == tape.scopes().rend()) FAIL(path << " is no scope");
    return *found;
  }
};

// The text of the source line of a scope in the model's loss.
std::string call_of(const Config& config, std::string_view path) {
  const std::unique_ptr<Model> model = make_model(config);
  Traced traced;
  model->loss();
  const CallSite& call = traced.scope(path).where;
  return source_line(call.file, call.line);
}

}  // namespace

TEST_CASE("each call in an expression knows its own line, nested ones too") {
  Traced traced;
  const Tensor& x = traced.x;
  const int first = line_here() + 1;
  const Tensor y = matmul(x, x) +  //
                   exp(x) *        //
                       tanh(       //
                           sum(    //
                               x,  //
                               1,  //
                               true));
  CHECK(traced.line("matmul") == first);
  CHECK(traced.line("exp") == first + 1);
  CHECK(traced.line("tanh") == first + 2);
  CHECK(traced.line("sum") == first + 3);
  CHECK(traced.file("matmul") == "tests/engine/autograd/places_test.cpp");
}

TEST_CASE("an operand is located where it is passed; its copies and captures keep its place") {
  Traced traced;
  const Operand x = traced.x;
  const int first = line_here() + 1;
  exp(x);
  tanh(forward_operand(x));
  CHECK(traced.line("exp") == first);
  const Operand copy(x);
  const auto line = [x] { return x.where.line; };
  std::vector<Operand> list;
  list.push_back(copy);
  for (const int place : std::vector<int>{traced.line("tanh"), copy.where.line, line(), list[0].where.line})
    CHECK(place == first - 2);
}

TEST_CASE("operators know the line they are written on, and an operation that calls others keeps its own") {
  Traced traced;
  const Tensor& x = traced.x;
  const int first = line_here() + 1;
  x + 1;
  x - 1;
  x * 2;
  x / 2;
  -x;
  int line = first;
  for (const char* name : {"add", "subtract", "multiply", "divide", "negate"}) CHECK(traced.line(name) == line++);
  const int products = line_here() + 1;
  matmul(Tensor({2}, {1, 2}), x);
  concat({x, x}, 0);
  matmul(x, Tensor({2}, {1, 2}));
  CHECK(traced.line("matmul") == products);
  CHECK(traced.line("reshape") == products);
  CHECK(traced.line("concat") == products + 1);
  CHECK(traced.line("matmul#2") == products + 2);
  for (const Node& node : traced.tape.nodes())
    if (node.phase == Phase::leaf) CHECK(node.where.file == Text("tests/engine/autograd/places_test.cpp"));
}

TEST_CASE("a composite: its scope is at the call, its steps are in its own file") {
  Traced traced;
  const int line = line_here() + 1;
  softmax(traced.x, -1, 0.5);
  CHECK(traced.scope("softmax").where.line == line);
  CHECK(traced.scope("softmax").where.file == Text("tests/engine/autograd/places_test.cpp"));
  CHECK(traced.file("softmax/exp") == "engine/ops/softmax.cpp");
}

TEST_CASE("a score function by name: its scope is at the call in the model") {
  for (const std::string& kind : score_kinds()) {
    CAPTURE(kind);
    Parameters parameters(1);
    const Score score = make_score(kind, parameters, "score", {2, 2, 3, 2});
    Traced traced;
    parameters.record();
    const int line = line_here() + 1;
    score(traced.x, traced.x);
    const bool has_scope = traced.tape.scopes().size() > 1;
    CHECK(has_scope == (kind != "dot"));
    if (!has_scope) continue;
    CHECK(traced.tape.scopes()[1].where.line == line);
    CHECK(traced.tape.scopes()[1].where.file == Text("tests/engine/autograd/places_test.cpp"));
    CHECK(traced.last().where.file == Text("engine/nn/attention/scores.cpp"));
  }
}

TEST_CASE("a layer's steps are located in the layer, and backward steps at the code of the gradient") {
  Traced traced;
  Linear(Tensor({1, 2}, {1, 1}), Tensor({1}, {0}))(traced.x);
  CHECK(traced.file("matmul") == "engine/nn/layers/position_wise.h");
  CHECK(traced.file("add") == "engine/nn/layers/position_wise.h");
  backward(sum(exp(traced.x)));
  for (const Node& node : traced.tape.nodes())
    if (node.phase == Phase::backward && node.op.name != Text("seed"))
      CHECK(std::string(node.where.file).starts_with("engine/ops/"));
}

TEST_CASE("a layer with its own scope: the scope is at the call in the model") {
  const Config post_norm = {{"kind", "transformer_lm"}, {"norm_place", "post"}};
  const struct {
    Config config;
    Text path, call;
  } cases[] = {
      {{{"kind", "transformer_lm"}}, "decoder.0.norm1", "norm1_.before(x)"},
      {{{"kind", "transformer_lm"}}, "decoder.0.norm2", "norm2_.before(h)"},
      {{{"kind", "transformer_lm"}}, "decoder.norm", "normalised(norm_, output.x)"},
      {post_norm, "decoder.0.norm1", "norm1_.after("},
      {{{"kind", "transformer"}}, "decoder.0.norm3", "norm3_.before(h)"},
      {{{"kind", "transformer"}}, "encoder.norm", "normalised(encoder_norm_, x)"},
      {{{"kind", "transformer"}}, "encoder", "= encode(source, "},
      {{{"kind", "transformer"}}, "decoder", "= decode(target_in, "},
      {{{"kind", "seq2seq"}}, "encoder", "encoder_.encode(source)"},
      {{{"kind", "seq2seq"}}, "decoder.attention", "attention_.project_memory("},
      {{{"kind", "seq2seq"}}, "decoder.t0.attention", "attention_.attend_to("},
      {{{"kind", "language_model"}}, "attention", "with_context(s)"},
      {{{"kind", "attention_layer"}}, "attention", "attend_to(x, "},
      {{{"kind", "recurrent"}, {"attention", true}}, "attention", "attend_to_past(output_, "},
  };
  for (const auto& each : cases) {
    CAPTURE(each.path);
    const std::string text = call_of(each.config, each.path);
    CAPTURE(text);
    CHECK(text.find(each.call) != std::string::npos);
  }
}
