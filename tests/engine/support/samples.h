// Seeded random shapes and values for tests.
#pragma once

#include <vector>

#include "engine/autograd/tensor.h"
#include "engine/kernels/random.h"
#include "engine/nn/attention/attention.h"

namespace unroll {

class Samples {
 public:
  explicit Samples(std::uint64_t seed, int max_size = 6) : random_(seed), largest_size_(max_size) {}

  int up_to(int most) { return 1 + random_.below(most); }  // 1 to most
  int below(int limit) { return random_.below(limit); }    // 0 to limit − 1
  int size() { return up_to(largest_size_); }
  bool coin() { return random_.below(2) == 1; }
  double between(double low, double high) {
    return static_cast<double>(random_.uniform(static_cast<Scalar>(low), static_cast<Scalar>(high)));
  }

  // With five axes and more, sizes are at most 2: differences compute the function for every value.
  Shape shape(int least_rank = 1, int most_rank = 4) {
    std::vector<int> sizes(static_cast<std::size_t>(least_rank + below(most_rank - least_rank + 1)));
    for (int& each : sizes) each = sizes.size() > 4 ? up_to(2) : size();
    return Shape(std::span<const int>(sizes));
  }
  Shape batch(int most_rank = 2) { return shape(0, most_rank); }

  // Leading axes dropped, others set to 1.
  Shape broadcast_partner(const Shape& shape) {
    const int dropped = below(shape.rank() + 1);
    Shape result(std::span<const int>(shape.begin() + dropped, shape.end()));
    for (int axis = 0; axis < result.rank(); ++axis)
      if (coin()) result = result.with(axis, 1);
    return result;
  }

  Tensor tensor(const Shape& shape, double low = -2, double high = 2) {
    Tensor x(shape);
    for (Scalar& value : x.values()) value = static_cast<Scalar>(between(low, high));
    return x;
  }
  Tensor tensor() { return tensor(shape()); }

  // |x| from 0.1 to 2, with either sign.
  Tensor away_from_zero(const Shape& shape) {
    Tensor x = tensor(shape, 0.1, 2);
    for (Scalar& value : x.values()) value = coin() ? value : -value;
    return x;
  }

  // Any two values at least 0.1 apart.
  Tensor distinct(const Shape& shape) {
    Tensor x(shape);
    const std::span<Scalar> values = x.values();
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<Scalar>(0.2 * static_cast<double>(i) + between(0, 0.1));
    for (std::size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[static_cast<std::size_t>(below(static_cast<int>(i)))]);
    return x;
  }

  // Whole numbers below count.
  Tensor ids(const Shape& shape, int count) {
    Tensor x(shape);
    for (Scalar& value : x.values()) value = static_cast<Scalar>(below(count));
    return x;
  }

  // 0 or −∞, including whole rows of −∞.
  Tensor mask(const Shape& shape) {
    Tensor x = Tensor::full(shape, 0);
    const int columns = shape[-1];
    for (std::size_t row = 0; row < x.size(); row += static_cast<std::size_t>(columns)) {
      const bool fully_masked = below(4) == 0;
      for (int i = 0; i < columns; ++i)
        if (fully_masked || below(3) == 0) x.data()[row + static_cast<std::size_t>(i)] = masked;
    }
    return x;
  }

  // 1 to most each.
  std::vector<int> lengths(int rows, int most) {
    std::vector<int> lengths;
    for (int row = 0; row < rows; ++row) lengths.push_back(up_to(most));
    return lengths;
  }

 private:
  Random random_;
  int largest_size_;
};

// batch with more axes after it.
inline Shape joined(const Shape& batch, std::initializer_list<int> sizes) {
  std::vector<int> all(batch.begin(), batch.end());
  all.insert(all.end(), sizes);
  return Shape(std::span<const int>(all));
}

}  // namespace unroll
