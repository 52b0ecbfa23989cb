#include "engine/kernels/parallel.h"

#include <atomic>
#include <thread>
#include <vector>

#include "engine/kernels/gemm.h"
#include "tests/engine/support/test.h"

namespace {

// Sets the number of threads, and at its end the number before.
struct Threads {
  int before = threads();
  explicit Threads(int count) { set_threads(count, SplitLoops::all); }
  ~Threads() { set_threads(before, before == 1 ? SplitLoops::worthwhile : SplitLoops::all); }
};

// How often a loop over n items reaches each.
std::vector<int> visits(std::size_t n, std::size_t grain) {
  std::vector<int> count(n);
  for_ranges(n, grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) ++count[i];
  });
  return count;
}

int ranges_of(std::size_t n, std::size_t grain) {
  std::atomic<int> ranges = 0;
  for_ranges(n, grain, [&](std::size_t, std::size_t) { ++ranges; });
  return ranges;
}

}  // namespace

TEST_CASE("a loop reaches each item once, on any number of threads") {
  for (const int count : {1, 2, 3, 7, 64, 2}) {
    const Threads team(count);
    CAPTURE(count);
    for (const std::size_t n : {0, 1, 2, 5, 63, 64, 1000})
      for (int again = 0; again < 50; ++again) CHECK(visits(n, 1) == std::vector<int>(n, 1));
  }
}

TEST_CASE("a loop has as many ranges as threads, from 1 to 64, unless it is too short for these") {
  const Threads team(4);
  set_threads(4);
  CHECK(ranges_of(4000, 1000) == 4);
  CHECK(ranges_of(3999, 1000) == 3);
  CHECK(ranges_of(1999, 1000) == 1);
  CHECK(ranges_of(0, 1000) == 1);
  set_threads(1);
  CHECK(ranges_of(4000, 1000) == 1);
  set_threads(0);
  CHECK(threads() == 1);
  set_threads(1'000'000);
  CHECK(threads() == max_threads);
}

TEST_CASE("a loop within a loop runs on the thread that reaches it") {
  const Threads team(3);
  std::atomic<int> items = 0;
  for_ranges(6, 1, [&](std::size_t first, std::size_t last) {
    const auto here = std::this_thread::get_id();
    for (std::size_t i = first; i < last; ++i)
      for_ranges(10, 1, [&](std::size_t from, std::size_t to) {
        if (std::this_thread::get_id() == here) items += static_cast<int>(to - from);
      });
  });
  CHECK(items == 60);
}

TEST_CASE("two threads that both have a loop do not wait for each other") {
  const Threads team(3);
  std::atomic<long> items = 0;
  const auto loops = [&] {
    for (int i = 0; i < 2000; ++i)
      for_ranges(9, 1, [&](std::size_t first, std::size_t last) { items += last - first; });
  };
  std::thread other(loops);
  loops();
  other.join();
  CHECK(items == 2 * 2000 * 9);
}

TEST_CASE("products have the same bits on any number of threads") {
  Samples samples(3);
  for (const auto [m, n, k] : {std::array{1, 9, 300}, {2, 40, 17}, {5, 8, 3}, {33, 65, 300}, {70, 1, 20}, {3, 0, 4}}) {
    for (const bool transpose_a : {false, true})
      for (const bool transpose_b : {false, true}) {
        const Tensor a = samples.tensor({m, k}), b = samples.tensor({k, n});
        const kernels::Matrix left = {a.data(), transpose_a ? 1 : k, transpose_a ? m : 1};
        const kernels::Matrix right = {b.data(), transpose_b ? 1 : n, transpose_b ? k : 1};
        const auto product = [&, m = m, n = n, k = k](int count) {
          const Threads team(count);
          Tensor c = Tensor::full({m, n}, 1);
          kernels::gemm(m, n, k, left, right, c.data(), n, true);
          return c;
        };
        const Tensor alone = product(1);
        for (const int count : {2, 3, 7}) CHECK(same_bits(product(count), alone));
      }
  }
}
