// The binding table of programs.h, for the modules that have the learner's language.
#include <emscripten/bind.h>

#include "bindings/convert.h"
#include "bindings/programs.h"

using emscripten::value_object;
using namespace unroll;

namespace {

Reply<Outline> outline_of(const ConfigObject& config) {
  try {
    return outline(to_config(config));
  } catch (...) {
    return refusal<Outline>("outline");
  }
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
  value_object<OperationInfo>("OperationInfo")
      .field("name", &OperationInfo::name)
      .field("parameters", &OperationInfo::parameters)
      .field("help", &OperationInfo::help)
      .field("isMethod", &OperationInfo::is_method);
  register_array<LineShape>("LineShape[]");
  register_array<OperationInfo>("OperationInfo[]");
  register_reply<Outline>("Outline");
  register_reply<std::vector<OperationInfo>>("OperationInfo[]");
  emscripten::function("outline", &outline_of);
  emscripten::function("operations", &operations);
}
