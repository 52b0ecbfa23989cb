// Memory pool with a free list per size. A training step needs the same buffers as the one before, so after the first
// steps nothing is allocated. Sequences of varying length need many sizes: free blocks return to the system before the
// pool exceeds its peak use by more than a quarter (at least 1 MB). All sessions share one pool without a lock: the
// engine runs on a single thread, in its own worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/tensor/setting.h"

namespace unroll {

// A block of at least `bytes` bytes, 64-byte aligned. Throws std::bad_alloc when the system is out of memory.
void* pool_allocate(std::size_t bytes);
void pool_free(void* block, std::size_t bytes) noexcept;

struct PoolStats {
  std::size_t reserved = 0;     // bytes obtained from the system, in use or free
  std::size_t allocations = 0;  // number of system allocations
  std::size_t in_use = 0;       // bytes in use now
  std::size_t peak = 0;         // maximum of `in_use` since pool_trim
};
PoolStats pool_stats();

// While the result is kept, no more than this may be in use besides what is in use now: else pool_allocate throws
// std::bad_alloc. The innermost counts.
Setting<std::size_t> limit_allocations(std::size_t bytes);

// While an instance is alive, it notes the bytes in use at each allocation. The innermost does.
class AllocationLog {
 public:
  AllocationLog();

  const std::size_t before;  // bytes in use when it was made
  std::vector<std::size_t> in_use;

 private:
  Setting<AllocationLog*> live_;
};

// Returns all free blocks to the system and resets `peak`, before the next model.
void pool_trim();

// Allocator for standard containers and shared_ptr that draws from the pool.
template <typename T>
struct PoolAllocator {
  using value_type = T;
  PoolAllocator() = default;
  template <typename U>
  PoolAllocator(const PoolAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(pool_allocate(n * sizeof(T))); }
  void deallocate(T* block, std::size_t n) noexcept { pool_free(block, n * sizeof(T)); }
  bool operator==(const PoolAllocator&) const = default;
};

template <typename T>
using PooledVector = std::vector<T, PoolAllocator<T>>;

}  // namespace unroll
