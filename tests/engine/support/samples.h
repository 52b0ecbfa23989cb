// Seeded random shapes and values for tests.
#pragma once

#include <vector>

#include "engine/autograd/tensor.h"
#include "engine/kernels/random.h"

namespace unroll {

class Samples {
 public:
  explicit Samples(std::uint64_t seed, int max_size = 6) : random_(seed), largest_size_(max_size) {}

  int up_to(int most) { return 1 + random_.below(most); }  // 1 to most
  int below(int limit) { return random_.below(limit); }    // 0 to limit − 1
  int size() { return up_to(largest_size_); }
  bool coin() { return random_.below(2) == 1; }
  double between(double low, double high);

  Shape shape(int least_rank = 1, int most_rank = Shape::max_rank);
  Shape broadcast_partner(const Shape& shape);  // leading axes dropped, others set to 1
  Shape batch(int most_rank = 2) { return shape(0, most_rank); }

  Tensor tensor(const Shape& shape, double low = -2, double high = 2);
  Tensor tensor() { return tensor(shape()); }
  Tensor away_from_zero(const Shape& shape);     // |x| from 0.1 to 2, with either sign
  Tensor distinct(const Shape& shape);           // any two values at least 0.1 apart
  Tensor ids(const Shape& shape, int count);     // whole numbers below count
  Tensor mask(const Shape& shape);               // 0 or −∞, including whole rows of −∞
  std::vector<int> lengths(int rows, int most);  // 1 to most each

 private:
  Random random_;
  int largest_size_;
};

// batch with more axes after it.
Shape joined(const Shape& batch, std::initializer_list<int> sizes);

}  // namespace unroll
