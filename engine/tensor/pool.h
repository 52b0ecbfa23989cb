// Memory that is used again. A training step needs the same buffers as the step before it: a freed block waits in the
// list of its size, and after the first steps no allocation happens. Steps of many lengths ask for many sizes: what
// waits is given back to the system before the pool holds a quarter more than was ever in use at once. All sessions
// share one pool, which no lock protects: the engine runs on one thread, in a worker of its own.
#pragma once

#include <cstddef>
#include <vector>

namespace unroll {

// A block of at least `bytes` bytes, aligned to 64. Throws std::bad_alloc when the system has no more.
void* pool_take(std::size_t bytes);
void pool_give(void* block, std::size_t bytes) noexcept;

struct PoolUse {
  std::size_t reserved = 0;     // bytes held from the system, in use or waiting
  std::size_t allocations = 0;  // how often it was asked
  std::size_t taken = 0;        // bytes in use now
  std::size_t most_taken = 0;   // and at most since pool_trim
};
PoolUse pool_use();

// Gives back all that waits, and measures the most in use anew: for the next model.
void pool_trim();

// Lets standard containers and shared_ptr take their memory from the pool.
template <typename T>
struct PoolAllocator {
  using value_type = T;
  PoolAllocator() = default;
  template <typename U>
  PoolAllocator(const PoolAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(pool_take(n * sizeof(T))); }
  void deallocate(T* block, std::size_t n) noexcept { pool_give(block, n * sizeof(T)); }
  bool operator==(const PoolAllocator&) const = default;
};

template <typename T>
using PooledVector = std::vector<T, PoolAllocator<T>>;

}  // namespace unroll
