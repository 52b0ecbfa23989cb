// A unigram model: one score for each word, whatever came before it. The smallest model that learns.
#include <cmath>
#include <optional>
#include <span>
#include <string_view>

#include "engine/autograd/tape.h"
#include "engine/kernels/random.h"
#include "engine/models/model.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

// Parameter e (n): scores. Input y (B): the words that came, as ids. Output α (n) = softmax(e / temperature), the
// probability of each word. Loss L: the mean over the examples of −log α[y], the cross-entropy; or with "zero_one" of
// 1 − α[y], which at temperature 0 is the share of wrong guesses.
//
// A training step takes all of y, or with `batch` that many examples of y, drawn with replacement.
//
// Config: scores (1 to 16 values of e), examples (1 to 64 ids), temperature (0 to 1000; 0 is the argmax), loss, batch
// (0 to 256), seed.
class UnigramModel : public Model {
 public:
  explicit UnigramModel(const Config& config)
      : Model(config),
        temperature_(config.number("temperature", 1, 0, 1000)),
        loss_(config.choice("loss", Loss::cross_entropy, {"cross_entropy", "zero_one"})),
        batch_(config.integer("batch", 0, 0, 256)) {
    const std::vector<double> scores = config.numbers("scores", 1, 16).value_or(std::vector<double>{1, 5, 2, 1, 1});
    const std::vector<double> examples = config.numbers("examples", 1, max_examples).value_or(std::vector<double>{0});
    const int words = static_cast<int>(scores.size());
    for (const double id : examples)
      if (id != std::floor(id) || id < 0 || id >= words)
        fail(ErrorCode::config, "input_is_no_token_id", std::string_view("examples"), id, words - 1);
    e_ = parameters_.declare("e", {words}, from_values(scores));
    const Tensor y({static_cast<int>(examples.size())}, std::vector<Scalar>(examples.begin(), examples.end()));
    add_input({.name = "y", .value = y, .takes_gradient = false, .vocabulary = words});
    set_input("y", y);
  }

  Tensor loss() override;

 private:
  static constexpr int max_examples = 64;
  enum class Loss { cross_entropy, zero_one };

  void check_shape(const ModelInput& input, const Shape& shape) const override {
    if (shape.rank() != 1 || shape[0] < 1 || shape[0] > max_examples)
      fail(ErrorCode::shape, "examples_shape_differs", input.name, shape, max_examples);
  }

  Tensor examples() const {
    std::optional<Random> random = random_of_step();
    if (!random || batch_ == 0) return use_input("y");
    const std::span<const Scalar> all = value_of("y").values();
    Tensor drawn({batch_});
    for (Scalar& id : drawn.values()) id = all[static_cast<std::size_t>(random->below(static_cast<int>(all.size())))];
    return input("y", drawn, Role::input, false);
  }

  double temperature_;
  Loss loss_;
  int batch_;
  Tensor e_;
};

Tensor UnigramModel::loss() {
  output_ = {};  // frees its buffer for this pass
  parameters_.record();
  const Tensor y = examples();                                                           // (B)
  const Tensor weights = softmax(e_, -1, temperature_).as("α", Role::weight);            // (n)
  const Tensor column = reshape(weights, {weights.shape()[0], 1});                       // (n, 1)
  const Tensor of_y = reshape(gather(column, y), y.shape()).as("α of y", Role::weight);  // (B)
  output_ = weights;
  return (loss_ == Loss::zero_one ? mean(1 - of_y) : mean(-log(of_y))).as("L");
}

}  // namespace

ModelKind unigram_kind() { return kind_of<UnigramModel>("unigram"); }

}  // namespace unroll
