#include "engine/tensor/pool.h"

#include <algorithm>
#include <array>
#include <bit>
#include <new>

namespace unroll {
namespace {

constexpr std::align_val_t alignment{64};
constexpr std::size_t smallest = 64, least_spare = std::size_t{1} << 20;

// A waiting block holds the address of the next one of its size.
struct Waiting {
  Waiting* next;
};

// Sizes are rounded up to a quarter of a power of two: at most a fifth of a block is wasted.
std::size_t rounded(std::size_t bytes) {
  if (bytes <= smallest) return smallest;
  const std::size_t step = std::bit_floor(bytes - 1) / 4;
  return (bytes + step - 1) / step * step;
}

// 64, 80, 96, 112, 128, 160, …: the place of a rounded size in that row, and the size at a place.
std::size_t place_of(std::size_t size) {
  const std::size_t power = std::bit_width(size - 1) - 1;  // 2^power < size ≤ 2^(power + 1)
  return power * 4 + (size - 1) / ((std::size_t{1} << power) / 4);
}
std::size_t size_at(std::size_t place) { return ((std::size_t{1} << (place / 4 - 1)) / 4) * (place % 4 + 5); }

std::array<Waiting*, 8 * sizeof(std::size_t) * 4 + 8> waiting{};
PoolUse use;

void* take_waiting(Waiting*& list) {
  Waiting* block = list;
  list = block->next;
  return block;
}

// Gives blocks back, the largest first, until no more than `bytes` wait.
void keep_waiting(std::size_t bytes) {
  for (std::size_t place = waiting.size(); place-- > 0;)
    for (; waiting[place] && use.reserved - use.taken > bytes; use.reserved -= size_at(place))
      ::operator delete(take_waiting(waiting[place]), alignment);
}

void* from_system(std::size_t size) {
  const std::size_t taken = use.taken + size, most = std::max(use.most_taken, taken);
  keep_waiting(most - taken + std::max(least_spare, most / 4));
  void* block = ::operator new(size, alignment, std::nothrow);
  if (!block) {
    keep_waiting(0);
    block = ::operator new(size, alignment);
  }
  use.reserved += size;
  ++use.allocations;
  return block;
}

}  // namespace

void* pool_take(std::size_t bytes) {
  const std::size_t size = rounded(bytes);
  Waiting*& list = waiting[place_of(size)];
  void* block = list ? take_waiting(list) : from_system(size);
  use.taken += size;
  use.most_taken = std::max(use.most_taken, use.taken);
  return block;
}

void pool_give(void* block, std::size_t bytes) noexcept {
  const std::size_t size = rounded(bytes);
  use.taken -= size;
  Waiting*& list = waiting[place_of(size)];
  list = new (block) Waiting{list};
}

PoolUse pool_use() { return use; }

void pool_trim() {
  keep_waiting(0);
  use.most_taken = use.taken;
}

}  // namespace unroll
