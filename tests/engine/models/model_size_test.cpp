// The estimated memory of a training step, compared with the actual one.
#include "engine/models/model.h"
#include "engine/tensor/pool.h"
#include "engine/train/task_trainer.h"
#include "tests/engine/support/settings.h"
#include "tests/engine/support/test.h"

namespace {

Tensor ids(int rows, int positions, int vocabulary) { return Samples(1).ids({rows, positions}, vocabulary - 4) + 4; }

// The peak memory of a step in bytes, without the parameters and the optimiser's state.
double measured(const Config& config, const BatchSizes& sizes) {
  const std::unique_ptr<Model> model = make_model(config);
  Trainer trainer(*model, config);
  const int read = config.integer("source_vocabulary", 16, 1, 1 << 20);
  const int written = config.integer("target_vocabulary", 16, 1, 1 << 20);
  if (sizes.source) model->set_input("source", ids(sizes.rows, sizes.source, read));
  model->set_input("target_in", ids(sizes.rows, sizes.target, written));
  model->set_input("target_out", ids(sizes.rows, sizes.target, written));
  const double before = static_cast<double>(pool_stats().in_use);
  pool_trim();
  trainer.step();
  return static_cast<double>(pool_stats().peak) - before;
}

}  // namespace

TEST_CASE("a training step takes about as much memory as estimated") {
  const Config small = settings("kind=seq2seq embedding=16 hidden=32");
  const Config large = settings("kind=seq2seq embedding=64 hidden=128 source_vocabulary=300 target_vocabulary=400");
  const char* const changes[] = {
      "",
      "cell=lstm",
      "cell=rnn",
      "cell=gru_reset_before",
      "attention=none",
      "attention=none context=every_step layers=2",
      "attention=luong",
      "attention=luong bidirectional=false score=dot",
      "score=concat",
      "score=linear",
      "score=cosine bidirectional=false",
      "score=general layers=2",
      "project_values=tanh project_keys=linear",
      "project_queries=relu project_keys=sigmoid",
      "window=local_p",
  };
  for (const Config& base : {small, large})
    for (const char* change : changes)
      for (const BatchSizes& sizes : {BatchSizes{64, 10, 11}, BatchSizes{16, 40, 8}}) {
        const Config config = with(base, change);
        const double bytes = measured(config, sizes), said = model_size(config, sizes).step_bytes();
        INFO(change, ", source of ", sizes.source, ", ", bytes, " bytes");
        CHECK(said > 0.85 * bytes);
        CHECK(said < 1.1 * bytes);
      }
}

TEST_CASE("a Transformer's training step takes about as much memory as estimated") {
  for (const char* model : {"model_size=32 ", "model_size=64 "})
    for (const char* hidden : {"feed_forward=64 ", "feed_forward=256 "})
      for (const char* activation : {"activation=relu", "activation=gelu"})
        for (const int T : {10, 40}) {
          const std::string changes = std::string(model) + hidden + activation;
          INFO(changes, ", T ", T);
          const Config config = with(settings("kind=transformer heads=4 layers=2"), changes.c_str());
          const BatchSizes sizes{16, 20, T};
          CHECK(model_size(config, sizes).step_bytes() == doctest::Approx(measured(config, sizes)).epsilon(0.1));
        }
}

TEST_CASE("every kind that learns a task estimates its memory before the model is made") {
  for (const ModelKind& kind : linked_models()) {
    if (!kind.size) continue;
    CAPTURE(kind.name);
    const Config config = {{"kind", Text(kind.name)}};
    const int S = is_language_model(*make_model(config)) ? 0 : 16;
    for (const BatchSizes& sizes : {BatchSizes{64, S, 10}, BatchSizes{16, S, 30}})
      CHECK(model_size(config, sizes).step_bytes() == doctest::Approx(measured(config, sizes)).epsilon(0.1));
  }
  CHECK(REFUSAL(config, model_size({{"kind", "softmax"}}, {1, 1, 1})) ==
        "This kind of model learns no task: to see what one takes, use \"seq2seq\".");
}
