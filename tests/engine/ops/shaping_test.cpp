#include "engine/tensor/pool.h"
#include "tests/engine/support/test.h"

const Tensor x({2, 3}, {1, 2, 3, 4, 5, 6});

TEST_CASE("transpose and permute move axes, even if a partial exchange would give an impossible shape") {
  expect(transpose(x), {3, 2}, {1, 4, 2, 5, 3, 6});
  const Tensor y = reshape(x, {1, 2, 3});
  expect(permute(y, {2, 0, 1}), {3, 1, 2}, {1, 4, 2, 5, 3, 6});
  expect(permute(y, {-1, -2, -3}), {3, 2, 1}, {1, 4, 2, 5, 3, 6});
  expect(transpose(y), {1, 3, 2}, {1, 4, 2, 5, 3, 6});
  constexpr int n = 20000;  // n · n values would be too many
  CHECK(transpose(Tensor::full({1, n}, 1)).shape() == Shape{n, 1});
  CHECK(permute(Tensor::full({1, n, 1}, 1), {1, 2, 0}).shape() == Shape{n, 1, 1});
}

TEST_CASE("permute moves every value to its place, with up to six axes") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Samples random(seed, 3);
    const Tensor x = random.distinct(random.shape(1, Shape::max_rank));
    std::vector<int> order;
    for (int axis = 0; axis < x.rank(); ++axis) order.insert(order.begin() + random.below(axis + 1), axis);
    const Tensor y = permute(x, order);
    for (std::size_t i = 0; i < y.size(); ++i) {
      std::size_t rest = i, from = 0;
      for (int axis = x.rank() - 1; axis >= 0; --axis) {
        const auto size = static_cast<std::size_t>(y.shape()[axis]);
        from += rest % size * split_at(x.shape(), order[static_cast<std::size_t>(axis)]).inner;
        rest /= size;
      }
      CHECK(y.data()[i] == x.data()[from]);
    }
  }
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

const Tensor table({3, 2}, {1, 2, 3, 4, 5, 6});

TEST_CASE("gather takes rows, scatter_add adds them back, pick takes one value per row and one_hot marks it") {
  expect(gather(table, Tensor({2, 2}, {2, 0, 0, 1})), {2, 2, 2}, {5, 6, 1, 2, 1, 2, 3, 4});
  expect(gather(table, 1), {2}, {3, 4});
  expect(scatter_add(Tensor({3, 2}, {1, 2, 3, 4, 5, 6}), Tensor({3}, {1, 1, 0}), 3), {3, 2}, {5, 6, 4, 6, 0, 0});
  expect(pick(table, Tensor({3}, {1, 0, 1})), {3}, {2, 3, 6});
  expect(one_hot(Tensor({2}, {2, 0}), 3), {2, 3}, {0, 0, 1, 1, 0, 0});
}

TEST_CASE("argmax is the index of the largest value, the first among equals") {
  expect(argmax(Tensor({2, 3}, {1, 3, 2, 5, 4, 5})), {2}, {1, 0});
  expect(argmax(Tensor({3}, {-2, -1, -3})), {}, {1});
  CHECK(REFUSAL(shape, argmax(Tensor({2, 0}))) == "[argmax] axis 1 of (2, 0) is empty: there is no largest value.");
}

TEST_CASE("ids out of range are refused") {
  for (const Scalar id : {3.0f, -1.0f, 0.5f, NAN, 1e9f})
    CHECK(REFUSAL(input, gather(table, Tensor({2}, {0, id}))) ==
          "[gather] the id at position 1 is " + text_of(id) + ": use a whole number from 0 to 2.");
  CHECK(REFUSAL(input, one_hot(4, 3)).starts_with("[one_hot] the id at position 0 is 4"));
  CHECK(REFUSAL(input, pick(table, Tensor({3}, {0, 2, 0}))).starts_with("[pick] the id at position 1"));
}

