// A model that the learner writes, as a function of given tensors.
#pragma once

#include "engine/models/model.h"
#include "engine/models/program/first_nan.h"
#include "engine/models/program/learner_program.h"

namespace unroll {

// The last function of the program is the model. Its inputs are its parameters, with the tensors of their defaults:
// def attend(Q=randn(4, 3), …). Its result is the output; of a tuple, the first. Loss L: the output if that is one
// value, else the sum of its values. Config: program (the text).
class ProgramModel : public Model, public LearnerModel {
 public:
  // `given` has values for some parameters of the function and of the model, by name. Throws Error(program) for a
  // program that cannot be run, Error(input) for a value that it does not take.
  explicit ProgramModel(const Config& config, LearnerProgram::Values preset = {});
  Tensor loss() override;
  void explain_divergence() override { explain_divergence_of(*this); }

  // All that the function returned in the last loss().
  const program::Value& result() const { return result_; }

  const LearnerModel* learners() const override { return this; }
  std::string pytorch() const override;

 private:
  void check_shape(const ModelInput& input, const Shape& shape) const override;
  program::Value argument(const LearnerProgram::Entry::Parameter& parameter);

  LearnerProgram program_;
  std::vector<program::Value> arguments_;
  program::Value result_;
};

}  // namespace unroll
