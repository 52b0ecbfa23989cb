// A tensor: values that operations compute, and that a tape may record; and the argument type of every operation.
#pragma once

#include <concepts>
#include <string_view>
#include <utility>

#include "engine/tensor/values.h"

namespace unroll {

// The call site of an operation, a scope or a parameter: std::source_location without the function name, whose text
// would end up in every build.
struct CallSite {
  const char* file = "";
  // In one word, as nearly every function is given one.
  int line : 18 = 0;
  int column : 14 = 0;  // only in the learner's own text, where it counts characters from 1

  // The call site; as a default argument, the call site of the function it belongs to.
  static constexpr CallSite current(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line, 0};
  }
};

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

// A tensor and its call site. Passing a tensor to an operation constructs an Operand, whose default argument captures
// the call site: in `matmul(s, W) + matmul(h, U)` each product and the sum know their own. A function that passes its
// own operand on to an operation passes it as a tensor, too: the copy constructor is explicit, so no call takes it. It
// copies the call site, as captures and lists do.
struct Operand : Tensor {
  using CallSite = unroll::CallSite;

  Operand(const Tensor& tensor, CallSite where = CallSite::current()) : Tensor(tensor), where(where) {}
  Operand(double number, CallSite where = CallSite::current())
      : Tensor(Tensor::scalar(static_cast<Scalar>(number))), where(where) {}
  explicit Operand(const Operand&) = default;
  explicit Operand(Operand&&) = default;
  Operand& operator=(const Operand&) = delete;

  CallSite where;
};

// For wrappers of an operation: keeps the call site of their caller.
inline Operand forward_operand(const Operand& operand) { return Operand(operand); }

}  // namespace unroll
