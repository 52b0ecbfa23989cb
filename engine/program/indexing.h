// Reading parts: x[i], x[:, -1], x[..., None], x[ids], x[mask]; and which places an assignment to them changes.
#pragma once

#include <optional>
#include <vector>

#include "engine/autograd/tensor.h"
#include "engine/program/place.h"
#include "engine/program/value.h"

namespace unroll::program {

class Interpreter;

// One of the subscripts between the brackets.
struct Subscripted {
  enum Kind { one, slice, ellipsis } kind;
  Value value{}, stop{}, step{};  // of a slice, `value` is its start; None where it is left out
  Place place{};
};

// Part of a tensor. Whole numbers drop their axis, slices keep it, None adds one of size 1, ... stands for all
// remaining axes: all these make a view. Tensors and lists of whole numbers pick values by their places, tensors and
// lists of truth values where these hold: the result is a copy.
Value indexed(Interpreter& interpreter, const TypedTensor& x, const std::vector<Subscripted>& subscripts,
              const Place& place);
Value indexed(Interpreter& interpreter, const Value& x, const std::vector<Subscripted>& subscripts, const Place& place);
// An item of a list or tuple, or with a slice several.
Value indexed(Interpreter& interpreter, const std::vector<Value>& items, bool is_tuple,
              const std::vector<Subscripted>& subscripts, const Place& place);
// A character of a text, or with a slice several.
Value indexed(Interpreter& interpreter, const std::string& text, const std::vector<Subscripted>& subscripts,
              const Place& place);
// x[i], along the first axis.
Value part(Interpreter& interpreter, const TypedTensor& x, int i, const Place& place);

// The position that the index names in a list of `count` items.
std::size_t position(const std::vector<Subscripted>& subscripts, std::size_t count, const Place& place);
// The positions that an index or a slice of step 1 names: the first, and how many.
std::pair<std::ptrdiff_t, std::ptrdiff_t> positions(const std::vector<Subscripted>& subscripts, std::size_t count,
                                                    const Place& place);

// Throws Error(program) for more axes than a tensor may have.
Shape shape_of(const std::vector<int>& sizes, const Place& place);

// Where the values of an index lie in the storage of a tensor: in a tensor of this shape, at a view or at any places.
struct Target {
  Shape shape;
  TypedTensor::View view;
  Tensor places{};  // empty if they form a view
};
Target target_of(Interpreter& interpreter, const TypedTensor& x, const std::vector<Subscripted>& subscripts,
                 const Place& place);

}  // namespace unroll::program
