// The argument of every operation: a tensor, and the line of source that passed it.
#pragma once

#include "engine/tensor/tensor.h"
#include "engine/tensor/where.h"

namespace unroll {

// Each place that hands a tensor to an operation makes an Operand there, so the default argument is that very line:
// in `matmul(s, W) + matmul(h, U)` each product and the sum know where they are written. Copying counts as handing on.
struct Operand : Tensor {
  using Where = unroll::Where;

  Operand(const Tensor& tensor, Where where = Where::current()) : Tensor(tensor), where(where) {}
  Operand(const Operand& other, Where where = Where::current()) : Tensor(other), where(where) {}
  Operand(double number, Where where = Where::current())
      : Tensor(Tensor::scalar(static_cast<Scalar>(number))), where(where) {}
  Operand& operator=(const Operand&) = delete;

  Where where;
};

// For functions that stand for another: the operand keeps the place their caller wrote.
inline Operand pass_on(const Operand& operand) { return {operand, operand.where}; }

}  // namespace unroll
