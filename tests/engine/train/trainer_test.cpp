#include "engine/train/trainer.h"

#include "engine/tensor/pool.h"
#include "tests/engine/support/small_models.h"

namespace {

Config learning(const std::string& optimiser, double rate) {
  const std::vector<double> target = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
  return with(four_words(), {{"target", target}, {"optimiser", optimiser}, {"learning_rate", rate}});
}

// Memory left in the pool by earlier tests cannot hide growth: the peak in use must stay the same too.
void check_asks_for_no_memory(ModelRun& training, int steps) {
  pool_trim();
  training.trainer.step();
  const PoolStats first = pool_stats();
  training.train(steps);
  CHECK(pool_stats().allocations == first.allocations);
  CHECK(pool_stats().peak == first.peak);
}

// A model whose loss overflows after some steps: (10 w)⁴ grows without bound.
struct Climbing : Model {
  Climbing() : Model(Config()), w(parameters_.declare("w", {1}, constant(1))) {}
  Tensor loss() override {
    parameters_.record();
    return sum(square(square(square(w * 10)))) * -1e20;
  }
  Tensor w;
};

// y = a + b: both get the same gradient tensor.
struct Sum : Model {
  Sum()
      : Model(Config()), a(parameters_.declare("a", {1}, constant(0))), b(parameters_.declare("b", {1}, constant(0))) {}
  Tensor loss() override {
    parameters_.record();
    return sum(-100 * (a + b));
  }
  Tensor a, b;
};

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
  const Node& node(const Text& name) const { return unroll::node(tape, name); }
  Tensor updated(const Text& name) const { return node("update/" + name).value.copy(); }
  const std::vector<Parameter>& parameters() const { return model->parameters().all(); }

  std::unique_ptr<Model> model;
  Trainer trainer;
  Tape tape{Tape::Detail::trace};
  std::size_t before = 0;
};

Config learning(const Config& config, const Text& optimiser, double clip_norm) {
  return with(with(config, {{"optimiser", optimiser}, {"clip_norm", clip_norm}}),
              "learning_rate=0.02 schedule=noam warmup=3");
}

Config small_seq2seq() { return {{"kind", "seq2seq"}, {"embedding", 5.0}, {"hidden", 6.0}}; }

}  // namespace

TEST_CASE("every optimiser lowers the loss of the four words") {
  for (const std::string& kind : optimiser_kinds()) {
    CAPTURE(kind);
    ModelRun training(learning(kind, 0.01));
    const double first = training.trainer.step();
    training.train(99);
    CHECK(training.trainer.step() < 0.8 * first);
    CHECK(training.trainer.optimiser().steps == 101);
  }
}

TEST_CASE("weight_decay is used by AdamW only, beta2 also by Adam; the others ignore both") {
  CHECK(ModelRun(learning("adamw", 0.01)).trainer.optimiser().weight_decay == 0.01);
  for (const auto& [kind, weight_decay] : {std::pair{"adamw", 0.1}, {"adam", 0.0}, {"sgd", 0.0}}) {
    const Config config = with(learning(kind, 0.01), "weight_decay=0.1 beta2=0.95");
    ModelRun training(config);
    Optimiser& optimiser = training.trainer.optimiser();
    CHECK(optimiser.weight_decay == weight_decay);
    if (kind != Text("sgd")) CHECK(dynamic_cast<Adam&>(optimiser).beta2 == 0.95);
    CHECK_NOTHROW(config.reject_unknown());
  }
}

TEST_CASE("after the first step no optimiser and no model allocates memory") {
  for (const std::string& kind : optimiser_kinds()) {
    CAPTURE(kind);
    ModelRun training(learning(kind, 0.01));
    check_asks_for_no_memory(training, 20);
  }
  for_each(small_models(), [](const Config& config, const Text&) {
    ModelRun run(with(config, "optimiser=adam"));
    if (run.model->parameters().count()) check_asks_for_no_memory(run, 4);
  });
}

