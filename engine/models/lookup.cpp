// Attention alone: the queries, keys and values are the inputs, each to be moved without the others.
#include "engine/autograd/tape.h"
#include "engine/models/model.h"
#include "engine/models/shared_options.h"
#include "engine/nn/attention/attention.h"
#include "engine/nn/attention/scores.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr int max_vectors = 16, max_numbers = 16;
constexpr std::uint64_t stream_of_Q = stream_of_X, stream_of_K = 2, stream_of_V = 3;

// Inputs Q (n, K) queries, K (m, K) keys, V (m, D) values, one row each. Scores e (n, m), attention weights α =
// softmax(e), context c = α V (n, D), in the scope "attention". Loss L = mean (c − target)²; the input target (n, D)
// can be set too.
//
// Config: queries (n, 1), keys (m, 3), key_size (K, 2), value_size (D, 2), each 1 to 16; score (see make_score) and its
// attention_size; values for Q, K, V and target as row-major lists; seed.
class Lookup : public Model {
 public:
  explicit Lookup(const Config& config) : Model(config) {
    const auto size = [&](const char* name, int fallback, int most) { return config.integer(name, fallback, 1, most); };
    const int queries = size("queries", 1, max_vectors), keys = size("keys", 3, max_vectors);
    const int key_size = size("key_size", 2, max_numbers), value_size = size("value_size", 2, max_numbers);
    score_ = make_score(config.text("score", "dot", score_kinds()), parameters_, "score",
                        {.query = key_size,
                         .key = key_size,
                         .attention = size("attention_size", 4, max_numbers),
                         .positions = max_vectors});
    const auto rows = [&](const char* name, const Shape& shape, std::uint64_t stream) {
      add_input({.name = name, .value = given_or_drawn(config, name, shape, stream, normal(1))});
    };
    rows("Q", {queries, key_size}, stream_of_Q);
    rows("K", {keys, key_size}, stream_of_K);
    rows("V", {keys, value_size}, stream_of_V);
    add_input({.name = "target",
               .value = given_or_drawn(config, "target", {queries, value_size}, stream_of_X, constant(0)),
               .takes_gradient = false});
    for (const ModelInput& each : inputs()) set_input(each.name, each.value);  // rejects values that are too large
  }

  Tensor loss() override {
    output_ = {};  // frees its buffer for this pass
    parameters_.record();
    const Tensor Q = use_input("Q"), K = use_input("K"), V = use_input("V"), target = use_input("target");
    {
      Scope scope("attention");
      const Tensor e = score_(Q, K).as("e", Role::score);  // (n, m)
      output_ = attend(e, V).context;                      // (n, D)
    }
    return mean_squared_error(output_, target).as("L");
  }

 private:
  Score score_;
};

}  // namespace

ModelKind lookup_kind() { return kind_of<Lookup>("lookup"); }

}  // namespace unroll
