#include "engine/tensor/pool.h"

#include <algorithm>
#include <array>
#include <bit>
#include <new>

namespace unroll {
namespace {

constexpr std::align_val_t alignment{64};
constexpr std::size_t smallest = 64;

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

// 64, 80, 96, 112, 128, 160, …: the place of a rounded size in that row.
std::size_t place(std::size_t size) {
  const std::size_t power = std::bit_width(size - 1) - 1;  // 2^power < size ≤ 2^(power + 1)
  return power * 4 + (size - 1) / ((std::size_t{1} << power) / 4);
}

std::array<Waiting*, 8 * sizeof(std::size_t) * 4 + 8> waiting{};
PoolUse use;

}  // namespace

void* pool_take(std::size_t bytes) {
  const std::size_t size = rounded(bytes);
  Waiting*& list = waiting[place(size)];
  void* block = list;
  if (list) {
    list = list->next;
  } else {
    block = ::operator new(size, alignment);
    use.reserved += size;
    ++use.allocations;
  }
  use.taken += size;
  use.most_taken = std::max(use.most_taken, use.taken);
  return block;
}

void pool_give(void* block, std::size_t bytes) noexcept {
  const std::size_t size = rounded(bytes);
  use.taken -= size;
  Waiting*& list = waiting[place(size)];
  list = new (block) Waiting{list};
}

PoolUse pool_use() { return use; }
void pool_watch() { use.most_taken = use.taken; }

}  // namespace unroll
