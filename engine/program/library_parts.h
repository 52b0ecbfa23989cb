// The library is defined in parts, one for each kind of operation.
#pragma once

#include <span>

#include "engine/program/library.h"

namespace unroll::program {

std::span<const Builtin> tensor_functions();
std::span<const Builtin> creation_functions();
std::span<const Builtin> shape_functions();
std::span<const Builtin> shape_methods();
std::span<const Builtin> python_functions();
std::span<const Builtin> python_methods();

// The sizes of a tensor as a tuple of whole numbers.
Value sizes_as_tuple(const Shape& shape);

// sum(items) of a list or tuple.
Value sum_of_items(const Arguments& a);

}  // namespace unroll::program
