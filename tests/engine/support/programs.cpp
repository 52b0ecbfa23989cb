#include "tests/engine/support/programs.h"

namespace unroll {

program::Value value_of(const std::string& text, std::vector<program::Value> arguments) {
  const program::Program parsed = program::parse(text);
  SomeParameters parameters;
  program::Interpreter interpreter(parsed, {.parameters = &parameters});
  interpreter.run();
  REQUIRE(parsed.last_function());
  return interpreter.call(*parsed.last_function(), std::move(arguments));
}

Tensor tensor_of(const std::string& text, std::vector<program::Value> arguments) {
  const program::Value value = value_of(text, std::move(arguments));
  REQUIRE(value.is<program::TypedTensor>());
  return value.as<program::TypedTensor>()->tensor;
}

program::Value evaluated(const std::string& expression) {
  return value_of("def f():\n    return " + expression + "\n");
}

double number_in(const std::string& expression) {
  const program::Value value = evaluated(expression);
  REQUIRE(program::is_number(value));
  return program::number_of(value);
}

std::string text_in(const std::string& expression) {
  const program::Value value = evaluated(expression);
  REQUIRE(value.is<std::string>());
  return *value.as<std::string>();
}

std::string refused(const std::string& text, std::vector<program::Value> arguments) {
  return REFUSAL(program, value_of(text, std::move(arguments)));
}

}  // namespace unroll
