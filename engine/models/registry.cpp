// The models by name.
#include <functional>
#include <map>

#include "engine/models/attention_model.h"
#include "engine/models/language_model.h"
#include "engine/models/recurrent_model.h"
#include "engine/models/seq2seq.h"
#include "engine/models/softmax_model.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

template <typename M>
std::unique_ptr<Model> make(const Config& config) {
  return std::make_unique<M>(config);
}

const std::map<std::string, std::unique_ptr<Model> (*)(const Config&)> models = {
    {"softmax", make<SoftmaxModel>}, {"attention", make<AttentionModel>},     {"recurrent", make<RecurrentModel>},
    {"seq2seq", make<Seq2Seq>},      {"language_model", make<LanguageModel>},
};

}  // namespace

std::vector<std::string> model_kinds() {
  std::vector<std::string> kinds;
  for (const auto& [kind, maker] : models) kinds.push_back(kind);
  return kinds;
}

std::unique_ptr<Model> make_model(const Config& config) {
  return models.at(config.text("kind", "attention", model_kinds()))(config);
}

}  // namespace unroll
