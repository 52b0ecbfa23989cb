#include "engine/tensor/pool.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <new>

namespace unroll {
namespace {

constexpr std::align_val_t alignment{64};
constexpr std::size_t min_block = 64, min_spare = std::size_t{1} << 20;

// A free block points to the next free block of its size.
struct FreeBlock {
  FreeBlock* next;
};

// Rounds up to one of four sizes per power of two: above 64 bytes, at most a fifth of a block is wasted.
std::size_t rounded(std::size_t bytes) {
  if (bytes <= min_block) return min_block;
  const std::size_t step = std::bit_floor(bytes - 1) / 4;
  return (bytes + step - 1) / step * step;
}

// Sizes are 64, 80, 96, 112, 128, 160, …: the index of a rounded size, and the size at an index.
std::size_t size_class(std::size_t size) {
  const std::size_t power = std::bit_width(size - 1) - 1;  // 2^power < size ≤ 2^(power + 1)
  return power * 4 + (size - 1) / ((std::size_t{1} << power) / 4);
}
std::size_t class_size(std::size_t index) { return ((std::size_t{1} << (index / 4 - 1)) / 4) * (index % 4 + 5); }

std::array<FreeBlock*, 8 * sizeof(std::size_t) * 4 + 8> free_lists{};
PoolStats stats;
AllocationLog* live_log = nullptr;
std::size_t most_in_use = std::numeric_limits<std::size_t>::max();

void* pop_free(FreeBlock*& list) {
  FreeBlock* block = list;
  list = block->next;
  return block;
}

// Returns free blocks to the system, largest first, until at most `bytes` remain.
void trim_free(std::size_t bytes) {
  for (std::size_t index = free_lists.size(); index-- > 0;)
    for (; free_lists[index] && stats.reserved - stats.in_use > bytes; stats.reserved -= class_size(index))
      ::operator delete(pop_free(free_lists[index]), alignment);
}

void* from_system(std::size_t size) {
  const std::size_t in_use = stats.in_use + size, peak = std::max(stats.peak, in_use);
  trim_free(peak - in_use + std::max(min_spare, peak / 4));
  void* block = ::operator new(size, alignment, std::nothrow);
  if (!block) {
    trim_free(0);
    block = ::operator new(size, alignment);
  }
  stats.reserved += size;
  ++stats.allocations;
  return block;
}

}  // namespace

void* pool_allocate(std::size_t bytes) {
  const std::size_t size = rounded(bytes);
  if (stats.in_use + size > most_in_use) throw std::bad_alloc();
  FreeBlock*& list = free_lists[size_class(size)];
  void* block = list ? pop_free(list) : from_system(size);
  stats.in_use += size;
  stats.peak = std::max(stats.peak, stats.in_use);
  if (live_log) live_log->in_use.push_back(stats.in_use);
  return block;
}

void pool_free(void* block, std::size_t bytes) noexcept {
  const std::size_t size = rounded(bytes);
  stats.in_use -= size;
  FreeBlock*& list = free_lists[size_class(size)];
  list = new (block) FreeBlock{list};
}

Setting<std::size_t> limit_allocations(std::size_t bytes) { return {most_in_use, stats.in_use + bytes}; }

AllocationLog::AllocationLog() : before(stats.in_use), live_(live_log, this) {}

PoolStats pool_stats() { return stats; }

void pool_trim() {
  trim_free(0);
  stats.peak = stats.in_use;
}

}  // namespace unroll
