// The argument type of every operation: a tensor and its call site.
#pragma once

#include "engine/autograd/tensor.h"
#include "engine/tensor/call_site.h"

namespace unroll {

// Passing a tensor to an operation constructs an Operand, whose default argument captures the call site: in
// `matmul(s, W) + matmul(h, U)` each product and the sum know their own. A function that passes its own operand on to
// an operation passes it as a tensor, too: the copy constructor is explicit, so no call takes it. It copies the call
// site, as captures and lists do.
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
