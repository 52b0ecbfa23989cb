// Every function of the engine that computes tensors has a gradient check. Read from the headers themselves.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "tests/engine/support/gradient_check.h"
#include "tests/engine/support/sources.h"

using namespace unroll;

namespace {

// What has no gradient, and why. An entry that is in no header fails as well.
const std::map<std::string, std::string> without_gradient = {
    {"equal(a, b)", "a step: its slope is 0 everywhere"},
    {"greater(a, b)", "a step: its slope is 0 everywhere"},
    {"one_hot(ids, count)", "ids are whole numbers"},
    {"detach(x)", "stops the gradient by definition"},
    {"causal_mask(queries, keys, first_position)", "made of sizes"},
    {"sliding_window_mask(queries, keys, window, sinks, first_position)", "made of sizes"},
    {"index_positions(positions, first_position)", "made of sizes"},
    {"sinusoidal_positions(positions, size, first_position)", "made of sizes"},
    {"fixed_positions(kind, positions, size, first_position)", "made of sizes"},
    {"alibi_bias(heads, queries, keys, first_position)", "made of sizes"},
    {"padding_mask(lengths, keys)", "made of lengths"},
    {"padding_mask(is_padding)", "made of marks"},
    {"declare(name, shape, init)", "makes a parameter"},
    {"zero_state(batch)", "made of sizes"},
    {"argmax(x)", "a step: its slope is 0 everywhere"},
    {"present_tokens(lengths, positions)", "made of lengths"},
    {"window_mask(last, keys, position, half_width)", "made of positions"},
};

std::vector<std::string> functions_of_the_engine() {
  std::vector<std::string> all = tensor_functions(source_text("engine/ops/ops.h"));
  for (const std::string& header : source_files("engine/nn", {".h"})) {
    const std::vector<std::string> more = tensor_functions(source_text(header));
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace

TEST_CASE("every operation and layer has a gradient case") {
  const std::vector<std::string> declared = functions_of_the_engine();
  REQUIRE(declared.size() > 50);
  const std::set<std::string> checked(GradientCases::all().begin(), GradientCases::all().end());
  for (const std::string& signature : declared) {
    INFO(signature, " has no gradient case: add one in its …_gradient_test.cpp, or the reason above.");
    CHECK(checked.contains(signature) != without_gradient.contains(signature));
  }
}

TEST_CASE("no gradient case or exception is stale") {
  const std::vector<std::string> declared = functions_of_the_engine();
  const auto check_declared = [&](const std::string& signature) {
    INFO(signature, " is in no header of engine/ops/ops.h or engine/nn.");
    CHECK(std::ranges::find(declared, signature) != declared.end());
  };
  for (const std::string& signature : GradientCases::all()) check_declared(signature);
  for (const auto& [signature, reason] : without_gradient) check_declared(signature);
}

TEST_CASE("functions are found in a header as it is written") {
  const std::vector<std::string> found = tensor_functions(R"(
    namespace unroll {
    // Tensor in_a_comment(Operand x);
    Tensor plain(Operand x, int axis = -1);  /* Tensor hidden(Operand x); */
    inline Tensor operator*(Operand a, Operand b) { Tensor y(a); return inner(b); }
    Tensor listed(const std::vector<Operand>& parts, Options options = {}, Where where = Where::current());
    int not_a_tensor(Operand x);
    using Score = std::function<Tensor(const Operand& q)>;
    struct Layer {
      explicit Layer(Tensor weight) : weight(std::move(weight)) {}
      Tensor operator()(Operand x) const { return x; }
      Tensor weight, bias;
    };
    Attended attend(Operand e);
    })");
  CHECK(found == std::vector<std::string>{"plain(x, axis)", "operator*(a, b)", "listed(parts, options, where)",
                                          "Layer(x)", "attend(e)"});
}
