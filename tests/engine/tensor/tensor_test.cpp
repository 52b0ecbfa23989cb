#include "engine/tensor/hash.h"
#include "engine/tensor/pool.h"
#include "engine/tensor/shape.h"
#include "tests/engine/support/test.h"

TEST_CASE("a shape has a rank, sizes indexed from both ends, and a number of values, which may be 0") {
  const Shape shape{2, 3, 4};
  CHECK(shape.rank() == 3);
  CHECK(shape.size() == 24);
  CHECK(shape[0] == 2);
  CHECK(shape[-1] == 4);
  CHECK(Shape{}.size() == 1);
  CHECK(Shape{3, 0}.size() == 0);
  CHECK(text_of(shape) == "(2, 3, 4)");
  const Tensor empty({0, 3});
  CHECK(empty.size() == 0);
  CHECK(empty.values().empty());
}

TEST_CASE("axes can be added, removed and resized; negative ones count from the end") {
  const Shape shape{2, 3};
  CHECK(shape.inserted(0) == Shape{1, 2, 3});
  CHECK(shape.inserted(2) == Shape{2, 3, 1});
  CHECK(shape.without(0) == Shape{3});
  CHECK(shape.without(1) == Shape{2});
  CHECK(shape.with(-1, 7) == Shape{2, 7});
  CHECK(shape[-2] == 2);
  CHECK(shape.with(-2, 7) == Shape{7, 3});
  CHECK(shape.without(-1) == Shape{2});
  CHECK(shape.without(-2) == Shape{3});
  CHECK(shape.inserted(-1) == Shape{2, 3, 1});
  CHECK(shape.inserted(-2) == Shape{2, 1, 3});
  CHECK(shape.inserted(-3) == Shape{1, 2, 3});
}

TEST_CASE("an axis out of range is refused by every query") {
  const Shape shape{2, 3};
  for (const int axis : {-3, 2, 1000, -1000}) {
    CAPTURE(axis);
    const std::string sentence = "The axis " + std::to_string(axis) + " is none of the shape (2, 3): use -2 to 1.";
    CHECK(REFUSAL(shape, static_cast<void>(shape[axis])) == sentence);
    CHECK(REFUSAL(shape, shape.with(axis, 1)) == sentence);
    CHECK(REFUSAL(shape, shape.without(axis)) == sentence);
  }
  CHECK(REFUSAL(shape, shape.inserted(3)) == "The axis 3 is none of the shape (2, 3): use -3 to 2.");
  CHECK(REFUSAL(shape, shape.inserted(-4)) == "The axis -4 is none of the shape (2, 3): use -3 to 2.");
  CHECK(REFUSAL(shape, Shape{}.without(-1)) == "The shape () is a scalar: it has no axis -1.");
}

TEST_CASE("impossible shapes are refused") {
  CHECK(REFUSAL(shape, Shape({1, 1, 1, 1, 1, 1, 1})) == "A tensor has at most 6 axes, not 7.");
  CHECK(REFUSAL(shape, Shape({2, -1})) == "A size is 0 or more, not -1.");
  CHECK(REFUSAL(shape, Shape({65536, 65536})).ends_with("is too large: at most 2^28 values."));
  CHECK(REFUSAL(shape, Shape({65536, 65536, 65536, 65536})).ends_with("at most 2^28 values."));
  CHECK(REFUSAL(shape, Shape({65536, 65536, 3, 4})).find("(65536, 65536, 3, 4)") != std::string::npos);
  CHECK(REFUSAL(shape, Shape({0, 65536, 65536}).without(0)).find("(65536, 65536)") != std::string::npos);
  CHECK(REFUSAL(shape, Shape({2, 3}).with(0, -1)) == "A size is 0 or more, not -1.");
  CHECK(REFUSAL(shape, Shape({1, 65537}).with(0, 65537)) ==
        "A tensor of shape (65537, 65537) is too large: at most 2^28 values.");
  CHECK(REFUSAL(shape, Shape({1, 1, 1, 1, 1, 1}).inserted(0)).starts_with("A tensor has at most 6 axes"));
}

TEST_CASE("broadcasting follows NumPy, and the refusal of an axis lists the valid ones") {
  CHECK(broadcast("add", {3, 1}, {4}) == Shape{3, 4});
  CHECK(broadcast("add", {}, {2, 3}) == Shape{2, 3});
  CHECK(broadcast("add", {5, 1, 2}, {4, 1}) == Shape{5, 4, 2});
  CHECK(broadcast("add", {1}, {0}) == Shape{0});
  CHECK(REFUSAL(shape, broadcast("add", {2, 3}, {4})) ==
        "[add] a is (2, 3), b is (4): sizes 3 and 4 along axis -1 differ and neither is 1.");
  CHECK(REFUSAL(shape, broadcast("add", {65537, 1}, {1, 65537})) ==  // 2^32 + 2^17 + 1: 131073 in 32 bits
        "A tensor of shape (65537, 65537) is too large: at most 2^28 values.");
  CHECK(checked_axis("sum", {2, 3}, -2) == 0);
  CHECK(REFUSAL(shape, checked_axis("sum", {2, 3}, 2)) == "[sum] axis is 2, but the operand is (2, 3): use -2 to 1.");
}

TEST_CASE("handles share values; a copy has its own, and after make_unique_values so have other tensors") {
  const Tensor x({2}, {1, 2});
  const Tensor same = x, other = x.copy(), seen_as_column = x.reshaped({2, 1});
  x.data()[0] = 7;
  expect(same, {2}, {7, 2});
  expect(other, {2}, {1, 2});
  expect(seen_as_column, {2, 1}, {7, 2});
  x.make_unique_values();
  x.data()[0] = 3;
  expect(same, {2}, {3, 2});
  expect(seen_as_column, {2, 1}, {7, 2});
}

TEST_CASE("a tensor refuses values that do not fit its shape, and one too large before memory is allocated for it") {
  CHECK(REFUSAL(shape, Tensor({2, 2}, {1, 2, 3})) == "A tensor of shape (2, 2) has 4 values, not 3.");
  CHECK(REFUSAL(shape, Tensor({2}, {1, 2}).item()) == "Only a tensor of one value has an item; this one is (2).");
  CHECK(REFUSAL(shape, Tensor({2}, {1, 2}).reshaped({3})) == "[reshape] (2) has 2 values, (3) has 3.");
  const std::size_t before = pool_stats().reserved;
  CHECK(REFUSAL(shape, Tensor({16384, 16384}, {1})) == "A tensor of shape (16384, 16384) has 268435456 values, not 1.");
  CHECK(pool_stats().reserved == before);
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

TEST_CASE("FNV-1a gives its authors' hashes of texts, whole and in pieces") {
  CHECK(hash_of("") == 0xcbf29ce484222325u);
  CHECK(hash_of("a") == 0xaf63dc4c8601ec8cu);
  CHECK(hash_of("foobar") == 0x85944171f73967e8u);
  CHECK(hash_of("bar", hash_of("foo")) == hash_of("foobar"));
  CHECK(hash_of("\xff") == 0xaf64724c8602eb6eu);
}
