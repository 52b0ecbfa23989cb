#include "engine/models/program/learner_program.h"

#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/models/program/first_nan.h"
#include "engine/nn/tokens.h"
#include "engine/program/pytorch.h"
#include "engine/program/syntax.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

using program::fail_at;
using program::Place;
using program::TypedTensor;
using program::Value;

constexpr std::size_t max_parameters = 2'000, max_parameter_values = 4'000'000;

Init init_of(const std::string& name, const Place& place) {
  if (name == "xavier") return xavier_uniform();
  if (name == "zeros") return constant(0);
  if (name == "ones") return constant(1);
  if (name == "normal") return normal(Scalar(0.02));
  fail_at(place, "no_such_init", name);
}

void refuse_nan(const Tape& tape) {
  if (const std::optional<NotFinite> found = first_nan(tape))
    throw Error(ErrorCode::program, found->message, found->place);
}

// A result is read as a whole: a list that it holds in several places, once for each.
void check_result(const Value& value, const program::Function& function) {
  constexpr int deepest = 60;
  constexpr std::size_t most = 1'000'000;
  std::vector<std::pair<const std::vector<Value>*, int>> left;
  const auto look_into = [&](const Value& each, int depth) {
    if (const std::vector<Value>* items = program::items_of(each)) left.emplace_back(items, depth);
  };
  look_into(value, 1);
  for (std::size_t total = 0; !left.empty();) {
    const auto [items, depth] = left.back();
    left.pop_back();
    if (depth > deepest) fail_at(function.place, "returned_lists_too_deep", function.name, deepest);
    if ((total += items->size()) > most) fail_at(function.place, "returned_lists_too_long", function.name, most);
    for (const Value& each : *items) look_into(each, depth + 1);
  }
}

const program::Function* function_of(const program::Program& program) {
  const program::Function* last = program.last_function();
  if (!last) fail(ErrorCode::program, "program_has_no_function");
  return last;
}

}  // namespace

LearnerProgram::LearnerProgram(const Config& config, const char* fallback, Parameters& parameters, Values constants,
                               Values preset, std::string prefix)
    : text_(config.any_text("program").value_or(fallback)),
      program_(program::parse(text_)),
      function_(function_of(program_)),
      seed_(config.seed()),
      parameters_(parameters),
      constants_(std::move(constants)),
      preset_(std::move(preset)),
      prefix_(std::move(prefix)) {}

Value LearnerProgram::call(const std::vector<Value>& arguments) {
  Value value = run(arguments);
  check_result(value, *function_);
  is_complete_ = true;
  if (has_nan(value)) explain_nan(arguments);
  return value;
}

Value LearnerProgram::run(const std::vector<Value>& arguments) {
  program::Interpreter interpreter(program_, {.seed = seed_, .constants = constants_, .parameters = this});
  interpreter.run();
  return interpreter.call(*function_, arguments);
}

// Looks on the live tape, or runs it once more if that keeps no values.
void LearnerProgram::explain_nan(const std::vector<Value>& arguments) {
  for (const Parameter& each : parameters_.all())
    if (has_nan(each.value)) return;
  if (std::ranges::any_of(arguments, [](const Value& each) { return has_nan(each); })) return;
  if (Tape::live() && Tape::live()->tracing()) return refuse_nan(*Tape::live());
  Tape tape(Tape::Detail::trace);
  const RecordingGuard recording(&tape);
  run(with_tensors(arguments, [&](const std::string& name, const Tensor& tensor) {
    return input(name, tensor, Role::input, false, where());
  }));
  refuse_nan(tape);
}

std::vector<std::optional<Value>> LearnerProgram::fallbacks() {
  program::Interpreter interpreter(program_, {.seed = seed_, .constants = constants_, .parameters = this});
  interpreter.run();
  return interpreter.fallbacks(*function_);
}

Tensor LearnerProgram::output_of(const Value& value) const {
  if (const auto* tensor = value.as<TypedTensor>()) return tensor->tensor;
  if (program::is_number(value)) return Tensor::scalar(static_cast<Scalar>(program::number_of(value)));
  const std::vector<Value>* items = program::items_of(value);
  if (items && !items->empty()) return output_of(items->front());
  fail_at(function_->place, "function_returns_no_tensor", function_->name, program::described(value));
}

void LearnerProgram::check_names(const std::vector<ModelInput>& inputs) const {
  for (const ModelInput& each : inputs)
    if (parameter_indices_.contains(each.name)) fail_at(function_->place, "parameter_named_like_input", each.name);
}

std::string LearnerProgram::pytorch(const std::vector<Value>& arguments, const std::optional<Tensor>& target) const {
  program::RecordedCall call{text_, function_->name, {}, {}, {constants_.begin(), constants_.end()}, target, pad_id};
  for (std::size_t i = 0; i < arguments.size(); ++i)
    call.arguments.emplace_back(name_of(function_->parameters[i]), arguments[i]);
  for (const auto& [name, _] : parameter_indices_)
    call.parameters.emplace_back(name, TypedTensor{parameters_.find(prefix_ + name)->value});
  return program::pytorch_script(call);
}

Tensor LearnerProgram::parameter(const std::string& name, const Shape& shape, const std::string& init,
                                 const Place& place) {
  const auto found = parameter_indices_.find(name);
  if (found == parameter_indices_.end()) return new_parameter(name, shape, init, place);
  const Tensor& value = parameters_.all()[found->second].value;
  if (value.shape() != shape)
    fail_at(place, "parameter_with_other_sizes", name, program::sizes(value.shape()), program::sizes(shape));
  return value;
}

Tensor LearnerProgram::new_parameter(const std::string& name, const Shape& shape, const std::string& init,
                                     const Place& place) {
  if (parameters_.find(prefix_ + name)) fail_at(place, "parameter_named_like_own", name);
  if (is_complete_) fail_at(place, "parameter_not_in_first_run", name);
  if (name.empty()) fail_at(place, "parameter_without_name");
  if (name.starts_with("optimiser.")) fail_at(place, "parameter_named_like_optimiser");
  if (parameter_indices_.size() >= max_parameters) fail_at(place, "too_many_parameters", max_parameters);
  if (parameters_.count() + shape.size() > max_parameter_values)
    fail_at(place, "parameters_too_many_values", max_parameter_values);
  const auto value = preset_.find(name);
  const Init start = init_of(init, place);
  parameter_indices_.emplace(name, parameters_.all().size());
  if (value == preset_.end()) return parameters_.declare(prefix_ + name, shape, start);
  const auto* tensor = value->second.as<TypedTensor>();
  if (!tensor || tensor->tensor.shape() != shape)
    fail_at(place, "given_parameter_does_not_fit", name, program::sizes(shape), program::described(value->second));
  const std::span<const Scalar> values = tensor->tensor.values();
  const Tensor parameter = parameters_.declare(prefix_ + name, shape, from_values({values.begin(), values.end()}));
  preset_.erase(value);
  return parameter;
}

}  // namespace unroll
