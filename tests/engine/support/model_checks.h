// Models on the batch, and checks that hold for all of them.
#pragma once

#include "tests/engine/support/models.h"

namespace unroll {

inline std::unique_ptr<Model> model_on_batch(const Config& config) {
  std::unique_ptr<Model> model = make_model(config);
  set_batch(*model);
  return model;
}

// A model of this class.
template <typename Kind>
struct OnBatch : Kind {
  explicit OnBatch(const Config& config) : Kind(config) { set_batch(*this); }
};

// The names of the parameters for which the gradient of the loss is 0.
inline std::set<Text> idle_parameters(Model& model) {
  std::set<Text> idle;
  if (!model.parameters().count()) return idle;
  LiveTape tape(Tape::Detail::training);
  backward(model.loss());
  for (const auto& [name, value] : model.parameters().all()) {
    const Tensor slope = gradient(value);
    if (!slope || std::ranges::count(slope.values(), Scalar(0)) == std::ssize(slope.values())) idle.insert(name);
  }
  return idle;
}

// The sentence that refuses an input, after checking that every input and the loss have kept their bits.
inline Text refused_input(Model& model, ErrorCode code, const Text& name, const Tensor& value) {
  std::vector<Tensor> before;
  for (const ModelInput& input : model.inputs()) before.push_back(input.value.copy());
  const Tensor loss = model.loss();
  const Text sentence = refusal(code, [&] { model.set_input(name, value); });
  for (std::size_t i = 0; i < before.size(); ++i) CHECK(same_bits(before[i], model.inputs()[i].value));
  CHECK(same_bits(loss, model.loss()));
  return sentence;
}

}  // namespace unroll
