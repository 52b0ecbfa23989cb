// A tensor: values that operations compute, and that a tape may record.
#pragma once

#include <concepts>
#include <string_view>
#include <utility>

#include "engine/tensor/call_site.h"
#include "engine/tensor/values.h"

namespace unroll {

// A tensor's role in a model; the page gives each role its own colour and mark.
enum class Role { input, parameter, state, score, weight, gradient };

class Tensor : public Values {
 public:
  using Values::Values;
  template <std::same_as<Values> T>  // a template, so that Tensor({2, 3}) has a shape and no values
  Tensor(T values) : Values(std::move(values)) {}

  static Tensor full(const Shape& shape, Scalar value) { return Values::full(shape, value); }
  static Tensor scalar(Scalar value) { return Values::scalar(value); }
  Tensor reshaped(const Shape& shape) const { return Values::reshaped(shape); }
  Tensor copy() const { return Values::copy(); }

  // Names this result and sets its role on the live tape, applies any edit of that name and returns the result. A
  // tensor that no operation recorded becomes a constant. No effect unless tracing. (Defined in tape.cpp.)
  Tensor as(std::string_view name, Role role = Role::state, CallSite where = CallSite::current()) const;
};

}  // namespace unroll
