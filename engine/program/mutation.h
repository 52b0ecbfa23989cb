// Changing tensors: x += y, x[…] = y, x.fill_(y).
//
// The values of the engine's tensors never change, since a tape may have recorded them. A change computes a new one and
// puts it into the TypedTensor that all variables of this tensor share, so that gradients flow through the change.
//
// A tensor and its views share a Storage. Writing through one of them sets the storage's values and counts its version;
// the others are stale from then on, and get their part of the new values when they are read next. A storage has no
// values of its own as long as one tensor alone has it.
//
// detach() and .data give a tensor with a storage of its own, the twin of the first: what is written into one is
// written into the other as well, but takes no gradient there.
//
// What no tape has recorded, and nobody else holds, is changed in its own memory, in time proportional to what is
// written: tables and masks that a program fills in loops.
#pragma once

#include "engine/program/arithmetic.h"
#include "engine/program/indexing.h"
#include "engine/program/interpreter.h"

namespace unroll::program {

// Whether other values have been written into the storage of this tensor.
bool is_stale(const TypedTensor& tensor);
// Gives a stale tensor its values.
void refresh(Interpreter& interpreter, TypedTensor& tensor, const Place& place);
// The same if the value is a tensor; not counted.
void refresh(const Value& value, const Place& place);
// The same of all tensors in lists and tuples.
void refresh_all(const Value& value, const Place& place);

// Gives a whole tensor other values, of the same shape. Throws Error(program) where PyTorch refuses to.
void write(Interpreter& interpreter, const Value& target, const Tensor& values, const Place& place);
// The same of values that may take a gradient, of a type that fits.
void write(Interpreter& interpreter, const Value& target, const TypedTensor& values, const Place& place);

// x += y of a tensor. Returns what x is then: the same tensor, but a new one after x @= y, as PyTorch has it.
Value update(Interpreter& interpreter, const Value& target, Operator operation, const Value& change, const Between& at);

// x[…] = value
void assign_item(Interpreter& interpreter, const Value& tensor, const std::vector<Subscripted>& subscripts,
                 const Value& value, const Place& place);
// The tensor gets another one in its place, as parameters do in each run. Its views see the values.
void replace(TypedTensor& tensor, const Tensor& values);

// ── What operations need for their gradients ─────────────────────────────────────────────────────────────────────────

// An operation has been recorded whose gradient needs the values of x.
void keep(const TypedTensor& x, const char* operation);
// After an operator: whether its result takes a gradient, and what this needs.
void note_operands(Interpreter& interpreter, Operator operation, const Value& left, const Value& right,
                   const Value& result);
// Whether the gradient of an operation needs its result.
bool needs_result(const Builtin& operation);
// After a call of an operation of the library: whether its result takes a gradient, and what this needs.
void note_result(const Arguments& arguments, const Value& result);

// What an operation computes that is to change x. What it keeps of x is a copy there, so x may change.
Value keeping_nothing_of(const TypedTensor& x, const auto& compute) {
  Storage& storage = *x.storage;
  const char* const by = storage.kept_by;
  const std::uint64_t on = storage.kept_on;
  Value result = compute();
  storage.kept_by = by, storage.kept_on = on;
  return result;
}

// The tensor that a value is, to change it.
TypedTensor& tensor_in(const Value& value, const Place& place);
// Throws Error(program) if PyTorch refuses to change this tensor.
void check_changeable(Interpreter& interpreter, const TypedTensor& x, const Place& place);
// Throws Error(program) if several values of a tensor lie in one place.
void check_not_expanded(const TypedTensor::View& view, const Shape& shape, const Place& place);
// Whether the live tape has recorded these values.
bool is_recorded(const Tensor& tensor);
// Whether it takes a gradient of them.
bool needs_gradient(const Tensor& tensor);
// A value as a tensor of that type. Throws Error(program) if it would be cut.
TypedTensor converted(Interpreter& interpreter, const Value& value, Type type, const Place& place);
// The same with the sizes of `shape`, by broadcasting; a single value stays one.
TypedTensor fitted(Interpreter& interpreter, const Value& value, Type type, const Shape& shape, const Place& place);

}  // namespace unroll::program
