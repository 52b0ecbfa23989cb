// Layer and RMS normalisation.
#include "engine/autograd/tape.h"
#include "engine/ops/fused/fused.h"
#include "engine/ops/ops.h"
#include "engine/tensor/error.h"

namespace unroll {
namespace {

// A shape with its last `axes` axes merged into one.
Shape joined_end(const Shape& shape, int axes) {
  int size = 1;
  for (int back = 1; back <= axes; ++back) size *= shape[-back];
  return Shape(std::span(shape.begin(), shape.end() - axes)).inserted(shape.rank() - axes).with(-1, size);
}

void check_layer_norm(const Shape& x, const Shape& weight, const Shape& bias) {
  const bool fits = weight.rank() > 0 && weight.rank() <= x.rank() &&
                    Shape(std::span(x.end() - weight.rank(), x.end())) == weight && bias == weight;
  if (!fits) fail(ErrorCode::shape, "layer_norm_sizes_differ", x, weight, bias);
}

}  // namespace

Tensor composite::layer_norm(const Operand& x, const Operand& weight, const Operand& bias, double epsilon) {
  check_layer_norm(x.shape(), weight.shape(), bias.shape());
  const int axes = weight.rank();
  Scope scope("layer_norm", x.where);
  const Tensor rows = axes == 1 ? Tensor(x) : reshape(x, joined_end(x.shape(), axes));

  const Tensor centred = (rows - mean(rows, -1, true)).as("centred");
  const Tensor variance = mean(square(centred), -1, true).as("variance");
  const Tensor normal = (centred / sqrt(variance + epsilon)).as("normal");

  return (axes == 1 ? normal : reshape(normal, x.shape())) * weight + bias;
}

Tensor composite::rms_norm(const Operand& x, const Operand& weight, double epsilon) {
  if (x.rank() == 0 || weight.shape() != Shape{x.shape()[-1]})
    fail(ErrorCode::shape, "rms_norm_sizes_differ", x.shape(), weight.shape());
  Scope scope("rms_norm", x.where);
  const Tensor rms = sqrt(mean(square(x), -1, true) + epsilon).as("size");
  const Tensor normal = (x / rms).as("normal");
  return normal * weight;
}

}  // namespace unroll
