#include "engine/models/program/program_model.h"

#include "engine/autograd/tape.h"
#include "engine/models/program/fitting.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

using program::TypedTensor;
using program::Value;

constexpr char example[] =
    "def attend(Q=randn(4, 3), K=randn(5, 3), V=randn(5, 2)):\n"
    "    S = Q @ K.T / sqrt(3)\n"
    "    α = softmax(S, dim=-1)\n"
    "    return α @ V\n";

constexpr std::size_t max_input_values = 1 << 16;

// A result that has no name of its own is shown as the output.
Tensor named_output(const Tensor& result, CallSite where) {
  const Tape* tape = Tape::live();
  const int node = tape ? tape->find(result) : -1;
  return node < 0 || tape->nodes()[node].named ? result : result.as("output", Role::state, where);
}

// A node of its own, named L: an input that is returned keeps its name.
Tensor total_of(const Tensor& output, CallSite where) {
  const Tape* tape = Tape::live();
  const int node = tape ? tape->find(output) : -1;
  const bool is_leaf = node >= 0 && tape->nodes()[node].phase == Phase::leaf;
  const bool is_one = output.size() == 1 && !(is_leaf && output.rank() == 0);
  return (is_one ? reshape({output, where}, {}) : sum({output, where})).as("L", Role::state, where);
}

}  // namespace

ProgramModel::ProgramModel(const Config& config, LearnerProgram::Values preset)
    : Model(config), program_(config, example, parameters_, {}, std::move(preset)) {
  for (const LearnerProgram::Entry::Parameter& each : program_.entry().parameters) {
    arguments_.push_back(argument(each));
    const auto* tensor = arguments_.back().as<TypedTensor>();
    if (!tensor) continue;
    const bool is_real = tensor->type == program::Type::real;
    add_input({.name = each.name, .value = tensor->tensor.copy(), .takes_gradient = is_real, .is_mask = is_real});
  }
  program_.output_of(program_.call(arguments_));
  program_.check_names(inputs());
  if (!program_.preset().empty()) fail(ErrorCode::input, "given_value_unused", program_.preset().begin()->first);
}

Value ProgramModel::argument(const LearnerProgram::Entry::Parameter& parameter) {
  Value value;
  if (const auto entry = program_.preset().extract(parameter.name))
    value = entry.mapped();
  else if (parameter.fallback)
    value = *parameter.fallback;
  else
    program::fail_at(parameter.place, "program_needs_value", program_.entry().name, parameter.name);
  const auto* tensor = value.as<TypedTensor>();
  if (!tensor) return value;
  TypedTensor marked = *tensor;
  marked.is_given = true;
  return marked;
}

Tensor ProgramModel::loss() {
  output_ = Tensor();
  result_ = Value();
  parameters_.record();
  const CallSite where = program_.where();
  result_ = program_.call(program_.with_tensors(
      arguments_, [&](const std::string& name, const Tensor&) { return use_input(name, where); }));
  output_ = named_output(program_.output_of(result_), where);
  return total_of(output_, where);
}

std::string ProgramModel::pytorch() const {
  return program_.pytorch(
      program_.with_tensors(arguments_, [&](const std::string& name, const Tensor&) { return value_of(name); }));
}

void ProgramModel::check_shape(const ModelInput& input, const Shape& shape) const {
  if (shape.rank() != input.value.rank())
    fail(ErrorCode::shape, "program_input_rank_differs", input.name, shape, input.value.rank());
  if (shape.size() > max_input_values)
    fail(ErrorCode::shape, "program_input_too_large", input.name, shape, max_input_values);
}

ModelKind program_kind() { return {"program", new_fitting<ProgramModel>, nullptr}; }

}  // namespace unroll