TEST_CASE("shapes that do not fit are refused") {
  CHECK(REFUSAL(shape, gather(Tensor({3}), 0)) == "[gather] the table is (3): it must be (ids, values).");
  CHECK(REFUSAL(shape, pick(table, Tensor({2}, {0, 0}))) ==
        "[pick] x is (3, 2), ids is (2): give one id for each row of x.");
  CHECK(REFUSAL(shape, scatter_add(table, Tensor({2}, {0, 0}), 3)) ==
        "[scatter_add] rows is (3, 2), ids is (2): give one id for each row.");
  CHECK(REFUSAL(shape, scatter_add(Tensor::scalar(1), Tensor({2}, {0, 0}), 3)) ==
        "[scatter_add] rows is (), ids is (2): give one id for each row.");
  CHECK(REFUSAL(config, one_hot(0, -1)) == "[one_hot] count is -1: use 0 or more.");
  CHECK(REFUSAL(config, scatter_add(table, Tensor({3}, {0, 0, 0}), -2)) == "[scatter_add] count is -2: use 0 or more.");
  constexpr int n = 16385;  // n · n is more than 2^28
  const std::string sentence = "A tensor of shape (16385, 16385) is too large: at most 2^28 values.";
  CHECK(REFUSAL(shape, gather(Tensor::full({1, n}, 1), Tensor::full({n}, 0))) == sentence);
  CHECK(REFUSAL(shape, one_hot(Tensor::full({n}, 0), n)) == sentence);
}

namespace {

// The gradient of the table after `positions` look-ups of four ids each, many of them the same.
Tensor gradient_of_look_ups(Tape::Detail detail, int count, int width, int positions) {
  LiveTape tape(detail);
  Samples random(5);
  const Tensor table = input("table", random.tensor({count, width}), Role::parameter);
  Tensor loss = Tensor::scalar(0);
  for (int t = 0; t < positions; ++t)
    loss = loss + sum(gather(table, random.ids({4}, std::min(count, 3))) * random.tensor({4, width}));
  backward(loss);
  return gradient(table);
}

}  // namespace

TEST_CASE("the gradient of many look-ups has the bits of a sum of full tables, and takes the memory of one") {
  CHECK(same_bits(gradient_of_look_ups(Tape::Detail::training, 7, 5, 6),
                  gradient_of_look_ups(Tape::Detail::trace, 7, 5, 6)));
  constexpr std::size_t bytes = std::size_t{1} << 20;
  const std::size_t before = pool_stats().in_use;
  pool_trim();
  gradient_of_look_ups(Tape::Detail::training, bytes / sizeof(Scalar) / 16, 16, 6);
  CHECK(pool_stats().peak - before < 3 * bytes);  // the table, its gradient and small things
}

// 1  2  3
// 4  5  6
const Tensor picture({1, 1, 2, 3}, {1, 2, 3, 4, 5, 6});

TEST_CASE("unfold puts each window into a column, row by row, its channels in sequence, and keeps pictures separate") {
  expect(unfold(picture, {2, 2, 1}), {1, 4, 2}, {1, 2, 2, 3, 4, 5, 5, 6});
  expect(unfold(picture, {1, 2, 1}), {1, 2, 4}, {1, 2, 4, 5, 2, 3, 5, 6});
  expect(unfold(picture, {1, 1, 2}), {1, 1, 2}, {1, 3});  // row 1 and column 1 are in no window
  const Tensor two({2, 2, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  expect(unfold(two, {1, 2, 1}), {2, 4, 1}, {1, 2, 3, 4, 5, 6, 7, 8});
  expect(unfold(two, {1, 1, 1}), {2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("fold adds every value back where unfold took it, and inverts windows that do not overlap") {
  const Tensor ones = Tensor::full({1, 4, 2}, 1);
  expect(fold(ones, {2, 2, 1}, 2, 3), {1, 1, 2, 3}, {1, 2, 1, 1, 2, 1});
  expect(fold(Tensor({1, 1, 2}, {7, 8}), {1, 1, 2}, 2, 3), {1, 1, 2, 3}, {7, 0, 8, 0, 0, 0});
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
