// Cases with an operation's outputs, gradients and training runs.
#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/ops/ops.h"
#include "engine/train/optimiser.h"
#include "tests/conform/case.h"

namespace unroll::conform {
namespace {

Tensor loss_of(const Json& test, const Results& results) {
  if (const auto loss = results.find("loss"); loss != results.end()) return loss->second;
  Tensor total;
  for (const auto& [name, cotangent] : part_of(test, "cotangents").items()) {
    const Tensor part = sum(read_tensor(cotangent) * results.at(name));
    total = total ? total + part : part;
  }
  if (!total) throw std::runtime_error("it has neither a loss nor cotangents");
  return total;
}

void compare_gradient(const Json& test, const std::string& name, const Tensor& of, const Json& expected,
                      Findings& findings) {
  const Tensor dx = gradient(of);
  compare("∂" + name, dx ? dx : Tensor::full(of.shape(), 0), expected, stated_tolerance(test, "grads", name), findings);
}

void compare_gradients(const Json& test, const Arguments& arguments, Findings& findings) {
  const Json& grads = part_of(test, "grads");
  for (const auto& [name, expected] : part_of(grads, "params").items())
    compare_gradient(test, name, arguments.param(name), expected, findings);
  for (const auto& [name, expected] : part_of(grads, "inputs").items())
    compare_gradient(test, "inputs." + name, arguments.input(name), expected, findings);
}

bool has_gradients(const Json& test) {
  const Json& grads = part_of(test, "grads");
  return !part_of(grads, "params").empty() || !part_of(grads, "inputs").empty();
}

void check_outputs_and_gradients(const Json& test, Forward forward, Findings& findings) {
  const Arguments arguments(test);
  Tape tape(Tape::Detail::training);
  RecordingGuard recording(&tape);
  arguments.record();
  const Results results = forward(arguments);
  compare_outputs(test, results, findings);
  if (!has_gradients(test)) return;
  backward(loss_of(test, results));
  compare_gradients(test, arguments, findings);
}

// One run of an optimiser: `plan` has its settings, the number of steps, and the expected losses and parameters.
class Training {
 public:
  Training(const Json& test, const Json& plan, Forward forward)
      : test_(test), plan_(plan), forward_(forward), arguments_(test), optimiser_(read_optimiser(plan)) {
    for (const auto& [name, tensor] : arguments_.params()) parameters_.push_back(tensor);
  }

  void run(Findings& findings) {
    for (int i = 0; i < plan_.at("steps").get<int>(); ++i) step(i, findings);
    for (const auto& [name, expected] : part_of(plan_, "params_after").items())
      compare(label("params_after." + name), arguments_.param(name), expected, tolerance("params"), findings);
  }

 private:
  void step(int i, Findings& findings) {
    std::vector<Tensor> gradients;
    {
      Tape tape(Tape::Detail::training);
      RecordingGuard recording(&tape);
      arguments_.record();
      const Tensor loss = loss_of(test_, forward_(arguments_));
      expect("losses", i, static_cast<double>(loss.item()), tolerance("losses"), findings);
      backward(loss);
      for (const Tensor& parameter : parameters_) gradients.push_back(gradient(parameter));
    }
    double scale = 1;
    if (const Json& clip = part_of(plan_, "clip_norm"); clip.is_number()) {
      const double norm = gradient_norm(gradients);
      expect("grad_norms_before_clip", i, norm, tolerance_of_norms(), findings);
      scale = clip_factor(norm, clip.get<double>());
    }
    if (plan_.contains("lrs")) optimiser_->learning_rate = plan_.at("lrs").at(i).get<double>();
    optimiser_->step(parameters_, gradients, scale);
  }

  void expect(const char* list, int i, double actual, const Tolerance& tolerance, Findings& findings) const {
    const Json& values = part_of(plan_, list);
    if (i < static_cast<int>(values.size()))
      compare(label(std::string(list) + "[" + std::to_string(i) + "]"), actual, values.at(i).get<double>(), tolerance,
              findings);
  }

  // The cases give no float32 error for norms, so the error of the parameters, on which the gradients depend, is used.
  // Adam moves a parameter whose gradient is pure rounding as far as any other, so it can be far off while the
  // gradients are not: hence the limit.
  Tolerance tolerance_of_norms() const {
    constexpr double most = 1e-5;
    const Json& of_parameters = part_of(part_of(plan_, "f32_err"), "params");
    return of_float32(of_parameters.is_number() ? std::min(most, of_parameters.get<double>()) : 0);
  }

  // The cases give no float32 error for a gradient's norm: it has two digits less than the loss.
  Tolerance tolerance(const std::string& list) const {
    if (list != "grad_norms_before_clip") return stated_tolerance(plan_, list, "");
    return of_float32(100 * part_of(plan_, "f32_err").value("losses", 0.0));
  }
  std::string label(const std::string& what) const { return plan_.at("type").get<std::string>() + " " + what; }

  const Json& test_;
  const Json& plan_;
  Forward forward_;
  Arguments arguments_;
  std::unique_ptr<Optimiser> optimiser_;
  std::vector<Tensor> parameters_;
};

}  // namespace

void check_differentiable(const Json& test, Forward forward, Findings& findings) {
  check_outputs_and_gradients(test, forward, findings);
  for (const Json& plan : part_of(test, "optim")) Training(test, plan, forward).run(findings);
}

}  // namespace unroll::conform
