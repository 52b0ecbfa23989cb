// Splits loops among threads. Each range writes its own results and sums go on within one, so that the bits do not
// depend on the number of threads.
#pragma once

#include <algorithm>
#include <cstddef>

namespace unroll {

inline constexpr int max_threads = 64;

// Whether loops are split only where that saves time, or, for tests, however short they are.
enum class SplitLoops { worthwhile, all };

#if defined(__wasm__) && !defined(_REENTRANT)
inline constexpr bool has_threads = false;  // a WebAssembly module without shared memory
#else
inline constexpr bool has_threads = true;
#endif

// How many threads share a loop, the calling one included; 1 at first.
int threads();

// `count` is 1 to max_threads. If the system gives fewer threads, loops are split among these: see threads(). Threads
// are kept for later; with a smaller count some stay idle.
void set_threads(int count, SplitLoops split = SplitLoops::worthwhile);

namespace parallel {

// Runs on [first, last).
using Body = void (*)(const void* loop, std::size_t first, std::size_t last);

// The number of ranges for a loop over n items with at least `grain` items each: 1 within another loop.
int ranges_of(std::size_t n, std::size_t grain);
void run(int ranges, std::size_t n, Body body, const void* loop);

}  // namespace parallel

// The least that is worth a range of its own: values, if each takes one or two operations; values of a transcendental
// function; multiply-adds of a matrix product.
inline constexpr std::size_t cheap = 1 << 12, costly = 1 << 10, multiply_adds = 1 << 15;

// Calls body(first, last) for ranges that together cover [0, n), each of at least `grain` items, on several threads at
// once. The body must not throw and must not make or destroy a Tensor: the pool of tensors belongs to one thread.
template <typename F>
void for_ranges(std::size_t n, std::size_t grain, const F& body) {
  if constexpr (has_threads) {
    const auto call = [](const void* loop, std::size_t first, std::size_t last) {
      (*static_cast<const F*>(loop))(first, last);
    };
    if (const int ranges = parallel::ranges_of(n, grain); ranges > 1) return parallel::run(ranges, n, call, &body);
  }
  body(std::size_t{0}, n);
}

// Calls body(row) for each of the rows, with at least `grain` values of these in a range; a row has `length`.
template <typename F>
void for_each_row(std::size_t rows, std::size_t length, std::size_t grain, const F& body) {
  for_ranges(rows, grain / std::max<std::size_t>(length, 1) + 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t row = first; row < last; ++row) body(row);
  });
}

}  // namespace unroll
