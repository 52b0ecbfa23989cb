// Passes forward through a language model of GPT-2-small's shape (Radford et al. 2019, §2.3): 12 blocks of model size
// 768, with a vocabulary of 8192 words.
#include <memory>
#include <string>

#include "engine/autograd/context.h"
#include "engine/generate/generator.h"
#include "engine/models/model.h"
#include "engine/models/model_size.h"
#include "engine/nn/tokens.h"
#include "tests/bench/bench.h"
#include "tests/engine/support/settings.h"

namespace {

using namespace unroll;

constexpr int prompt_length = 127;  // after <bos>
constexpr int vocabulary = 8192;

std::unique_ptr<Model> make_large_model() {
  const Setting<double> limit(Context::current().parameter_bytes, 512e6);
  return make_model(
      settings("kind=transformer_lm model_size=768 heads=12 feed_forward=3072 layers=12 norm_place=pre activation=gelu "
               "tied_embedding=true vocabulary=8192 positions=learned longest=160"));
}

// Arbitrary but fixed ids, none of them special.
Tensor ids(const Shape& shape) {
  Tensor result(shape);
  for (int i = 0; i < static_cast<int>(result.size()); ++i)
    result.data()[i] = static_cast<Scalar>(4 + (i + 1) * 7919 % (vocabulary - 4));
  return result;
}

// The whole prompt, whose last position has the logits, or the token after it. Its inputs are <bos> (1), the prompt
// (1, S) and the token (1).
class Writing : public Work {
 public:
  explicit Writing(bool one_token) : model_(make_large_model()), generator_(dynamic_cast<Generator&>(*model_)) {
    values = {Tensor({1}), ids({1, prompt_length}), ids({1})};
    values[0].data()[0] = bos_id;
    for (const Parameter& parameter : model_->parameters().all()) values.push_back(parameter.value);
    start_ = generator_.start(values[1]);
    if (one_token) generator_.next(values[0], start_);
    fed_ = values[one_token ? 2 : 0];
  }

  float run() override {
    GeneratorState state = start_;
    logits_ = generator_.next(fed_, state).logits;
    return logits_.data()[0];
  }

  double multiply_adds() override {
    constexpr int positions = prompt_length + 1;
    return start_.position ? generator_.generation_cost(positions + 1)->multiply_adds
                           : generator_.generation_cost(positions)->multiply_adds_uncached;
  }

  const Tensor& logits() const { return logits_; }

 private:
  std::unique_ptr<Model> model_;
  Generator& generator_;
  GeneratorState start_;
  Tensor fed_, logits_;
};

}  // namespace

extern "C" {

void* bench_write_new(int one_token) { return static_cast<Work*>(new Writing(one_token != 0)); }
const float* bench_write_logits(void* work) { return static_cast<Writing*>(static_cast<Work*>(work))->logits().data(); }
int bench_write_logits_size() { return vocabulary; }
}
