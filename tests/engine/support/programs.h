// Runs programs of the learner's language in tests.
#pragma once

#include "engine/program/interpreter.h"
#include "engine/program/parser.h"
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
program::Value value_of(const std::string& text, std::vector<program::Value> arguments = {});

// The same as a tensor, or as the number or text that it is.
Tensor tensor_of(const std::string& text, std::vector<program::Value> arguments = {});
double number_in(const std::string& text);
std::string text_in(const std::string& text);

// The value of an expression.
program::Value evaluated(const std::string& expression);

// The sentence that refuses a program.
std::string refused(const std::string& text, std::vector<program::Value> arguments = {});

}  // namespace unroll
