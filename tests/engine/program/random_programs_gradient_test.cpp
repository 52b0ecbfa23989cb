// The gradients of random programs are those that differences of their loss show.
#include "engine/program/library.h"
#include "tests/engine/support/random_programs.h"
#include "tests/engine/support/sources.h"
#include "tests/engine/support/test.h"

namespace {

constexpr int count = 200;
constexpr int most_redrawn = 10;
constexpr double tolerance = 1e-6;
constexpr double step = 1e-3;
// A gradient that differences cannot distinguish from 0.
constexpr double negligible = 1e-4;

double length_of(const std::vector<double>& x) {
  double squared = 0;
  for (const double each : x) squared += each * each;
  return std::sqrt(squared);
}

double relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> off(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) off[i] = a[i] - b[i];
  return length_of(off) / std::max({length_of(a), length_of(b), negligible});
}

// ∂loss/∂x by differences over two distances, of which one is half of the other.
struct Differences {
  std::vector<double> wide, narrow;
};

Differences differences(RandomModel& model, const Tensor& x) {
  Differences found;
  for (Scalar& value : x.values()) {
    const Scalar middle = value;
    // (f(x + h) − f(x − h)) / 2h
    const auto slope = [&](double h) {
      double across = 0;
      for (const double side : {1.0, -1.0}) {
        value = middle + static_cast<Scalar>(side * h);
        across += side * static_cast<double>(model.loss().item());
      }
      value = middle;
      return across / (2 * h);
    };
    // Exact up to the fourth power of h.
    const double half = slope(step / 2), one = slope(step), two = slope(2 * step);
    found.wide.push_back((4 * one - two) / 3);
    found.narrow.push_back((4 * half - one) / 3);
  }
  return found;
}

// The gradient of each variable of the model; 0 where none flows.
std::vector<std::vector<double>> gradients_of(RandomModel& model) {
  LiveTape tape(Tape::Detail::trace);
  backward(model.loss());
  std::vector<std::vector<double>> all;
  for (const auto& [name, x] : model.variables()) {
    const Tensor& found = tape.nodes()[static_cast<std::size_t>(tape.find(name))].gradient;
    all.emplace_back(x.size(), 0.0);
    if (found) std::copy(found.values().begin(), found.values().end(), all.back().begin());
  }
  return all;
}

// How far the gradient of each variable is from its differences. Nothing if the loss has a kink here, or bends too much
// for differences: where the two distances disagree. (Whether gradients agree with them does not count in that.)
std::vector<double> errors_of(RandomModel& model) {
  const std::vector<std::vector<double>> gradients = gradients_of(model);
  std::vector<double> errors;
  for (const auto& [name, x] : model.variables()) {
    const Differences found = differences(model, x);
    if (!(relative_difference(found.wide, found.narrow) < tolerance)) return {};
    errors.push_back(relative_difference(gradients[errors.size()], found.narrow));
  }
  return errors;
}

bool calls(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name + "("); at != std::string::npos; at = text.find(name + "(", at + 1))
    if (at == 0 || !(std::isalnum(static_cast<unsigned char>(text[at - 1])) || text[at - 1] == '_')) return true;
  return false;
}

// What gives no tensor through which a gradient flows.
const std::set<std::string> without_gradient = {"detach", "print", "item",   "int",    "bool",         "long",
                                                "argmax", "floor", "ascii",  "bin",    "chr",          "hex",
                                                "oct",    "ord",   "divmod", "format", "exponential_", "random_"};

// Names of PyTorch for what another name does: the same function, or a view by the sizes of another tensor.
const std::set<std::string> other_names = {"asarray",   "concatenate", "repr",         "swapaxes",
                                           "swapaxes_", "swapdims",    "expand_as",    "reshape_as",
                                           "view_as",   "select",      "broadcast_to", "erf_"};

// Whether the tests compare its gradient with PyTorch's: x.sin_() is sin.
bool is_compared(const std::string& name) {
  static const std::string texts = [] {
    std::string all;
    for (const char* file : {"operation_numbers.inc", "operations_test.cpp", "inplace_test.cpp", "views_test.cpp",
                             "mutation_test.cpp", "indices_test.cpp"})
      all += source_text(std::string("tests/engine/program/") + file);
    return all + source_text("tests/pytorch/op_cases.py");
  }();
  const std::string plain = name.ends_with("_") ? name.substr(0, name.size() - 1) : name;
  return !matches(texts, "\\b(" + name + "|" + plain + ")\\b").empty();
}

}  // namespace

TEST_CASE("gradients of 200 random programs") {
  std::string all;
  int redrawn = 0;
  for (std::uint64_t seed = 1, done = 0; done < count && redrawn <= most_redrawn; ++seed) {
    const std::string text = random_program(seed);
    CAPTURE(seed);
    CAPTURE(text);
    RandomModel model(text, seed);
    const std::vector<double> errors = errors_of(model);
    if (errors.empty()) {
      ++redrawn;
      continue;
    }
    for (std::size_t i = 0; i < errors.size(); ++i) {
      CAPTURE(model.variables()[i].first);
      CHECK(errors[i] < tolerance);
    }
    ++done;
    all += text;
  }
  MESSAGE(redrawn, " programs were redrawn, because their loss has a kink or bends too much where they run");
  CHECK(redrawn <= most_redrawn);
  for (const auto& part : {program::tensor_functions(), program::reduction_functions(), program::shape_functions(),
                           program::shape_methods(), program::creation_functions(), program::python_functions()})
    for (const program::Builtin& each : part) {
      const std::string name(each.name);
      CAPTURE(name);
      CHECK((calls(all, name) || is_compared(name) || without_gradient.contains(name) || other_names.contains(name)));
    }
}

TEST_CASE("a wrong gradient differs from the finite differences, and is not taken for a kink") {
  RandomModel wrong("def f(x=randn(3)): return x.detach() * x\n", 1);
  CHECK(errors_of(wrong).at(0) > 0.1);
  RandomModel kink("def f(x=full((2,), 0.0005)): return abs(x)\n", 1);
  CHECK(errors_of(kink).empty());
}
