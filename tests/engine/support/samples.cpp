#include "tests/engine/support/samples.h"

#include <numeric>

#include "engine/nn/attention/masks.h"

namespace unroll {

double Samples::between(double low, double high) {
  return static_cast<double>(random_.uniform(static_cast<Scalar>(low), static_cast<Scalar>(high)));
}

Shape Samples::shape(int least_rank, int most_rank) {
  std::vector<int> sizes(static_cast<std::size_t>(least_rank + below(most_rank - least_rank + 1)));
  for (int& each : sizes) each = size();
  return Shape(std::span<const int>(sizes));
}

Shape Samples::broadcast_partner(const Shape& shape) {
  const int dropped = below(shape.rank() + 1);
  Shape result(std::span<const int>(shape.begin() + dropped, shape.end()));
  for (int axis = 0; axis < result.rank(); ++axis)
    if (coin()) result = result.with(axis, 1);
  return result;
}

Tensor Samples::tensor(const Shape& shape, double low, double high) {
  Tensor x(shape);
  for (Scalar& value : x.values()) value = static_cast<Scalar>(between(low, high));
  return x;
}

Tensor Samples::away_from_zero(const Shape& shape) {
  Tensor x = tensor(shape, 0.1, 2);
  for (Scalar& value : x.values()) value = coin() ? value : -value;
  return x;
}

Tensor Samples::distinct(const Shape& shape) {
  Tensor x(shape);
  const std::span<Scalar> values = x.values();
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<Scalar>(0.2 * static_cast<double>(i) + between(0, 0.1));
  for (std::size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[static_cast<std::size_t>(below(static_cast<int>(i)))]);
  return x;
}

Tensor Samples::ids(const Shape& shape, int count) {
  Tensor x(shape);
  for (Scalar& value : x.values()) value = static_cast<Scalar>(below(count));
  return x;
}

Tensor Samples::mask(const Shape& shape) {
  Tensor x = Tensor::full(shape, 0);
  const int columns = shape[-1];
  for (std::size_t row = 0; row < x.size(); row += static_cast<std::size_t>(columns)) {
    const bool fully_masked = below(4) == 0;
    for (int i = 0; i < columns; ++i)
      if (fully_masked || below(3) == 0) x.data()[row + static_cast<std::size_t>(i)] = masked;
  }
  return x;
}

std::vector<int> Samples::lengths(int rows, int most) {
  std::vector<int> lengths;
  for (int row = 0; row < rows; ++row) lengths.push_back(up_to(most));
  return lengths;
}

Shape joined(const Shape& batch, std::initializer_list<int> sizes) {
  std::vector<int> all(batch.begin(), batch.end());
  all.insert(all.end(), sizes);
  return Shape(std::span<const int>(all));
}

}  // namespace unroll
