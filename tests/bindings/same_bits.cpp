// Training runs and random programs, and a hash over all bits of each, which must be the same natively, in Node and in
// a browser, however the engine is compiled.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "engine/autograd/tape.h"
#include "engine/kernels/parallel.h"
#include "engine/linalg/linalg.h"
#include "engine/nn/attention/attention.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/tensor/hash.h"
#include "engine/train/optimiser.h"
#include "tests/engine/support/random_programs.h"
#include "tests/engine/support/task_run.h"

namespace {

using namespace unroll;

// A hash over the bits of numbers.
struct Hash {
  void add(const void* data, std::size_t bytes) { value = hash_of({static_cast<const char*>(data), bytes}, value); }
  void add(const Tensor& tensor) { add(tensor.data(), tensor.size() * sizeof(Scalar)); }
  void add(const std::vector<std::uint8_t>& bytes) { add(bytes.data(), bytes.size()); }
  void add(double number) { add(&number, sizeof number); }

  std::uint64_t value = hash_of("");
};

// Predicts the next word with every score function at once. The sizes are not multiples of any kernel's block size.
class Everything {
 public:
  static constexpr int batch = 3, words = 7, size = 13, hidden = 37, vocabulary = 11;

  Everything() {
    for (const std::string& kind : score_kinds()) scores_.push_back(make_score(kind, parameters_, kind, sizes_));
  }

  std::vector<Tensor> parameters() const {
    std::vector<Tensor> values;
    for (const Parameter& parameter : parameters_.all()) values.push_back(parameter.value);
    return values;
  }

  Tensor loss() const {
    parameters_.record();
    const Tensor x = layer_norm(embed_(ids(0)), norm_weight_, norm_bias_);  // (B, T, D)
    Tensor mixed = x;
    for (const Score& score : scores_) {
      const Tensor e = score(x, x);
      mixed = mixed + attend(e, x, mask_).context;
    }
    const Tensor logits = out_(activations(up_(mixed)));  // (B, T, V)
    const Tensor loss = cross_entropy(logits, ids(1), {.ignored = 0, .label_smoothing = 0.1});
    return loss + 0.01 * mean_squared_error(mixed, x);
  }

 private:
  static Tensor activations(const Tensor& x) {
    Tensor y = gelu(x);
    for (const auto bend : {gelu_tanh, silu, softplus, relu, sigmoid, erf, tanh}) y = y + bend(x);
    y = y + elu(x);
    return y - log(1 + square(x));
  }

  // Causal, with padding: the last sentence is all padding except its first word.
  static Tensor padded_causal_mask() {
    const int lengths[] = {words, words - 2, 1};
    return causal_mask(words, words) + padding_mask(lengths, words);
  }

  static Tensor ids(int from) {
    Tensor result({batch, words});
    for (int i = 0; i < batch * words; ++i)
      result.data()[i] = static_cast<Scalar>((5 * (i + from) + i * i) % vocabulary);
    return result;
  }

