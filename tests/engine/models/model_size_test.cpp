// The estimated memory of a training step, compared with the actual one.
#include "engine/models/registry.h"
#include "engine/models/seq2seq.h"
#include "engine/tensor/pool.h"
#include "engine/train/task_trainer.h"
#include "engine/train/trainer.h"
#include "tests/engine/support/test.h"

namespace {

Tensor ids(int rows, int positions, int vocabulary) {
  Tensor tensor({rows, positions});
  for (std::size_t i = 0; i < tensor.size(); ++i)
    tensor.data()[i] = static_cast<Scalar>(4 + i % static_cast<std::size_t>(vocabulary - 4));
  return tensor;
}

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
  const Config small = {{"kind", Text("seq2seq")}, {"embedding", 16.0}, {"hidden", 32.0}};
  const Config large = {{"kind", Text("seq2seq")},
                        {"embedding", 64.0},
                        {"hidden", 128.0},
                        {"source_vocabulary", 300.0},
                        {"target_vocabulary", 400.0}};
  const auto with = [](Config config, const Config& changes) {
    for (const auto& [name, value] : changes.fields()) config.set(name, value);
    return config;
  };
  const Config changes[] = {
      {},
      {{"cell", Text("lstm")}},
      {{"cell", Text("rnn")}},
      {{"cell", Text("gru_reset_before")}},
      {{"attention", Text("none")}},
      {{"attention", Text("none")}, {"context", Text("every_step")}, {"layers", 2.0}},
      {{"attention", Text("luong")}},
      {{"attention", Text("luong")}, {"bidirectional", false}, {"score", Text("dot")}},
      {{"score", Text("concat")}},
      {{"score", Text("linear")}},
      {{"score", Text("cosine")}, {"bidirectional", false}},
      {{"score", Text("general")}, {"layers", 2.0}},
      {{"project_values", Text("tanh")}, {"project_keys", Text("linear")}},
      {{"window", Text("local_p")}},
  };
  for (const Config& base : {small, large})
    for (const Config& change : changes)
      for (const BatchSizes& sizes : {BatchSizes{64, 10, 11}, BatchSizes{16, 40, 8}}) {
        const Config config = with(base, change);
        const double bytes = measured(config, sizes), said = model_size(config, sizes).step_bytes();
        const Seq2SeqOptions options = read_seq2seq_options(config);
        CAPTURE(config.text("attention", "bahdanau", {"none", "bahdanau", "luong"}));
        CAPTURE(options.attention.score);
        CAPTURE(static_cast<int>(options.decoder.cell));
        CAPTURE(sizes.source);
        CAPTURE(bytes);
        CHECK(said > 0.85 * bytes);
        CHECK(said < 1.1 * bytes);
      }
}

TEST_CASE("a Transformer's training step takes about as much memory as estimated") {
  for (const double model : {32.0, 64.0})
    for (const double hidden : {64.0, 256.0})
      for (const std::string activation : {"relu", "gelu"})
        for (const int T : {10, 40}) {
          CAPTURE(model);
          CAPTURE(hidden);
          CAPTURE(activation);
          CAPTURE(T);
          const Config config = {{"kind", Text("transformer")}, {"model_size", model}, {"feed_forward", hidden},
                                 {"activation", activation},    {"heads", 4.0},        {"layers", 2.0}};
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
  CHECK(REFUSAL(config, model_size({{"kind", Text("softmax")}}, {1, 1, 1})) ==
        "This kind of model learns no task: to see what one takes, use \"seq2seq\".");
}
