#include "tests/engine/support/test.h"

// 1  2  3
// 4  5  6
const Tensor picture({1, 1, 2, 3}, {1, 2, 3, 4, 5, 6});

TEST_CASE("unfold puts each window into a column, row by row of windows") {
  expect(unfold(picture, {2, 2, 1}), {1, 4, 2}, {1, 2, 2, 3, 4, 5, 5, 6});
  expect(unfold(picture, {1, 2, 1}), {1, 2, 4}, {1, 2, 4, 5, 2, 3, 5, 6});
  expect(unfold(picture, {1, 1, 2}), {1, 1, 2}, {1, 3});  // row 1 and column 1 are in no window
}

TEST_CASE("unfold keeps the channels of a window in sequence, and pictures separate") {
  const Tensor two({2, 2, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  expect(unfold(two, {1, 2, 1}), {2, 4, 1}, {1, 2, 3, 4, 5, 6, 7, 8});
  expect(unfold(two, {1, 1, 1}), {2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("fold adds every value back where unfold took it") {
  const Tensor ones = Tensor::full({1, 4, 2}, 1);
  expect(fold(ones, {2, 2, 1}, 2, 3), {1, 1, 2, 3}, {1, 2, 1, 1, 2, 1});
  expect(fold(Tensor({1, 1, 2}, {7, 8}), {1, 1, 2}, 2, 3), {1, 1, 2, 3}, {7, 0, 8, 0, 0, 0});
}

TEST_CASE("windows that do not overlap tile a picture: fold inverts unfold") {
  const Tensor x({1, 1, 4, 4}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  const Tensor tiles = unfold(x, {2, 2, 2});
  expect(tiles, {1, 4, 4}, {1, 3, 9, 11, 2, 4, 10, 12, 5, 7, 13, 15, 6, 8, 14, 16});
  CHECK(same_bits(fold(tiles, {2, 2, 2}, 4, 4), x));
}

TEST_CASE("windows that do not fit are refused") {
  CHECK(REFUSAL(shape, unfold(Tensor({2, 3}), {1, 1, 1})) ==
        "[unfold] x is (2, 3): it must be (batch, channels, height, width).");
  CHECK(REFUSAL(shape, unfold(picture, {3, 1, 1})) == "[unfold] windows of 3 × 1 do not fit into a picture of 2 × 3.");
  CHECK(REFUSAL(shape, unfold(picture, {1, 1, 0})) ==
        "[unfold] windows of 1 × 1, 0 apart: use 1 or more for each of the three.");
  CHECK(REFUSAL(shape, fold(Tensor({1, 4, 3}), {2, 2, 1}, 2, 3)) ==
        "[fold] columns is (1, 4, 3): it must be (batch, channels · 4, 2) for windows of 2 × 2 in a picture of 2 × 3.");
  CHECK(REFUSAL(shape, fold(Tensor({1, 3, 2}), {2, 2, 1}, 2, 3)).starts_with("[fold] columns is (1, 3, 2)"));
  CHECK(REFUSAL(shape, fold(Tensor({1, 1, 1}), {1, 1, 1}, 70000, 70000)) ==
        "A tensor of shape (70000, 70000) is too large: at most 2^28 values.");
}
