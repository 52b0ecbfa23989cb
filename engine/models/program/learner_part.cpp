#include "engine/models/program/learner_part.h"

#include "engine/autograd/tape.h"

namespace unroll {

using program::fail_at;
using program::TypedTensor;
using program::Value;

Value given_tensor(const Tensor& x) {
  TypedTensor given{x};
  given.is_given = true;
  return given;
}

LearnerPart::LearnerPart(const PartForm& form, const Config& config, Parameters& parameters, const std::string& place)
    : form_(form), program_(config, "", parameters, {}, {}, place + ".") {
  check_arguments();
}

// The function may have more parameters, if they have defaults.
void LearnerPart::check_arguments() {
  const program::Function& function = program_.function();
  const std::vector<program::ParameterName>& parameters = function.parameters;
  const auto wanted = static_cast<std::size_t>(form_.arguments);
  bool fits = parameters.size() >= wanted;
  for (std::size_t i = wanted; i < parameters.size(); ++i) fits = fits && parameters[i].fallback;
  if (!fits)
    fail_at(function.place, "part_takes_other_arguments", function.name, parameters.size(),
            std::string_view(form_.call), form_.arguments);
}

Tensor LearnerPart::call(const std::vector<Value>& arguments, const Shape& wanted) {
  return result(run(arguments), wanted, form_.result);
}

AttentionOutput LearnerPart::attend(const std::vector<Value>& arguments, const Shape& wanted, const Shape& scores) {
  const Value value = run(arguments);
  const std::vector<Value>* both = program::items_of(value);
  if (!both || both->size() != 2) return {result(value, wanted, form_.result), {}};
  return {result((*both)[0], wanted, form_.result), result((*both)[1], scores, "weights_have_rows_of_queries")};
}

Value LearnerPart::run(const std::vector<Value>& arguments) {
  const Tape* tape = Tape::live();
  first_node_ = tape ? static_cast<int>(tape->nodes().size()) : 0;
  return program_.call(arguments);
}

Tensor LearnerPart::checked(const Value& value, const Shape& wanted, const char* rule) const {
  const program::Function& function = program_.function();
  const auto* tensor = value.as<TypedTensor>();
  if (!tensor || tensor->tensor.shape() != wanted)
    fail_at(function.place, "part_returns_other_shape", function.name,
            tensor ? program::sizes(tensor->tensor.shape()) : program::described(value), phrase(rule),
            program::sizes(wanted));
  return tensor->tensor;
}

// What the function was given or has as a parameter is returned as a tensor of its own, for the model names it.
Tensor LearnerPart::result(const Value& value, const Shape& wanted, const char* rule) const {
  const Tensor found = checked(value, wanted, rule);
  const Tape* tape = Tape::live();
  if (!tape || tape->find(found) < 0 || tape->find(found) >= first_node_) return found;
  return slice({found, program_.where()}, 0, 0, wanted[0]);
}

}  // namespace unroll