// As in tests/bench/train.cpp.
TEST_CASE("nor does W1, the model of the benchmark: a GRU with attention to 16 positions, batches of 64 pairs") {
  ModelRun training(
      settings("kind=seq2seq cell=gru attention=bahdanau bidirectional=false embedding=64 hidden=128 "
               "attention_size=128 source_vocabulary=64 target_vocabulary=64 optimiser=adam clip_norm=1"));
  const Tensor words = Samples(1).ids({64, 16}, 61) + 3;  // without padding
  for (const char* name : {"source", "target_in", "target_out"}) training.model->set_input(name, words);
  check_asks_for_no_memory(training, 3);
}

TEST_CASE("the same seed gives the same bits") {
  ModelRun one(learning("adam", 0.02)), two(learning("adam", 0.02));
  for (int i = 0; i < 50; ++i) CHECK(one.trainer.step() == two.trainer.step());
}

TEST_CASE("clipping limits the first step of gradient descent to rate · norm") {
  ModelRun training(with(learning("sgd", 1), "clip_norm=0.001"));
  std::vector<Tensor> before;
  for (const Parameter& parameter : training.model->parameters().all()) before.push_back(parameter.value.copy());
  training.trainer.step();
  std::vector<Tensor> moves;
  for (const Parameter& each : training.model->parameters().all()) moves.push_back(each.value - before[moves.size()]);
  CHECK(gradient_norm(moves) == doctest::Approx(0.001).epsilon(1e-3));
}

TEST_CASE("parameters that share a gradient move alike; a loss above the limit is refused, naming the limit") {
  Sum model;
  Trainer trainer(model, {{"learning_rate", 1.0}});
  trainer.step();
  expect(model.a, {1}, {std::sqrt(0.5)}, 1e-4);
  expect(model.b, {1}, {std::sqrt(0.5)}, 1e-4);
  Sum fresh;
  Trainer limited(fresh, {{"learning_rate", 1.0}});
  limited.set_highest_loss(-100, "ten_times_guessing");
  CHECK(REFUSAL(diverged, limited.step())
            .ends_with(", where -100 is ten times that of guessing: lower learning_rate, which is 1."));
}

TEST_CASE("a loss or a gradient that is not finite is refused, and the weights stay") {
  Climbing model;
  Trainer trainer(model, {{"learning_rate", 10.0}});
  const std::string message = refusal(ErrorCode::diverged, [&] {
    for (int i = 0; i < 1000; ++i) trainer.step();
  });
  CHECK(message.find("lower learning_rate, which is 10.") != std::string::npos);
  const Tensor before = model.w.copy();
  CHECK(std::isfinite(before.item()));
  const int steps = trainer.optimiser().steps;
  REFUSAL(diverged, trainer.step());
  CHECK(same_bits(before, model.w));
  CHECK(trainer.optimiser().steps == steps);
}

TEST_CASE("a model without parameters has nothing to train") {
  ModelRun training(softmax_lesson());
  CHECK(REFUSAL(config, training.trainer.step()) == "This model has no parameters: there is nothing to train.");
}

// The update as traced operations: the same bits as the kernels, with names, and without any effect on the model.
TEST_CASE("every optimiser: its composite gives the bits of its kernel, clipped or not") {
  for (const auto& kind : optimisers())
    for (const double max_norm : {0.5, 1000.0}) {
      INFO(kind.first, ", max_norm ", max_norm);
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
        INFO("kind ", kind, ", clip_norm ", clip_norm);
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
  struct Half : Sum {
    Tensor loss() override {
      parameters_.record();
      return sum(a * 2);
    }
  } model;
  Trainer trainer(model, {});
  LiveTape tape(Tape::Detail::trace);
  backward(model.loss());
  trainer.record_update(1);
  expect(node(tape, "update/a").value, {1}, {-0.1}, 1e-6);
  CHECK(tape.find("update/b") < 0);
  CHECK(tape.find("update.b/g") < 0);
}
