#include "tests/engine/support/test.h"

const Tensor x({2, 3}, {1, 2, 3, 4, 5, 6});

TEST_CASE("take reads values by their place among all, put replaces them and add_at adds them up") {
  const Tensor places({2, 2}, {5, 0, 0, 2});
  expect(take(x, places), {2, 2}, {6, 1, 1, 3});
  expect(take(x, 4), {}, {5});
  expect(add_at(Tensor({2, 2}, {1, 2, 3, 4}), places, {2, 3}), {2, 3}, {5, 0, 4, 0, 0, 1});
  expect(put(x, places, Tensor({2, 2}, {10, 20, 30, 40})), {2, 3}, {30, 2, 40, 4, 5, 10});
  expect(put(x, places, 7), {2, 3}, {7, 2, 7, 4, 5, 7});
  expect(put(x, Tensor({0}), Tensor({0})), {2, 3}, {1, 2, 3, 4, 5, 6});
  expect(x, {2, 3}, {1, 2, 3, 4, 5, 6});
}

TEST_CASE("along an axis each value has its own id, and the other indices are its own") {
  const Tensor ids({2, 2}, {2, 0, 1, 1});
  expect(take_along(x, ids, 1), {2, 2}, {3, 1, 5, 5});
  expect(take_along(x, Tensor({1, 2}, {1, 0}), 0), {1, 2}, {4, 2});
  expect(add_along(Tensor({2, 2}, {1, 2, 3, 4}), ids, -1, {2, 3}), {2, 3}, {2, 0, 1, 0, 7, 0});
  expect(put_along(x, ids, 1, Tensor({2, 2}, {10, 20, 30, 40})), {2, 3}, {20, 2, 10, 4, 40, 6});
  expect(put_along(x, ids, 1, 0), {2, 3}, {0, 2, 0, 4, 0, 6});
}

TEST_CASE("of values put at one place only the last one has a gradient; what they replace has none") {
  LiveTape tape(Tape::Detail::trace);
  const Tensor below = input("x", x), above = input("values", Tensor({3}, {10, 20, 30}));
  backward(sum(put(below, Tensor({3}, {1, 4, 1}), above) * Tensor({2, 3}, {1, 2, 3, 4, 5, 6})));
  expect(gradient(below), {2, 3}, {1, 0, 3, 4, 0, 6});
  expect(gradient(above), {3}, {0, 5, 2});
}

TEST_CASE("the rule of a place names the axis, if there is one") {
  LiveTape tape(Tape::Detail::trace);
  const Tensor each = input("x", x);
  backward(sum(take(each, Tensor({1}, {3}))) + sum(take_along(each, Tensor({2, 1}, {0, 2}), 1)));
  CHECK(node(tape, "take").op.rule_text() == "take");
  CHECK(node(tape, "take_along").op.rule_text() == "take:1");
  check_names(tape, {"∂x"});
  expect(gradient(each), {2, 3}, {1, 0, 0, 1, 0, 1});
}

TEST_CASE("places and ids out of range, and shapes that do not fit, are refused") {
  CHECK(REFUSAL(input, take(x, 6)) == "[take] the id at position 0 is 6: use a whole number from 0 to 5.");
  CHECK(REFUSAL(input, put(x, Tensor({2}, {0, -1}), 0)).starts_with("[put] the id at position 1 is -1"));
  CHECK(REFUSAL(input, take_along(x, Tensor({1, 1}, {2}), 0)) ==
        "[take_along] the id at position 0 is 2: use a whole number from 0 to 1.");
  CHECK(REFUSAL(shape, put(x, Tensor({2}, {0, 1}), Tensor({3}))) ==
        "[put] values is (3), the places are (2): give one value for each place.");
  CHECK(REFUSAL(shape, add_at(1, Tensor({2}, {0, 1}), {3})).starts_with("[add_at] values is (), the places are (2)"));
  CHECK(REFUSAL(shape, take_along(x, Tensor({3, 1}, {0, 0, 0}), 1)) ==
        "[take_along] ids is (3, 1), but the other tensor is (2, 3): it needs as many axes, and no larger size than "
        "that along any axis but 1.");
  CHECK(REFUSAL(shape, put_along(x, Tensor({2}, {0, 0}), 1, 0)).starts_with("[put_along] ids is (2)"));
  CHECK(REFUSAL(shape, take(Tensor::full({1 << 12, 1 << 13}, 0), 0)) ==
        "[take] the tensor is (4096, 8192): places count up to 2^24 values only.");
  CHECK(REFUSAL(shape, add_along(x, x, 2, {2, 3})).starts_with("[add_along] axis is 2"));
}
