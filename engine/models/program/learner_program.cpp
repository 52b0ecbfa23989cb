#include "engine/models/program/learner_program.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "engine/autograd/context.h"
#include "engine/autograd/tape.h"
#include "engine/models/program/first_nan.h"
#include "engine/nn/layers/position_wise.h"
#include "engine/nn/tokens.h"
#include "engine/program/modules.h"
#include "engine/program/mutation.h"
#include "engine/program/pytorch.h"
#include "engine/program/syntax.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

using program::fail_at;
using program::Place;
using program::TypedTensor;
using program::Value;

constexpr std::size_t max_parameters = 2'000;

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
void check_result(const Value& value, const LearnerProgram::Entry& function) {
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

// For a program that is run once more, whose parameters nobody asks for.
struct NewParameters : program::ParameterSource {
  Tensor parameter(const std::string&, const Shape& shape, const std::string&, const Place&) override {
    return Tensor::full(shape, 0);
  }
};

// The line on which the last model was bound; 0 if there is none.
int last_model_line(const program::Program& program, const program::Interpreter& interpreter) {
  int line = 0;
  for (const auto& [name, _] : program::models_of(interpreter))
    for (const program::Statement& each : program.body)
      if (const auto* assign = std::get_if<program::Assign>(&each.node))
        for (const program::ExpressionPtr& target : assign->targets)
          if (const auto* bound = std::get_if<program::Name>(&target->node);
              bound && program.names[bound->symbol] == name)
            line = each.place.line;
  return line;
}

// The parameters of a function, but for those that a call fills itself: *rest, and self of a method.
std::vector<LearnerProgram::Entry::Parameter> parameters_of(const program::Closure& closure, bool is_method) {
  std::vector<LearnerProgram::Entry::Parameter> all;
  const program::Function& function = *closure->function;
  for (std::size_t i = is_method ? 1 : 0; i < function.parameters.size(); ++i) {
    const program::ParameterName& each = function.parameters[i];
    if (each.kind == program::ParameterName::Kind::plain)
      all.push_back({function.program->names[each.symbol], each.place, closure->fallbacks[i]});
  }
  return all;
}

}  // namespace

LearnerProgram::LearnerProgram(const Config& config, const char* fallback, Parameters& parameters, Values constants,
                               Values preset, std::string prefix)
    : text_(config.any_text("program").value_or(fallback)),
      program_(program::parse(text_)),
      seed_(config.seed()),
      parameters_(parameters),
      constants_(std::move(constants)),
      preset_(std::move(preset)),
      prefix_(std::move(prefix)) {
  const RecordingGuard nothing(nullptr);
  auto interpreter = started();
  find_entry(*interpreter);
  if (program::models_of(*interpreter).empty() && program::parameters_of(*interpreter).empty()) return;
  modules_ = std::move(interpreter);
  take_parameters();
  preset_buffers();
}

std::unique_ptr<program::Interpreter> LearnerProgram::started() {
  auto interpreter = std::make_unique<program::Interpreter>(
      *program_, program::Interpreter::Options{.seed = seed_, .constants = constants_, .parameters = this});
  interpreter->run();
  return interpreter;
}

// The last def of the file, unless a model was made and no function is called forward.
void LearnerProgram::find_entry(const program::Interpreter& interpreter) {
  const program::Function* last = program_->last_function();
  const auto models = program::models_of(interpreter);
  if (last &&
      (models.empty() || last->name == "forward" || last->place.line > last_model_line(*program_, interpreter))) {
    const std::optional<Value> value = interpreter.global(last->name);
    const auto* closure = value ? value->as<program::Closure>() : nullptr;
    if (!closure) program::fail_at(last->place, "last_function_is_decorated", last->name);
    entry_ = {*value, last->name, last->place, parameters_of(*closure, false)};
    return;
  }
  if (models.empty()) fail(ErrorCode::program, "program_has_no_function");
  const program::Instance& model = models.back().second;
  const Value* forward = model->type->find("forward");
  const auto* closure = forward ? forward->as<program::Closure>() : nullptr;
  if (!closure) fail(ErrorCode::program, "model_has_no_forward", model->type->name);
  const program::Function& function = *(*closure)->function;
  entry_ = {model, "forward", function.place, parameters_of(*closure, true)};
}

std::size_t LearnerProgram::needed_arguments() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      entry_.parameters, [](const Entry::Parameter& each) { return !each.fallback.has_value(); }));
}

Value LearnerProgram::call(const std::vector<Value>& arguments) {
  Value value = run(arguments);
  check_result(value, entry_);
  if (modules_ && !is_complete_) take_parameters();  // of layers whose sizes the first call decides
  is_complete_ = true;
  if (has_nan(value)) explain_nan(arguments);
  return value;
}

Value LearnerProgram::run(const std::vector<Value>& arguments) {
  if (modules_) {
    bind_parameters();
    return modules_->run(entry_.callee, arguments, random_of_step());
  }
  const auto interpreter = started();
  return interpreter->run(*interpreter->global(entry_.name), arguments);
}

