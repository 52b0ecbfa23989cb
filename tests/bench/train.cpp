// Training steps of whole models, for the page and for the native program.
#include <memory>
#include <string>
#include <vector>

#include "engine/autograd/tape.h"
#include "engine/models/model.h"
#include "engine/train/trainer.h"
#include "tests/bench/bench.h"
#include "tests/engine/support/settings.h"

namespace {

using namespace unroll;

struct Workload {
  const char* settings;
  int batch, positions;
};

constexpr Workload workloads[] = {
    // GRU encoder, additive attention, GRU decoder.
    {"kind=seq2seq cell=gru attention=bahdanau bidirectional=false embedding=64 hidden=128 attention_size=128 "
     "source_vocabulary=64 target_vocabulary=64",
     64, 16},
    // Encoder–decoder Transformer.
    {"kind=transformer model_size=128 heads=4 feed_forward=512 layers=2 norm_place=post activation=relu "
     "source_vocabulary=64 target_vocabulary=64",
     32, 16},
    // Decoder-only Transformer.
    {"kind=transformer_lm model_size=128 heads=4 feed_forward=512 layers=4 norm_place=pre activation=gelu "
     "tied_embedding=true vocabulary=64",
     16, 64},
};

Config config_of(const Workload& workload) {
  return with(settings(workload.settings), "optimiser=adam learning_rate=0.001 clip_norm=1");
}

// Arbitrary but fixed ids without padding.
Tensor ids(int batch, int positions, int factor) {
  constexpr int vocabulary = 64;
  Tensor result({batch, positions});
  for (int i = 0; i < batch * positions; ++i)
    result.data()[i] = static_cast<Scalar>(3 + i * factor % 997 % (vocabulary - 3));
  return result;
}

// Multiply-adds of a recorded product: each value of the result is a sum over the operands' shared axis.
double multiply_adds_of(const Tape& tape, const Node& node) {
  const Shape& a = tape.nodes()[tape.edge(node, 0).node].value.shape();
  const bool a_is_transposed = node.op.rule_text().find("kn,") != std::string::npos;
  return static_cast<double>(node.value.size()) * a[a_is_transposed ? -2 : -1];
}

struct Training : Work {
  explicit Training(const Workload& workload)
      : model(make_model(config_of(workload))), trainer(*model, config_of(workload)) {
    const auto set = [&](const char* name, int factor) {
      model->set_input(name, ids(workload.batch, workload.positions, factor));
    };
    if (model->inputs()[0].name == "source") set("source", 7919);
    set("target_in", 6007);
    set("target_out", 6007);
    for (const ModelInput& input : model->inputs()) values.push_back(input.value);
    for (const Parameter& parameter : model->parameters().all()) values.push_back(parameter.value);
  }

  float run() override { return static_cast<float>(trainer.step()); }

  double multiply_adds() override {
    Tape tape(Tape::Detail::trace);
    RecordingGuard recording(&tape);
    backward(model->loss());
    double sum = 0;
    for (const Node& node : tape.nodes())
      if (std::string_view(node.op.name) == "matmul") sum += multiply_adds_of(tape, node);
    return sum;
  }

  std::unique_ptr<Model> model;
  Trainer trainer;
};

}  // namespace

extern "C" {

void* bench_train_new(int workload) { return static_cast<Work*>(new Training(workloads[workload - 1])); }
}
