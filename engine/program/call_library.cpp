// Functions that concern functions and classes: super, slice, and what stands behind @torch.no_grad().
#include "engine/autograd/tape.h"
#include "engine/program/interpreter.h"
#include "engine/program/library.h"

namespace unroll::program {
namespace {

// super(Block, self); without arguments it is no call of this function.
Value super_of(const Arguments& a) {
  const auto* type = a[0].as<Class>();
  if (!type) a.refuse(0, "a_class");
  if (!a[1].is<Instance>() && !a[1].is<Class>()) a.refuse(1, "an_instance_or_class");
  return std::make_shared<const SuperBody>(SuperBody{*type, a[1]});
}

// slice(stop), slice(start, stop) or slice(start, stop, step), as an index: the bound arguments are its three parts.
// What is None is given, too: slice(1, None) goes to the end.
Value slice_of(const Arguments& a) {
  const std::vector<Value>& others = a.values(1);
  if (others.size() > 2) fail_at(a.place, "function_takes_fewer_arguments", std::string("slice"), 3);
  const Value start = others.empty() ? Value() : a[0], stop = others.empty() ? a[0] : others[0];
  const Value step = others.size() == 2 ? others[1] : Value();
  return std::make_shared<const BoundBody>(BoundBody{&a.callee, tuple_of({start, stop, step})});
}

// Calls the function; what it computes is a constant.
Value called_without_gradient(const Arguments& a) {
  const RecordingGuard pause(nullptr);
  const bool records = a.interpreter.records();
  a.interpreter.set_records(false);
  const Value result = a.interpreter.call(a[0], a.values(1), *a[2].as<Dict>(), a.place);
  a.interpreter.set_records(records);
  return result;
}

}  // namespace

std::span<const Builtin> call_functions() {
  static constexpr Builtin all[] = {
      {"super", "type, object", super_of, "the methods of the classes that a class is derived from"},
      {"slice", "start, *stop_and_step", slice_of, "start:stop:step as a value"},
      {"call_without_gradient", "function, *arguments, **options", called_without_gradient,
       "what a function computes, as a constant"},
  };
  return all;
}

}  // namespace unroll::program
