#include "engine/tensor/shape.h"

#include "tests/engine/support/test.h"

TEST_CASE("a shape has a rank, sizes indexed from both ends, and a number of values") {
  const Shape shape{2, 3, 4};
  CHECK(shape.rank() == 3);
  CHECK(shape.size() == 24);
  CHECK(shape[0] == 2);
  CHECK(shape[-1] == 4);
  CHECK(Shape{}.size() == 1);
  CHECK(Shape{3, 0}.size() == 0);
  CHECK(text_of(shape) == "(2, 3, 4)");
}

TEST_CASE("axes can be added, removed and resized") {
  const Shape shape{2, 3};
  CHECK(shape.inserted(0) == Shape{1, 2, 3});
  CHECK(shape.inserted(2) == Shape{2, 3, 1});
  CHECK(shape.without(0) == Shape{3});
  CHECK(shape.without(1) == Shape{2});
  CHECK(shape.with(-1, 7) == Shape{2, 7});
}

TEST_CASE("negative axes count from the end in every query") {
  const Shape shape{2, 3};
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
  CHECK(REFUSAL(shape, Shape({1, 1, 1, 1, 1})) == "A tensor has at most 4 axes, not 5.");
  CHECK(REFUSAL(shape, Shape({2, -1})) == "A size is 0 or more, not -1.");
  CHECK(REFUSAL(shape, Shape({65536, 65536})).ends_with("is too large: at most 2^28 values."));
  CHECK(REFUSAL(shape, Shape({65536, 65536, 65536, 65536})).ends_with("at most 2^28 values."));
  CHECK(REFUSAL(shape, Shape({65536, 65536, 3, 4})).find("(65536, 65536, 3, 4)") != std::string::npos);
  CHECK(REFUSAL(shape, Shape({0, 65536, 65536}).without(0)).find("(65536, 65536)") != std::string::npos);
  CHECK(REFUSAL(shape, Shape({2, 3}).with(0, -1)) == "A size is 0 or more, not -1.");
  CHECK(REFUSAL(shape, Shape({1, 65537}).with(0, 65537)) ==
        "A tensor of shape (65537, 65537) is too large: at most 2^28 values.");
  CHECK(REFUSAL(shape, Shape({1, 1, 1, 1}).inserted(0)).starts_with("A tensor has at most 4 axes"));
}

TEST_CASE("broadcasting follows NumPy") {
  CHECK(broadcast("add", {3, 1}, {4}) == Shape{3, 4});
  CHECK(broadcast("add", {}, {2, 3}) == Shape{2, 3});
  CHECK(broadcast("add", {5, 1, 2}, {4, 1}) == Shape{5, 4, 2});
  CHECK(broadcast("add", {1}, {0}) == Shape{0});
  CHECK(REFUSAL(shape, broadcast("add", {2, 3}, {4})) ==
        "[add] a is (2, 3), b is (4): sizes 3 and 4 along axis -1 differ and neither is 1.");
  CHECK(REFUSAL(shape, broadcast("add", {65537, 1}, {1, 65537})) ==  // 2^32 + 2^17 + 1: 131073 in 32 bits
        "A tensor of shape (65537, 65537) is too large: at most 2^28 values.");
}

TEST_CASE("the refusal of an axis lists the valid ones") {
  CHECK(checked_axis("sum", {2, 3}, -2) == 0);
  CHECK(REFUSAL(shape, checked_axis("sum", {2, 3}, 2)) == "[sum] axis is 2, but the operand is (2, 3): use -2 to 1.");
}
