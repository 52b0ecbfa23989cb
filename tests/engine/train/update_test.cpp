// The update as traced operations: the same bits as the kernels, with names, and without any effect on the model.
#include "engine/train/trainer.h"
#include "tests/engine/support/lessons.h"
#include "tests/engine/support/test.h"

namespace {

using Maker = std::function<std::unique_ptr<Optimiser>()>;

std::map<Text, Maker> optimisers() {
  std::map<Text, Maker> all;
  for (const Text& kind : optimiser_kinds()) all[kind] = [kind] { return make_optimiser(kind, 0.03); };
  all["sgd, decay"] = [] { return std::make_unique<Sgd>(0.03, 0, false, 0.2); };
  all["nesterov, decay"] = [] { return std::make_unique<Sgd>(0.03, 0.8, true, 0.2); };
  all["adam, decay"] = [] { return std::make_unique<Adam>(0.03, 0.8, 0.9, 1e-6, 0.2); };
  all["adamw, more decay"] = [] { return std::make_unique<AdamW>(0.03, 0.8, 0.9, 1e-6, 0.3); };
  all["rmsprop, decay"] = [] { return std::make_unique<RmsProp>(0.03, 0.9, 1e-6, 0.2); };
  all["adagrad, decay"] = [] { return std::make_unique<Adagrad>(0.03, 1e-6, 0.2); };
  return all;
}

Tensor drawn(const Shape& shape, std::uint64_t stream) {
  Tensor x(shape);
  Random random(1, stream);
  for (Scalar& value : x.values()) value = random.normal();
  return x;
}

// A model, its trainer, and a traced run with the update at its end.
struct Run {
  explicit Run(const Config& config) : model(make_model(config)), trainer(*model, config) { look(); }

  void look() {
    tape.clear();
    RecordingGuard recording(&tape);
    const Tensor loss = model->loss();
    backward(loss);
    before = tape.nodes().size();
    trainer.record_update(static_cast<double>(loss.item()));
  }
  const Node& node(const Text& name) const {
    const int id = tape.find(name);
    REQUIRE_MESSAGE(id >= 0, name);
    return tape.nodes()[static_cast<std::size_t>(id)];
  }
  Tensor updated(const Text& name) const { return node("update/" + name).value.copy(); }
  const std::vector<Parameter>& parameters() const { return model->parameters().all(); }

  std::unique_ptr<Model> model;
  Trainer trainer;
  Tape tape{Tape::Detail::trace};
  std::size_t before = 0;
};

Config learning(Config config, const Text& optimiser, double clip_norm) {
  config.set("optimiser", optimiser);
  config.set("learning_rate", 0.02);
  config.set("clip_norm", clip_norm);
  config.set("schedule", "noam");
  config.set("warmup", 3.0);
  return config;
}

Config small_seq2seq() { return {{"kind", "seq2seq"}, {"embedding", 5.0}, {"hidden", 6.0}}; }

}  // namespace

TEST_CASE("every optimiser: its composite gives the bits of its kernel, clipped or not") {
  for (const auto& kind : optimisers())
    for (const double max_norm : {0.5, 1000.0}) {
      CAPTURE(kind.first);
      CAPTURE(max_norm);
      const std::unique_ptr<Optimiser> optimiser = kind.second();
      const Tensor a = drawn({3, 5}, 100), b = drawn({7}, 101), still = drawn({2}, 102);
      for (std::uint64_t step = 0; step < 5; ++step) {
        const Tensor da = drawn({3, 5}, 2 * step), db = drawn({7}, 2 * step + 1);
        const std::vector<Tensor> gradients = {da, db, {}};
        const Tensor clip = traced_clip_factor(gradients, max_norm);
        CHECK((clip.item() == 1) == (max_norm == 1000));
        const Tensor next_a = optimiser->traced_step(0, a, clip * da), next_b = optimiser->traced_step(1, b, clip * db);
        CHECK_FALSE(same_bits(next_a, a));
        optimiser->step({a, b, still}, gradients, clip_factor(gradient_norm(gradients), max_norm));
        CHECK(same_bits(next_a, a));
        CHECK(same_bits(next_b, b));
      }
      CHECK(same_bits(still, drawn({2}, 102)));
    }
}

