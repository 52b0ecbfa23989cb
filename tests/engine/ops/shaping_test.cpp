#include "tests/engine/support/test.h"

const Tensor x({2, 3}, {1, 2, 3, 4, 5, 6});

TEST_CASE("transpose and permute move axes") {
  expect(transpose(x), {3, 2}, {1, 4, 2, 5, 3, 6});
  const Tensor y = reshape(x, {1, 2, 3});
  expect(permute(y, {2, 0, 1}), {3, 1, 2}, {1, 4, 2, 5, 3, 6});
  expect(permute(y, {-1, -2, -3}), {3, 2, 1}, {1, 4, 2, 5, 3, 6});
  expect(transpose(y), {1, 3, 2}, {1, 4, 2, 5, 3, 6});
}

TEST_CASE("broadcast_to repeats, sum_to reverses it") {
  expect(broadcast_to(Tensor({2, 1}, {1, 2}), {2, 2, 3}), {2, 2, 3}, {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2});
  expect(sum_to(Tensor::full({2, 2, 3}, 1), {2, 1}), {2, 1}, {6, 6});
}

TEST_CASE("concat, slice and pad along any axis") {
  expect(concat({x, Tensor({1, 3}, {7, 8, 9})}, 0), {3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  expect(concat({x, Tensor({2, 1}, {7, 8})}, -1), {2, 4}, {1, 2, 3, 7, 4, 5, 6, 8});
  expect(slice(x, 1, 1, 2), {2, 2}, {2, 3, 5, 6});
  expect(slice(x, 0, 1, 0), {0, 3}, {});
  expect(pad(x, -1, 1, 0), {2, 4}, {0, 1, 2, 3, 0, 4, 5, 6});
  expect(pad(x, 0, 0, 1), {3, 3}, {1, 2, 3, 4, 5, 6, 0, 0, 0});
}

TEST_CASE("axes can be exchanged even if a partial exchange would give an impossible shape") {
  constexpr int n = 20000;  // n · n values would be too many
  CHECK(transpose(Tensor::full({1, n}, 1)).shape() == Shape{n, 1});
  CHECK(permute(Tensor::full({1, n, 1}, 1), {1, 2, 0}).shape() == Shape{n, 1, 1});
}

TEST_CASE("a result that would be too large is refused, even if its size overflows an int") {
  constexpr int largest = std::numeric_limits<int>::max();
  const Tensor wide({0, largest}), one({1}, {1});
  const std::string sentence = "A size is at most 2147483647, not ";
  CHECK(REFUSAL(shape, concat({wide, wide}, 1)) == sentence + "4294967294.");
  CHECK(REFUSAL(shape, pad(one, 0, largest, largest)) == sentence + "4294967295.");
  CHECK(REFUSAL(shape, pad(one, 0, 0, largest - 1)) ==
        "A tensor of shape (2147483647) is too large: at most 2^28 values.");
}

TEST_CASE("detach keeps the values") { expect(detach(x), {2, 3}, {1, 2, 3, 4, 5, 6}); }

TEST_CASE("shapes that cannot be joined, cut or exchanged are refused by name") {
  CHECK(REFUSAL(shape, transpose(Tensor({3}))) == "[transpose] x is (3): it needs two axes to exchange.");
  CHECK(REFUSAL(shape, permute(x, {0})) == "[permute] 1 axes are given for (2, 3): give each axis once.");
  CHECK(REFUSAL(shape, permute(x, {0, 0})) == "[permute] axis 0 is given twice: give each axis once.");
  CHECK(REFUSAL(shape, reshape(x, {4})) == "[reshape] (2, 3) has 6 values, (4) has 4.");
  CHECK(REFUSAL(shape, broadcast_to(x, {3})) == "[broadcast_to] (2, 3) does not fit into (3).");
  CHECK(REFUSAL(shape, concat({}, 0)) == "[concat] there is nothing to join: give at least one tensor.");
  CHECK(REFUSAL(shape, concat({x, Tensor({2})}, 0)) == "[concat] (2, 3) and (2) differ elsewhere than along axis 0.");
  CHECK(REFUSAL(shape, slice(x, 1, 2, 2)) == "[slice] 2 indices from 2 on are not in 0 to 3, axis 1 of (2, 3).");
  CHECK(REFUSAL(shape, slice(x, 1, 2147483647, 1)).starts_with("[slice] 1 indices from 2147483647 on are not in"));
  CHECK(REFUSAL(shape, slice(x, 1, -1, 1)).starts_with("[slice]"));
  CHECK(REFUSAL(shape, pad(x, 0, -1, 0)) == "[pad] before is -1, after is 0: use 0 or more.");
  CHECK(REFUSAL(shape, slice(x, 5, 0, 1)) == "[slice] axis is 5, but the operand is (2, 3): use -2 to 1.");
}
