// The library is defined in parts, one for each kind of operation.
#pragma once

#include <span>

#include "engine/program/library.h"

namespace unroll::program {

std::span<const Builtin> tensor_functions();
std::span<const Builtin> reduction_functions();
std::span<const Builtin> creation_functions();
std::span<const Builtin> shape_functions();
std::span<const Builtin> shape_methods();
std::span<const Builtin> python_functions();
std::span<const Builtin> python_methods();

// The sizes of a tensor as a tuple of whole numbers.
Value sizes_as_tuple(const Shape& shape);

// What range and arange take: (stop), (start, stop) or (start, stop, step).
template <typename Number>
struct Bounds {
  Number start, stop, step;
  int place_of_stop;  // among the arguments
};
template <typename Number>
Bounds<Number> bounds_of(const Arguments& a, Number (Arguments::*read)(int) const) {
  const int stop = a.is_none(1) ? 0 : 1;
  const Bounds<Number> bounds{stop == 0 ? Number(0) : (a.*read)(0), (a.*read)(stop), (a.*read)(2), stop};
  if (bounds.step == 0) a.refuse(2, "a_step_other_than_0");
  return bounds;
}

// A tensor as an operand at the place of the call.
inline Operand at_call(const Tensor& tensor, const Arguments& a) { return {tensor, a.where()}; }

// Throws Error(program) for a tensor of another type.
void require_float(const Arguments& a, int i);
// Throws Error(program) for bool: PyTorch has no such operation on truth values.
void refuse_bool(const Arguments& a, Type type);

// sum(items) of a list or tuple.
Value sum_of_items(const Arguments& a);

}  // namespace unroll::program
