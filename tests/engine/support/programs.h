// Runs programs of the learner's language in tests.
#pragma once

#include "engine/program/interpreter.h"
#include "engine/program/syntax.h"
#include "tests/engine/support/test.h"

namespace unroll {

// Parameters by name, drawn from 0.01 times their place.
class SomeParameters : public program::ParameterSource {
 public:
  Tensor parameter(const std::string& name, const Shape& shape, const std::string&, const program::Place&) override {
    Tensor& found = all_[name];
    if (!found) {
      found = Tensor(shape);
      for (std::size_t i = 0; i < shape.size(); ++i) found.data()[i] = Scalar(0.01) * static_cast<Scalar>(i);
    }
    return input(name, found, Role::parameter);
  }

 private:
  std::map<std::string, Tensor> all_;
};

// What the last function returns for these arguments.
inline program::Value value_of(const std::string& text, std::vector<program::Value> arguments = {}) {
  const auto parsed = program::parse(text);
  SomeParameters parameters;
  program::Interpreter interpreter(*parsed, {.parameters = &parameters});
  interpreter.run();
  REQUIRE(parsed->last_function());
  return interpreter.run(*interpreter.global(parsed->last_function()->name), std::move(arguments));
}

// The same as a tensor.
inline Tensor tensor_of(const std::string& text, std::vector<program::Value> arguments = {}) {
  const program::Value value = value_of(text, std::move(arguments));
  REQUIRE(value.is<program::TypedTensor>());
  return value.as<program::TypedTensor>()->tensor;
}

// The same as a number.
inline double number_of(const std::string& text, std::vector<program::Value> arguments = {}) {
  const program::Value value = value_of(text, std::move(arguments));
  REQUIRE(program::is_number(value));
  return program::number_of(value);
}

// The value of an expression, or the number or text that it is.
inline program::Value evaluated(const std::string& expression) {
  return value_of("def f():\n    return " + expression + "\n");
}

inline double number_in(const std::string& expression) {
  return number_of("def f():\n    return " + expression + "\n");
}

inline std::string text_in(const std::string& expression) {
  const program::Value value = evaluated(expression);
  REQUIRE(value.is<std::string>());
  return *value.as<std::string>();
}

// The sentence that refuses a program.
inline std::string refused(const std::string& text, std::vector<program::Value> arguments = {}) {
  return REFUSAL(program, value_of(text, std::move(arguments)));
}

}  // namespace unroll