TEST_CASE("for every model, the update on the tape gives the weights of the next step, and changes none") {
  for (const Config& model : {four_words(), small_seq2seq()})
    for (const Text& kind : optimiser_kinds())
      for (const double clip_norm : {1e-3, 1e6}) {
        CAPTURE(kind);
        CAPTURE(clip_norm);
        Run run(learning(model, kind, clip_norm));
        for (int step = 0; step < 5; ++step) {
          run.look();
          std::map<Text, Tensor> next;
          for (const Parameter& each : run.parameters()) next[each.name] = run.updated(each.name);
          run.look();
          run.trainer.step();
          for (const Parameter& each : run.parameters())
            CHECK_MESSAGE(same_bits(next[each.name], each.value), each.name);
        }
        CHECK((run.node("update/clip").value.item() == 1) == (clip_norm == 1e6));
      }
}

TEST_CASE("every step of the update has a name, a phase and a source line in the optimiser") {
  const Run run(learning(four_words(), "adam", 1));
  for (const char* name : {"g", "m", "v", "η m̂", "√v̂", "step"}) {
    const Node& node = run.node("update.W_Q/" + Text(name));
    CHECK(node.phase == Phase::update);
    CHECK(node.value.shape() == Shape{3, 3});
    if (name != Text("g")) CHECK(Text(node.where.file).ends_with("engine/train/optimiser.cpp"));
  }
  CHECK(run.node("update.W_Q/m before").phase == Phase::leaf);
  CHECK(run.node("update/W_Q").role == Role::parameter);
  CHECK(run.node("update.W_Q/g").role == Role::gradient);
  CHECK(run.node("update/norm").edges == static_cast<int>(run.parameters().size()));
  CHECK(static_cast<double>(run.node("update/norm").value.item()) > 0);
  for (std::size_t id = 0; id < run.tape.nodes().size(); ++id) {
    const Node& node = run.tape.nodes()[id];
    if (id < run.before) CHECK(node.phase != Phase::update);
    if (id >= run.before) CHECK((node.phase == Phase::update || node.phase == Phase::leaf));
    if (id >= run.before) CHECK(run.tape.scopes()[static_cast<std::size_t>(node.scope)].phase == Phase::update);
  }
}

TEST_CASE("a parameter's update is short") {
  for (const Text& kind : optimiser_kinds()) {
    const Run run(learning(small_seq2seq(), kind, 1));
    const auto is_update = [](const Node& node) { return node.phase == Phase::update; };
    const auto nodes = std::ranges::count_if(run.tape.nodes(), is_update);
    CHECK_MESSAGE(nodes <= 2 + 10 * static_cast<int>(run.parameters().size()), kind);
  }
}

TEST_CASE("the moments continue from the state of training") {
  Run run(learning(four_words(), "adam", 1));
  run.trainer.step();
  run.look();
  const Tensor m = run.node("update.W_K/m").value.copy();
  expect(run.node("update.W_K/m before").value - run.trainer.optimiser().state()[2], {3, 3}, std::vector<double>(9), 0);
  run.trainer.step();
  CHECK(same_bits(m, run.trainer.optimiser().state()[2]));
}

TEST_CASE("no update if nothing would be learnt or the step would be refused, nor on a training tape") {
  CHECK(Run(softmax_lesson()).tape.find("update/norm") < 0);

  Run run(learning(four_words(), "sgd", 1));
  run.trainer.set_highest_loss(-1, "below every loss");
  run.look();
  CHECK(run.tape.nodes().size() == run.before);

  LiveTape training(Tape::Detail::training);
  Run quiet(learning(four_words(), "sgd", 1));
  {
    RecordingGuard again(&training);
    backward(quiet.model->loss());
    const std::size_t nodes = training.nodes().size();
    quiet.trainer.record_update(1);
    CHECK(training.nodes().size() == nodes);
  }
}

TEST_CASE("a parameter without a gradient has no update") {
  struct Half : Model {
    Half()
        : Model(Config()),
          a(parameters_.declare("a", {1}, constant(1))),
          b(parameters_.declare("b", {1}, constant(1))) {}
    Tensor loss() override {
      parameters_.record();
      return sum(a * 2);
    }
    Tensor a, b;
  } model;
  Trainer trainer(model, {});
  LiveTape tape(Tape::Detail::trace);
  backward(model.loss());
  trainer.record_update(1);
  expect(tape.nodes()[static_cast<std::size_t>(tape.find("update/a"))].value, {1}, {0.9}, 1e-6);
  CHECK(tape.find("update/b") < 0);
  CHECK(tape.find("update.b/g") < 0);
}
