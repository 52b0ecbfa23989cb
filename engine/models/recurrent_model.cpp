// A recurrent network over one short sequence, to follow its gates by hand and see how far gradients reach back.
#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/linalg/linalg.h"
#include "engine/models/model.h"
#include "engine/models/shared_options.h"
#include "engine/nn/attention/attention.h"
#include "engine/nn/recurrent/recurrent.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr int max_input = 8, max_state = 16;
constexpr int max_sequence_length = 101;  // lags 0 to 100
constexpr std::uint64_t stream_of_target = 2, stream_of_U = 3;

RecurrentOptions options_of(const Config& config) {
  return {.cell = config.choice("cell", CellKind::rnn, cell_kinds()),
          .input = config.integer("size", 3, 1, max_input),
          .hidden = config.integer("hidden", 4, 1, max_state),
          .layers = config.integer("layers", 1, 1, 2),
          .bidirectional = config.flag("bidirectional", false),
          .forget_bias = config.number("forget_bias", 0, -10, 10)};
}

// The context of the last state (1, D·H) attending to all S states.
Tensor attend_to_past(Operand last, const std::vector<Tensor>& states) {
  Scope scope("attention", last.where);
  const Tensor h = concat({states.begin(), states.end()}, 0).as("h");  // (S, D·H)
  return scaled_dot_product_attention(last, h, h).context;
}

// U (blocks·H, H), each block drawn separately: an orthogonal matrix whose rows come from random ones, each
// orthogonalised to those before it. (Saxe et al. 2014.)
void init_orthogonal(const Tensor& U, Random& random) {
  const int H = U.shape()[1], blocks = U.shape()[0] / H;
  for (Scalar& value : U.values()) value = random.normal();
  for (int block = 0; block < blocks; ++block) {
    Tensor::Matrix rows(U.data() + block * H * H, H, H);
    const Tensor columns({H, H});
    Tensor::Matrix(columns.data(), H, H) = rows.transpose();
    rows = Tensor::Matrix(qr(columns).Q.data(), H, H).transpose();
  }
}

// Input X (S, size), one row per position, S from 1 to 101. The last state (1, D·H) is that of the highest layer after
// the last position, concatenated with the backward direction's after position 0. Loss L = mean (last state − target)².
// With `attention` the loss reads c (1, D·H) instead: the last state attends to all S states by scaled dot product.
// Every state is on the tape, such as cell.0.t3/h at position 3 of layer 0, and backward leaves ∂L/∂h there. (Bengio et
// al. 1994 and Pascanu et al. 2013 on how it vanishes and explodes.)
//
// Config: cell (see cell_kinds), size (1 to 8), hidden (1 to 16), positions (1 to 101), layers (1 or 2), bidirectional,
// attention, forget_bias (−10 to 10), seed; initialisation: input_scale (0 to 10), the standard deviation of X; bias
// (false: b and c are 0, except an LSTM's forget bias); orthogonal (true: blocks of U with orthonormal rows); scale (0
// to 10), which multiplies U, and for orthogonal blocks is their largest singular value; X and target as row-major
// lists; part and program (see learner_parts.h): a learner's cell has its own initial values.
class RecurrentModel : public Model {
 public:
  explicit RecurrentModel(const Config& config)
      : Model(config),
        options_(options_of(config)),
        network_(options_, parameters_, "cell"),
        attention_(config.flag("attention", false)) {
    init_parameters(config);
    const Shape X = {config.integer("positions", 5, 1, max_sequence_length), options_.input};
    const Shape target = {1, options_.hidden * (options_.bidirectional ? 2 : 1)};
    const Init spread = normal(static_cast<Scalar>(config.number("input_scale", 1, 0, 10)));
    add_input({.name = "X", .value = Tensor(X)});
    add_input({.name = "target", .value = Tensor(target), .takes_gradient = false});
    set_input("X", given_or_drawn(config, "X", X, stream_of_X, spread));
    set_input("target", given_or_drawn(config, "target", target, stream_of_target, uniform(1)));
  }

  Tensor loss() override {
    output_ = {};  // frees its buffer for this pass
    parameters_.record();
    const Tensor X = use_input("X"), target = use_input("target");
    RecurrentOutput encoded;
    {
      Scope scope("cell");
      std::vector<Tensor> x;  // S of (1, size)
      for (int t = 0; t < X.shape()[0]; ++t) x.push_back(slice(X, 0, t, 1).as("x" + std::to_string(t)));
      encoded = network_.run(x);
    }
    output_ = last_state(encoded);  // (1, D·H)
    if (attention_) output_ = attend_to_past(output_, encoded.states);
    return mean_squared_error(output_, target).as("L");
  }

 private:
  void check_shape(const ModelInput& input, const Shape& shape) const override {
    if (input.name != "X") return Model::check_shape(input, shape);
    if (shape.rank() != 2 || shape[0] < 1 || shape[0] > max_sequence_length || shape[1] != options_.input)
      fail(ErrorCode::shape, "recurrent_input_shape_differs", shape, max_sequence_length, options_.input);
  }

  void init_parameters(const Config& config) {
    const bool bias = config.flag("bias", true), orthogonal = config.flag("orthogonal", false);
    const auto scale = static_cast<Scalar>(config.number("scale", 1, 0, 10));
    if (config.has("part")) return;
    Random random(config.seed(), stream_of_U);
    for (const auto& [name, value] : parameters_.all()) {
      const bool is_U = name.ends_with(".U"), is_b = name.ends_with(".b");
      if (is_U && orthogonal) init_orthogonal(value, random);
      if (is_U) value.array() *= scale;
      if (!bias && (is_b || name.ends_with(".c"))) init_without_bias(value, is_b);
    }
  }

  // All 0 except the forget bias.
  void init_without_bias(const Tensor& value, bool is_b) const {
    std::ranges::fill(value.values(), Scalar(0));
    if (!is_b || options_.cell != CellKind::lstm) return;
    const auto H = static_cast<std::size_t>(options_.hidden);
    std::ranges::fill(value.values().subspan(H, H), static_cast<Scalar>(options_.forget_bias));
  }

  Tensor last_state(const RecurrentOutput& encoded) const {
    const CellState& last = encoded.last.back();
    if (!options_.bidirectional) return last.h;
    const CellState& forward = encoded.last[encoded.last.size() - 2];
    return concat({forward.h, last.h}, -1);
  }

  RecurrentOptions options_;
  Recurrent network_;
  bool attention_;
};

}  // namespace

ModelKind recurrent_kind() { return kind_of<RecurrentModel>("recurrent"); }

}  // namespace unroll
