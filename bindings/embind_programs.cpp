// The binding table of programs.h, for the modules that have the learner's language.
#include <emscripten/bind.h>

#include "bindings/convert.h"
#include "bindings/programs.h"

using emscripten::value_object;
using namespace unroll;

namespace {

// Converts JavaScript's plain values; a failed conversion refuses the call.
template <typename T, typename Call>
Reply<T> converted(const char* name, Call call) {
  try {
    return call();
  } catch (...) {
    return refusal<T>(name);
  }
}

Reply<Outline> outline_of(const ConfigObject& config) {
  return converted<Outline>("outline", [&] { return outline(to_config(config)); });
}

Reply<CarriedWeights> carry_over_to(const ConfigObject& config, const ByteArray& checkpoint) {
  return converted<CarriedWeights>("carryOver",
                                   [&] { return carry_over_weights(to_config(config), to_bytes(checkpoint)); });
}

Reply<std::string> pytorch_script_of(const ConfigObject& config, const ByteArray& checkpoint,
                                     const NamedTensorList& inputs) {
  return converted<std::string>("pytorchScript", [&] {
    return pytorch_script(to_config(config), to_bytes(checkpoint), to_named_tensors(inputs));
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(unroll_programs) {
  value_object<LineShape>("LineShape").field("line", &LineShape::line).field("shape", &LineShape::shape);
  value_object<Outline>("Outline")
      .field("lines", &Outline::lines)
      .field("code", &Outline::code)
      .field("message", &Outline::message)
      .field("pattern", &Outline::pattern)
      .field("arguments", &Outline::arguments);
  value_object<CarriedWeights>("CarriedWeights")
      .field("checkpoint", &CarriedWeights::checkpoint)
      .field("kept", &CarriedWeights::kept)
      .field("drawn", &CarriedWeights::drawn)
      .field("dropped", &CarriedWeights::dropped);
  value_object<OperationInfo>("OperationInfo")
      .field("name", &OperationInfo::name)
      .field("parameters", &OperationInfo::parameters)
      .field("help", &OperationInfo::help)
      .field("isMethod", &OperationInfo::is_method);
  register_array<std::uint8_t>("Uint8Array");
  register_array<LineShape>("LineShape[]");
  register_array<OperationInfo>("OperationInfo[]");
  register_reply<Outline>("Outline");
  register_reply<CarriedWeights>("CarriedWeights");
  register_reply<std::string>("string");
  register_reply<std::vector<OperationInfo>>("OperationInfo[]");
  emscripten::function("outline", &outline_of);
  emscripten::function("carryOver", &carry_over_to);
  emscripten::function("pytorchScript", &pytorch_script_of);
  emscripten::function("operations", &operations);
}
