// Self-attention over a few vectors, small enough to follow by hand.
#include "engine/autograd/tape.h"
#include "engine/models/model.h"
#include "engine/models/shared_options.h"
#include "engine/nn/attention/attention.h"
#include "engine/nn/attention/scores.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr int max_size = 16;
int size_field(const Config& config, const char* name, int fallback) {
  return config.integer(name, fallback, 1, max_size);
}

AttentionFunction by_score(const Score& score) {
  return [=](const Operand& Q, const Operand& K, const Operand& V, const Tensor& mask) {
    const Tensor e = score(Q, K).as("e", Role::score);  // (n, n)
    return attend(e, V, mask);
  };
}

// Input X (n, D), one row per word. Q = X W_Q, K = X W_K, V = X W_V with weights (D, key_size) and (D, value_size);
// scores e (n, n), attention weights α = softmax(e + mask), output c = α V (n, value_size). Loss L = mean (c −
// target)². The inputs mask (n, n) and target (n, value_size) can be set too. Sizes: n and all others 1 to 16. Config:
// words (n), size (D), key_size, value_size, score (see make_score), attention_size, mask ("none", "causal"), seed, and
// values for X, W_Q, W_K, W_V, target as row-major lists; part and program (see learner_parts.h).
//
// The weights are (in, out), as in the lesson's Q = X W_Q; those of Linear and AttentionLayer are (out, in), as in
// PyTorch.
class AttentionModel : public Model {
 public:
  explicit AttentionModel(const Config& config)
      : Model(config), causal_(config.text("mask", "none", {"none", "causal"}) == "causal") {
    const int words = size_field(config, "words", 4), size = size_field(config, "size", 3);
    const int key_size = size_field(config, "key_size", 3), value_size = size_field(config, "value_size", 3);
    const auto weight = [&](const char* name, int columns) {
      return parameters_.declare(name, {size, columns}, given_or(config, name, {size, columns}, xavier_uniform()));
    };
    W_Q_ = weight("W_Q", key_size);
    W_K_ = weight("W_K", key_size);
    W_V_ = weight("W_V", value_size);
    const std::string score = config.text("score", "scaled_dot", score_kinds());
    const ScoreSizes sizes = {.query = key_size,
                              .key = key_size,
                              .attention = size_field(config, "attention_size", 4),
                              .positions = max_size};
    attend_ = replaced_or(parameters_.parts().attention("attention", key_size, key_size, value_size),
                          [&] { return by_score(make_score(score, parameters_, "score", sizes)); });

    add_input({.name = "X", .value = Tensor({words, size})});
    add_input({.name = "mask", .value = first_mask(words), .takes_gradient = false, .is_mask = true});
    add_input({.name = "target", .value = Tensor({words, value_size}), .takes_gradient = false});
    set_input("X", given_or_drawn(config, "X", {words, size}, stream_of_X, normal(1)));
    set_input("target", given_or_drawn(config, "target", {words, value_size}, stream_of_X, constant(0)));
  }

  Tensor loss() override {
    output_ = {};  // frees its buffer for this pass
    parameters_.record();
    const Tensor X = use_input("X"), mask = use_input("mask"), target = use_input("target");
    {
      Scope scope("attention");
      const Tensor Q = matmul(X, W_Q_).as("Q");  // (n, key_size)
      const Tensor K = matmul(X, W_K_).as("K");  // (n, key_size)
      const Tensor V = matmul(X, W_V_).as("V");  // (n, value_size)
      output_ = attend_(Q, K, V, mask).context;  // (n, value_size)
    }
    return mean_squared_error(output_, target).as("L");
  }

 private:
  void check_shape(const ModelInput& input, const Shape& shape) const override {
    if (input.name != "X") return Model::check_shape(input, shape);
    const int size = input.value.shape()[1];
    if (shape.rank() != 2 || shape[0] < 1 || shape[0] > max_size || shape[1] != size)
      fail(ErrorCode::shape, "attention_input_shape_differs", shape, max_size, size);
  }

  // Resets the mask and the target when the number of words changes.
  void input_changed(const std::string& name) override {
    if (name != "X") return;
    const int words = inputs()[0].value.shape()[0];
    const Shape target = inputs()[2].value.shape();
    if (target[0] == words) return;
    replace_input("mask", first_mask(words));
    replace_input("target", Tensor::full(target.with(0, words), 0));
  }

  Tensor first_mask(int words) const { return causal_ ? causal_mask(words, words) : Tensor::full({words, words}, 0); }

  bool causal_;
  Tensor W_Q_, W_K_, W_V_;
  AttentionFunction attend_;
};

}  // namespace

ModelKind attention_kind() { return kind_of<AttentionModel>("attention"); }

}  // namespace unroll
