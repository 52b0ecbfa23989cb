// What operations say about types: dtype=, device=, requires_grad=.
#pragma once

#include <optional>

#include "engine/program/library.h"

namespace unroll::program {

// The type that a value names: torch.float32, "torch.LongTensor", float; nothing if it names none.
std::optional<Type> type_named(const Value& value);
// Of a parameter dtype=None. Throws Error(program) for what names no type.
Type type_given(const Arguments& a, int i, Type otherwise);
// x as that type: x itself if it has it. Numbers are cut at the point, and true is what is not 0.
Value as_type(const Arguments& a, const Value& x, Type type);
// x, argument 0, as the type that the argument dtype=None says.
Operand as_given_type(const Arguments& a, int dtype);
// With inplace=True, argument i, the result takes the place of x.
Value in_place_of(const Arguments& a, const Value& y, int i);
// A new tensor, of parameters "dtype=None, device=None, requires_grad=False" from `options` on.
Value made(const Arguments& a, const Tensor& y, Type natural, int options);

}  // namespace unroll::program
