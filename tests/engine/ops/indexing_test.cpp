#include "engine/tensor/pool.h"
#include "tests/engine/support/test.h"

const Tensor table({3, 2}, {1, 2, 3, 4, 5, 6});

TEST_CASE("gather takes rows, scatter_add adds them back") {
  expect(gather(table, Tensor({2, 2}, {2, 0, 0, 1})), {2, 2, 2}, {5, 6, 1, 2, 1, 2, 3, 4});
  expect(gather(table, 1), {2}, {3, 4});
  expect(scatter_add(Tensor({3, 2}, {1, 2, 3, 4, 5, 6}), Tensor({3}, {1, 1, 0}), 3), {3, 2}, {5, 6, 4, 6, 0, 0});
}

TEST_CASE("pick takes one value per row; one_hot marks it") {
  expect(pick(table, Tensor({3}, {1, 0, 1})), {3}, {2, 3, 6});
  expect(one_hot(Tensor({2}, {2, 0}), 3), {2, 3}, {0, 0, 1, 1, 0, 0});
}

TEST_CASE("argmax is the index of the largest value along the last axis, the first among equals") {
  expect(argmax(Tensor({2, 3}, {1, 3, 2, 5, 4, 5})), {2}, {1, 0});
  expect(argmax(Tensor({3}, {-2, -1, -3})), {}, {1});
  CHECK(REFUSAL(shape, argmax(Tensor({2, 0}))) ==
        "[argmax] the last axis of (2, 0) is empty: there is no largest value.");
}

TEST_CASE("ids out of range are refused") {
  const auto wrong = [](double id) { return REFUSAL(input, gather(table, Tensor({2}, {0, static_cast<Scalar>(id)}))); };
  CHECK(wrong(3) == "[gather] the id at position 1 is 3: use a whole number from 0 to 2.");
  CHECK(wrong(-1) == "[gather] the id at position 1 is -1: use a whole number from 0 to 2.");
  CHECK(wrong(0.5) == "[gather] the id at position 1 is 0.5: use a whole number from 0 to 2.");
  CHECK(wrong(0.0 / 0.0) == "[gather] the id at position 1 is NaN: use a whole number from 0 to 2.");
  CHECK(wrong(1e9) == "[gather] the id at position 1 is 1e+09: use a whole number from 0 to 2.");
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

TEST_CASE("the gradient of many look-ups has the bits of a sum of full tables") {
  CHECK(same_bits(gradient_of_look_ups(Tape::Detail::training, 7, 5, 6),
                  gradient_of_look_ups(Tape::Detail::trace, 7, 5, 6)));
}

TEST_CASE("the gradient of many look-ups takes the memory of one table") {
  constexpr std::size_t bytes = std::size_t{1} << 20;
  const std::size_t before = pool_stats().in_use;
  pool_trim();
  gradient_of_look_ups(Tape::Detail::training, bytes / sizeof(Scalar) / 16, 16, 6);
  CHECK(pool_stats().peak - before < 3 * bytes);  // the table, its gradient and small things
}
