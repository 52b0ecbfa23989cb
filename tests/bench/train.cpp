// Training steps of whole models, for the page and for the native program.
#include <memory>
#include <vector>

#include "engine/models/model.h"
#include "engine/train/trainer.h"
#include "tests/bench/bench.h"

namespace {

using namespace unroll;

constexpr int batch = 64, positions = 16, vocabulary = 64;

// W1: GRU encoder, additive attention, GRU decoder.
Config w1() {
  const auto text = [](const char* value) { return std::string(value); };
  return {{"kind", text("seq2seq")},   {"cell", text("gru")},       {"attention", text("bahdanau")},
          {"bidirectional", false},    {"embedding", 64.0},         {"hidden", 128.0},
          {"attention_size", 128.0},   {"source_vocabulary", 64.0}, {"target_vocabulary", 64.0},
          {"optimiser", text("adam")}, {"learning_rate", 0.001},    {"clip_norm", 1.0}};
}

// Ids without padding, any and yet always the same.
Tensor ids(int factor) {
  Tensor result({batch, positions});
  for (int i = 0; i < batch * positions; ++i)
    result.data()[i] = static_cast<Scalar>(3 + i * factor % 997 % (vocabulary - 3));
  return result;
}

struct Training {
  Training() : model(make_model(w1())), trainer(*model, w1()) {
    const Tensor source = ids(7919), target = ids(6007);
    model->set_input("source", source);
    model->set_input("target_in", target);
    model->set_input("target_out", target);
    values = {source, target};
    for (const Parameter& parameter : model->parameters().all()) values.push_back(parameter.value);
  }

  std::unique_ptr<Model> model;
  Trainer trainer;
  std::vector<Tensor> values;  // source, target and the parameters in their order
};

}  // namespace

extern "C" {

void* bench_train_new() { return new Training; }
void bench_train_delete(void* training) { delete static_cast<Training*>(training); }
float bench_train_step(void* training) { return static_cast<float>(static_cast<Training*>(training)->trainer.step()); }
const float* bench_train_values(void* training, int i) { return static_cast<Training*>(training)->values.at(i).data(); }
int bench_train_size(void* training, int i) {
  return static_cast<int>(static_cast<Training*>(training)->values.at(i).size());
}
}
