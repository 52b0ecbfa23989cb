// A function of the learner in one place of a model.
#pragma once

#include "engine/models/program/learner_program.h"
#include "engine/nn/attention/attention.h"

namespace unroll {

// What a part is given and what it returns, for messages.
struct PartForm {
  const char* name;    // of the part, as the field "part" has it
  const char* call;    // "cell(x, h)"
  int arguments;       // how many these are
  const char* result;  // a phrase: "a new state has the shape of h"
};

class LearnerPart {
 public:
  // Its parameters get names that begin with that of the place. Throws Error(program) for a text that is no program, or
  // whose last function cannot be called in this form.
  LearnerPart(const PartForm& form, const Config& config, Parameters& parameters, const std::string& place);

  // The tensor of the shape `wanted` that the function returns. Throws Error(program) if it returns anything else.
  Tensor call(const std::vector<program::Value>& arguments, const Shape& wanted);
  // The same, or two: a context, and weights of the shape `scores`.
  AttentionOutput attend(const std::vector<program::Value>& arguments, const Shape& wanted, const Shape& scores);

 private:
  void check_arguments();
  program::Value run(const std::vector<program::Value>& arguments);
  Tensor checked(const program::Value& value, const Shape& wanted, const char* rule) const;
  Tensor result(const program::Value& value, const Shape& wanted, const char* rule) const;

  PartForm form_;
  LearnerProgram program_;
  int first_node_ = 0;  // of the last run
};

// A tensor that the function is given and may not change.
program::Value given_tensor(const Tensor& x);

}  // namespace unroll
