#include "engine/tensor/pool.h"
#include "tests/engine/support/test.h"

TEST_CASE("handles share values; a copy has its own") {
  const Tensor x({2}, {1, 2});
  const Tensor same = x, other = x.copy(), seen_as_column = x.reshaped({2, 1});
  x.data()[0] = 7;
  expect(same, {2}, {7, 2});
  expect(other, {2}, {1, 2});
  expect(seen_as_column, {2, 1}, {7, 2});
}

TEST_CASE("make_unique_values: every handle of the tensor gets new values, other tensors keep the old ones") {
  const Tensor x({2}, {1, 2});
  const Tensor same = x, seen_as_column = x.reshaped({2, 1});
  x.make_unique_values();
  x.data()[0] = 7;
  expect(same, {2}, {7, 2});
  expect(seen_as_column, {2, 1}, {1, 2});
}

TEST_CASE("a tensor refuses values that do not fit its shape") {
  CHECK(REFUSAL(shape, Tensor({2, 2}, {1, 2, 3})) == "A tensor of shape (2, 2) has 4 values, not 3.");
  CHECK(REFUSAL(shape, Tensor({2}, {1, 2}).item()) == "Only a tensor of one value has an item; this one is (2).");
  CHECK(REFUSAL(shape, Tensor({2}, {1, 2}).reshaped({3})) == "[reshape] (2) has 2 values, (3) has 3.");
}

TEST_CASE("a tensor that is too large is refused before memory is allocated for it") {
  const std::size_t before = pool_stats().reserved;
  CHECK(REFUSAL(shape, Tensor({16384, 16384}, {1})) == "A tensor of shape (16384, 16384) has 268435456 values, not 1.");
  CHECK(pool_stats().reserved == before);
}

TEST_CASE("a tensor can be empty") {
  const Tensor x({0, 3});
  CHECK(x.size() == 0);
  CHECK(x.values().empty());
}

TEST_CASE("the pool reuses a freed block for the next request of its size") {
  { Tensor warm({1000}); }
  const std::size_t before = pool_stats().allocations;
  const Scalar* first = Tensor({1000}).data();
  const Tensor second({1000});
  CHECK(second.data() == first);
  CHECK(pool_stats().allocations == before);
}

TEST_CASE("blocks of the pool are aligned, large enough and do not overlap") {
  std::vector<std::pair<char*, std::size_t>> blocks;
  for (std::size_t bytes = 1; bytes < 5000; bytes += 7) {
    char* block = static_cast<char*>(pool_allocate(bytes));
    CHECK(reinterpret_cast<std::uintptr_t>(block) % 64 == 0);
    std::fill_n(block, bytes, static_cast<char>(bytes % 100));
    blocks.emplace_back(block, bytes);
  }
  for (const auto& [block, bytes] : blocks) {
    CHECK(std::all_of(block, block + bytes, [b = bytes](char c) { return c == static_cast<char>(b % 100); }));
    pool_free(block, bytes);
  }
}

TEST_CASE("blocks of changing sizes are released: the pool holds at most a quarter more than was in use") {
  pool_trim();
  Samples random(3);
  for (int i = 0; i < 300; ++i) {
    std::vector<Tensor> step;
    for (int j = 0; j < 20; ++j) step.emplace_back(Shape{random.up_to(400'000)});
  }
  const PoolStats use = pool_stats();
  CHECK(use.peak > 10'000'000);
  CHECK(use.reserved <= use.peak + use.peak / 4);
  pool_trim();
  CHECK(pool_stats().reserved == pool_stats().in_use);
}