void LearnerProgram::take_parameters() {
  // What is tied may be given under any of its names, or under each: the first counts.
  std::unordered_map<const TypedTensor*, std::string> given_as;
  const auto all_paths = program::parameters_by_all_paths(*modules_);
  for (const auto& [path, tensor] : all_paths)
    if (preset_.contains(path)) given_as.emplace(tensor.get(), path);
  for (const auto& [path, tensor] : program::parameters_of(*modules_)) {
    const auto is_it = [&](const auto& each) { return each.first == tensor; };
    if (std::ranges::any_of(bound_, is_it)) continue;
    const Shape& shape = tensor->tensor.shape();
    check_new(path, shape, entry_.place);
    bound_.emplace_back(tensor, parameters_.all().size());
    parameter_indices_.emplace(path, parameters_.all().size());
    const auto name = given_as.find(tensor.get());
    const Value given = name == given_as.end() ? Value() : preset_.at(name->second);
    const auto* value = given.as<TypedTensor>();
    if (value && value->tensor.shape() != shape)
      fail_at(entry_.place, "given_parameter_does_not_fit", name->second, program::sizes(shape),
              program::described(given));
    const std::span<const Scalar> values = value ? value->tensor.values() : tensor->tensor.values();
    parameters_.declare(prefix_ + path, shape, from_values({values.begin(), values.end()}));
  }
  for (const auto& [path, _] : all_paths) preset_.erase(path);
}

// By the names of its state_dict.
void LearnerProgram::preset_buffers() {
  for (const auto& [path, tensor] : program::buffers_of(*modules_)) {
    const auto given = preset_.find(path);
    const auto* value = given == preset_.end() ? nullptr : given->second.as<TypedTensor>();
    if (!value || value->tensor.shape() != tensor->tensor.shape()) continue;
    program::replace(*tensor, value->tensor);
    preset_.erase(given);
  }
}

void LearnerProgram::bind_parameters() {
  for (const auto& [tensor, index] : bound_) program::replace(*tensor, parameters_.all()[index].value);
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

Tensor LearnerProgram::output_of(const Value& value) const {
  if (const auto* tensor = value.as<TypedTensor>()) return tensor->tensor;
  if (program::is_number(value)) return Tensor::scalar(static_cast<Scalar>(program::number_of(value)));
  const std::vector<Value>* items = program::items_of(value);
  if (items && !items->empty()) return output_of(items->front());
  fail_at(entry_.place, "function_returns_no_tensor", entry_.name, program::described(value));
}

void LearnerProgram::check_names(const std::vector<ModelInput>& inputs) const {
  for (const ModelInput& each : inputs)
    if (parameter_indices_.contains(each.name)) fail_at(entry_.place, "parameter_named_like_input", each.name);
}

std::string LearnerProgram::pytorch(const std::vector<Value>& arguments, const std::optional<Tensor>& target) const {
  program::RecordedCall call{.text = text_,
                             .function = entry_.name,
                             .arguments = {},
                             .parameters = {},
                             .constants = {constants_.begin(), constants_.end()},
                             .target = target,
                             .ignored = pad_id};
  for (std::size_t i = 0; i < arguments.size(); ++i)
    call.arguments.emplace_back(entry_.parameters[i].name, arguments[i]);
  for (const auto& [name, index] : parameter_indices_) {
    const auto is_it = [&](const auto& each) { return each.second == index; };
    const bool is_of_module = std::ranges::any_of(bound_, is_it);
    (is_of_module ? call.weights : call.parameters).emplace_back(name, TypedTensor{parameters_.all()[index].value});
  }
  if (modules_) add_models(call);
  return program::pytorch_script(call);
}

void LearnerProgram::add_models(program::RecordedCall& call) const {
  for (const auto& [variable, model] : program::models_of(*modules_)) {
    call.models.push_back(variable);
    const auto* called = entry_.callee.as<program::Instance>();
    if (called && *called == model) call.function = variable;
  }
  call.buffers = buffers_of_script();
}

// Those that the text does not compute by itself, as it does tables of positions and masks: what differs when it is run
// with other random numbers, or has been given or changed since. What only a call keeps is not among them.
program::NamedValues LearnerProgram::buffers_of_script() const {
  const RecordingGuard nothing(nullptr);
  NewParameters unused;
  program::Interpreter other(*program_, {.seed = seed_ + 1, .constants = constants_, .parameters = &unused});
  other.run();
  std::map<std::string, Tensor> computed;
  for (const auto& [path, tensor] : program::buffers_of(other)) computed[path] = tensor->tensor;
  program::NamedValues buffers;
  for (const auto& [path, tensor] : program::buffers_of(*modules_)) {
    const auto found = computed.find(path);
    if (found == computed.end() || found->second.shape() != tensor->tensor.shape()) continue;
    if (!std::ranges::equal(found->second.values(), tensor->tensor.values()))
      buffers.emplace_back(path, TypedTensor{tensor->tensor, tensor->type});
  }
  return buffers;
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

void LearnerProgram::check_new(const std::string& name, const Shape& shape, const Place& place) const {
  if (parameters_.find(prefix_ + name)) fail_at(place, "parameter_named_like_own", name);
  if (is_complete_) fail_at(place, "parameter_not_in_first_run", name);
  if (name.empty()) fail_at(place, "parameter_without_name");
  if (name.starts_with("optimiser.")) fail_at(place, "parameter_named_like_optimiser");
  if (parameter_indices_.size() >= max_parameters) fail_at(place, "too_many_parameters", max_parameters);
  constexpr double bytes_each = 4;  // in every build
  const double most = std::floor(Context::current().parameter_bytes / bytes_each);
  if (static_cast<double>(parameters_.count() + shape.size()) > most)
    fail_at(place, "parameters_too_many_values", most);
}

Tensor LearnerProgram::new_parameter(const std::string& name, const Shape& shape, const std::string& init,
                                     const Place& place) {
  check_new(name, shape, place);
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
