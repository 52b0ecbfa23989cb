// Every function of the engine that computes tensors has a gradient check. The functions are read from the headers.
#include "tests/engine/support/gradient_check.h"
#include "tests/engine/support/sources.h"

namespace {

// Functions without a gradient, and why. An entry that is in no header fails as well.
const std::map<std::string, std::string> without_gradient = {
    {"equal(a, b)", "a step: its slope is 0 everywhere"},
    {"floor_divide(a, b)", "steps: its slope is 0 between them"},
    {"floor(x)", "steps: its slope is 0 between them"},
    {"ceil(x)", "steps: its slope is 0 between them"},
    {"trunc(x)", "steps: its slope is 0 between them"},
    {"round(x)", "steps: its slope is 0 between them"},
    {"sign(x)", "a step: its slope is 0 everywhere"},
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
    {"Parameters::declare(name, shape, init)", "makes a parameter"},
    {"Parameters::declare(name, sizes, init)", "makes a parameter"},
    {"Cell::zero_state(batch)", "made of sizes"},
    {"Recurrent::zero_states(batch)", "made of sizes"},
    {"CellStack::zero_states(batch)", "made of sizes"},
    {"argmax(x, axis)", "a step: its slope is 0 everywhere"},
    {"argsort(x, axis, descending)", "a step: its slope is 0 everywhere"},
    {"present_tokens(lengths, positions)", "made of lengths"},
    {"sprite_table()", "made of no tensor"},
    {"draw_scene(cells, sprites)", "cells are ids"},
    {"TeacherForcing::token(target_in, position, logits_before)", "tokens are ids"},
    {"window_mask(last, keys, position, half_width)", "made of positions"},
};

std::set<std::string> functions_of_the_engine() {
  std::string headers = source_text("engine/ops/ops.h");
  for (const std::string& header : source_files("engine/nn", {".h"})) headers += source_text(header);
  return tensor_functions(headers, tensor_types(headers));
}

}  // namespace

// After all other suites (see main.cpp): by then every list has been checked.
TEST_SUITE_BEGIN("coverage");

TEST_CASE("every operation and layer has a gradient case") {
  const std::set<std::string> declared = functions_of_the_engine();
  REQUIRE(declared.size() > 100);
  const std::set<std::string>& checked = GradientCases::checked();
  for (const std::string& signature : declared) {
    INFO(signature, " has no gradient case that was checked: add one in its …_gradient_test.cpp, or the reason above.");
    CHECK(checked.contains(signature) != without_gradient.contains(signature));
  }
}

TEST_CASE("no gradient case or exception is stale") {
  const std::set<std::string> declared = functions_of_the_engine();
  const auto check_declared = [&](const std::string& signature) {
    INFO(signature, " is in no header of engine/ops/ops.h or engine/nn.");
    CHECK(declared.contains(signature));
  };
  for (const std::string& signature : GradientCases::checked()) check_declared(signature);
  for (const auto& [signature, reason] : without_gradient) check_declared(signature);
}

TEST_CASE("functions are found in the source of a header") {
  const std::string header = R"(
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
    std::vector<Tensor> each(Operand x);
    struct Options { int axis = 0; };
    Options not_of_tensors(Operand x);
    struct Look { Tensor context; };
    struct Looks { int count = 0; std::vector<Look> all = {}; };
    Looks look(Operand e);
    struct Base {
      virtual Look step(Operand x) const = 0;
      const Tensor& kept() const { return kept_; }
      const Look* found(int place) const;
     private:
      friend Tensor listed_elsewhere(Operand x);
      Tensor step(Operand y) const;
      Tensor kept_;
    };
    class Derived : public Base {
      Look step(Operand x) const override;
      std::pair<Looks, int> operator()(Operand x) const;
    };
    })";
  CHECK(tensor_types(header) == std::set<std::string>{"Tensor", "Layer", "Look", "Looks", "Base"});
  CHECK(tensor_functions(header, tensor_types(header)) ==
        std::set<std::string>{"plain(x, axis)", "operator*(a, b)", "listed(parts, options, where)", "Layer(x)",
                              "each(x)", "look(e)", "Derived::step(x)", "Derived(x)"});
}

TEST_CASE("a list counts once it is checked, not before") {
  const GradientCases unchecked = {{"of no header", [](Samples& random) {
                                      return GradientCase{{random.tensor()}, {}};
                                    }}};
  CHECK_FALSE(GradientCases::checked().contains("of no header"));
}

TEST_SUITE_END();