  Parameters parameters_{7};
  ScoreSizes sizes_{.query = size, .key = size, .attention = 9, .positions = words};
  Embedding embed_{parameters_, "embed", vocabulary, size};
  Tensor norm_weight_ = parameters_.declare("norm.weight", {size}, constant(1));
  Tensor norm_bias_ = parameters_.declare("norm.bias", {size}, constant(0));
  Linear up_{parameters_, "up", size, hidden}, out_{parameters_, "out", hidden, vocabulary};
  std::vector<Score> scores_;
  Tensor mask_ = padded_causal_mask();
};

void add_tape(Hash& hash, const Tape& tape) {
  for (const Node& node : tape.nodes()) {
    if (node.value) hash.add(node.value);
    if (node.gradient) hash.add(node.gradient);
  }
}

void train(Hash& hash, const std::string& optimiser_kind, double learning_rate, int steps, Tape::Detail detail) {
  const Everything model;
  const std::vector<Tensor> parameters = model.parameters();
  const std::unique_ptr<Optimiser> optimiser = make_optimiser(optimiser_kind, learning_rate);
  Tape tape(detail);
  for (int step = 0; step < steps; ++step) {
    tape.clear();
    std::vector<Tensor> gradients;
    {
      RecordingGuard recording(&tape);
      backward(model.loss());
      for (const Tensor& parameter : parameters) gradients.push_back(gradient(parameter));
      add_tape(hash, tape);
    }
    const double norm = gradient_norm(gradients);
    hash.add(norm);
    optimiser->step(parameters, gradients, clip_factor(norm, 1));
  }
  for (const Tensor& parameter : parameters) hash.add(parameter);
}

// Every kernel: values, gradients, norms and weights.
std::uint64_t small_attention() {
  Hash hash;
  train(hash, "adam", 0.01, 200, Tape::Detail::training);
  for (const std::string& kind : optimiser_kinds()) train(hash, kind, 0.01, 5, Tape::Detail::trace);
  return hash.value;
}

constexpr int steps = 200;

void train(Hash& hash, TaskRun& run, int count) {
  for (int step = 0; step < count; ++step) {
    const TrainingStep done = run.trainer->step();
    hash.add(done.loss);
    hash.add(done.accuracy);
  }
}

Config small(std::string_view task, std::string_view model, const char* more = "") {
  return with(recipe_with(task, model, "embedding=8 hidden=18 attention_size=10 batch=13"), more);
}

Config small_captioner() { return small("captions", "captioner", "channels=12 grid_attention=true"); }

// Every part that a Transformer can have, and dropout.
Config small_transformer() {
  return recipe_with("reverse", "transformer",
                     "model_size=18 heads=3 feed_forward=22 layers=2 positions=rotary activation=swiglu dropout=0.1 "
                     "label_smoothing=0.1 batch=13");
}

Config small_language_model() {
  return recipe_with("stories", "lm",
                     "model_size=12 heads=6 key_value_heads=2 feed_forward=22 positions=learned norm=rms dropout=0.1 "
                     "batch=3");
}

// The losses of all steps, then weights and the optimiser's state.
std::uint64_t straight(const Config& config) {
  Hash hash;
  TaskRun run(config);
  train(hash, run, steps);
  hash.add(run.save());
  return hash.value;
}

// The same run, stopped half-way and resumed in a new trainer from its checkpoint.
std::uint64_t resumed(const Config& config) {
  Hash hash;
  TaskRun first(config), second(config);
  train(hash, first, steps / 2);
  second.restore(first.save());
  train(hash, second, steps / 2);
  hash.add(second.save());
  return hash.value;
}

// Every decomposition: of wide and long matrices, and of one large enough for Eigen to compute it block by block.
std::uint64_t decompositions() {
  Hash hash;
  Random random(3, 0);
  for (const Shape& shape : {Shape{1, 1}, Shape{3, 7}, Shape{19, 19}, Shape{60, 60}, Shape{150, 90}}) {
    Tensor A(shape);
    for (Scalar& value : A.values()) value = random.normal();
    const auto [Q, R] = qr(A);
    const auto [U, sigma, V] = svd(A);
    const auto [points, shares] = principal_axes(A, 2);
    for (const Tensor& each : {Q, R, U, sigma, V, singular_values(A), points, shares}) hash.add(each);
    if (shape[0] != shape[1]) continue;
    const auto [real, imaginary, absolute] = eigenvalues(A);
    for (const Tensor& each : {real, imaginary, absolute}) hash.add(each);
  }
  return hash.value;
}

// In the order of same-bits.test.ts.
constexpr std::uint64_t (*runs[])() = {
    small_attention,
    [] { return straight(small("reverse", "gru-attention")); },
    [] { return straight(small("addition", "lstm")); },
    [] { return resumed(small("reverse", "gru-attention")); },
    [] { return straight(small_transformer()); },
    [] { return resumed(small_transformer()); },
    [] { return straight(small_language_model()); },
    [] { return resumed(small_language_model()); },
    [] { return straight(small_captioner()); },
    [] { return resumed(small_captioner()); },
    decompositions,
};

// What a random program returns, its loss, and the gradients of its inputs and parameters.
std::uint64_t random_program_of(int seed) {
  Hash hash;
  RandomModel model(random_program(static_cast<std::uint64_t>(seed)), static_cast<std::uint64_t>(seed));
  Tape tape(Tape::Detail::trace);
  const RecordingGuard recording(&tape);
  const Tensor loss = model.loss();
  backward(loss);
  hash.add(loss);
  for (const Tensor& each : model.results()) hash.add(each);
  for (const auto& [name, x] : model.variables())
    if (const Tensor& dx = tape.nodes()[static_cast<std::size_t>(tape.find(name))].gradient) hash.add(dx);
  return hash.value;
}

}  // namespace

extern "C" {
std::uint64_t hash_of_run(int run) { return runs[run](); }
std::uint64_t hash_of_program(int seed) { return random_program_of(seed); }
// So many threads share every loop.
void share_loops(int threads) { set_threads(threads, SplitLoops::all); }
}

#ifndef __EMSCRIPTEN__
void print(std::uint64_t hash) { std::printf("%016llx\n", static_cast<unsigned long long>(hash)); }

// unroll_same_bits [THREADS [PROGRAMS]]: the hashes of the training runs, or of so many random programs.
// unroll_same_bits program SEED: the text of a random program.
int main(int arguments, char** values) {
  if (arguments == 3 && std::string_view(values[1]) == "program") {
    std::fputs(random_program(static_cast<std::uint64_t>(std::atoi(values[2]))).c_str(), stdout);
    return 0;
  }
  if (arguments > 1) share_loops(std::atoi(values[1]));
  if (arguments < 3)
    for (const auto run : runs) print(run());
  else
    for (int seed = 1; seed <= std::atoi(values[2]); ++seed) print(hash_of_program(seed));
}
#endif
