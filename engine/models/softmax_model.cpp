// A softmax over a list of scores: the smallest model.
#include "engine/autograd/tape.h"
#include "engine/models/model.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

constexpr int max_scores = 16;

Message scores_text(int n) { return phrase("counted_scores", n); }

// Input e (n): scores. Output α (n) = softmax(e / temperature). Loss L = −log α[target], the cross-entropy.
// Config: scores (1 to 16 values), temperature (0 to 1000; 0 is the argmax), target (an index).
class SoftmaxModel : public Model {
 public:
  explicit SoftmaxModel(const Config& config) : Model(config), temperature_(config.number("temperature", 1, 0, 1000)) {
    const std::vector<double> scores =
        config.numbers("scores", 1, max_scores).value_or(std::vector<double>{1, 5, 2, 1, 1});
    const int n = static_cast<int>(scores.size());
    target_ = config.integer("target", 0, 0, max_scores - 1);
    if (target_ >= n) fail(ErrorCode::config, "target_above_scores", target_, scores_text(n), n - 1, target_ + 1);
    add_input({.name = "e", .value = Tensor({n}), .role = Role::score});
    set_input("e", Tensor({n}, std::vector<Scalar>(scores.begin(), scores.end())));
  }

  Tensor loss() override {
    const Tensor e = use_input("e");
    const Tensor weights = softmax(e, -1, temperature_).as("α", Role::weight);
    const Tensor of_target = pick(weights, target_).as("α of the target", Role::weight);
    output_ = weights;
    return (-log(of_target)).as("L");
  }

 private:
  void check_shape(const ModelInput& input, const Shape& shape) const override {
    if (shape.rank() != 1 || shape[0] < 1 || shape[0] > max_scores)
      fail(ErrorCode::shape, "scores_shape_differs", input.name, shape, max_scores);
    if (target_ >= shape[0])
      fail(ErrorCode::shape, "scores_below_target", input.name, scores_text(shape[0]), target_, target_ + 1);
  }

  double temperature_;
  int target_;
};

}  // namespace

ModelKind softmax_kind() { return kind_of<SoftmaxModel>("softmax"); }

}  // namespace unroll
