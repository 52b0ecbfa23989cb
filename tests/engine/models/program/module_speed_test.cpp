// A training step of a program with modules takes about as long as one of the same model written with functions.
#include <algorithm>
#include <array>
#include <ctime>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>

#include "engine/autograd/tape.h"
#include "engine/models/model.h"
#include "tests/engine/support/test.h"

namespace unroll {
namespace {

constexpr int rows = 8, positions = 64, vocabulary = 64;

std::unique_ptr<Model> model_of(const std::string& name) {
  std::ifstream file(std::string(UNROLL_SOURCE_DIR) + "/tests/bench/programs/" + name + ".py");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::unique_ptr<Model> model =
      make_model({{"kind", std::string("program_lm")}, {"vocabulary", double{vocabulary}}, {"program", text}});
  for (const char* input : {"target_in", "target_out"}) {
    Tensor ids = Tensor::full({rows, positions}, 0);
    for (std::size_t i = 0; i < ids.size(); ++i) ids.data()[i] = static_cast<Scalar>(3 + i * 7 % (vocabulary - 3));
    model->set_input(input, ids);
  }
  return model;
}

// In seconds of this process, whatever else the machine does.
double time_of_step(Model& model) {
  const std::clock_t start = std::clock();
  Tape tape(Tape::Detail::training);
  const RecordingGuard recording(&tape);
  backward(model.loss());
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

}  // namespace

TEST_CASE("a step with modules takes at most 1.15 times one with functions") {
  constexpr int rounds = 12;
  const std::unique_ptr<Model> modules = model_of("gpt_modules"), functions = model_of("gpt_functions");
  CHECK(modules->parameters().count() == functions->parameters().count());
  std::array<double, 2> best = {std::numeric_limits<double>::max(), std::numeric_limits<double>::max()};
  for (int round = 0; round < rounds; ++round) {
    best[0] = std::min(best[0], time_of_step(*modules));
    best[1] = std::min(best[1], time_of_step(*functions));
  }
  MESSAGE("modules ", 1000 * best[0], " ms, functions ", 1000 * best[1], " ms, ratio ", best[0] / best[1]);
  CHECK(best[0] <= 1.15 * best[1]);
}

}  // namespace unroll
