// Indices by masks, lists and several tensors, read and written, as in PyTorch 1.13.
#include "tests/engine/support/snippets.h"

using namespace unroll::snippets;

TEST_CASE("parts by masks, lists and several tensors") {
  expect(of("return x[x > 2]"), {4}, {3, 4, 5, 6});
  expect(of("return x[tensor([True, False])]"), {1, 3}, {1, 2, 3});
  expect(of("return x[:, tensor([True, False, True])]"), {2, 2}, {1, 3, 4, 6});
  expect(of("return x[[True, False]]"), {1, 3}, {1, 2, 3});
  expect(of("return x[[1, 0, 1]]"), {3, 3}, {4, 5, 6, 1, 2, 3, 4, 5, 6});
  expect(of("return x[:, [2, 0]]"), {2, 2}, {3, 1, 6, 4});
  expect(of("return x[:, [-1]]"), {2, 1}, {3, 6});
  expect(of("return x[[1, 0], [2, 0]]"), {2}, {6, 1});
  expect(of("return x[arange(2), tensor([2, 0])]"), {2}, {3, 4});
  expect(of("return x[tensor([[0], [1]]), tensor([0, 2])]"), {2, 2}, {1, 3, 4, 6});
  expect(of("return x[[0, 1], 1]"), {2}, {2, 5});
  expect(of("return x[1, [0, 2]]"), {2}, {4, 6});
  expect(of("return x[..., [0, 2]]"), {2, 2}, {1, 3, 4, 6});
  expect(of("return x[None, [1]]"), {1, 1, 3}, {4, 5, 6});
  expect(of("return x[tensor([[0, 1], [1, 0]])]"), {2, 2, 3}, {1, 2, 3, 4, 5, 6, 4, 5, 6, 1, 2, 3});
  expect(of("return x[(1, 2)]"), {}, {6});
  expect(of("return x[range(2)]"), {2, 3}, {1, 2, 3, 4, 5, 6});
  expect(of("return x[[[0, 1], [1, 1]]]"), {2}, {2, 5});
  expect(of("z = arange(24).view(2, 3, 4)\n"
            "return z[:, [0, 2], [1, 3]]"),
         {2, 2}, {1, 11, 13, 23});
  expect(of("z = arange(24).view(2, 3, 4)\n"
            "return z[[0, 1], :, [1, 3]]"),
         {2, 3}, {1, 5, 9, 15, 19, 23});
  expect(of("z = arange(24).view(2, 3, 4)\n"
            "return z[0, :, [1, 3]]"),
         {3, 2}, {1, 3, 5, 7, 9, 11});
  expect(of("z = arange(24).view(2, 3, 4)\n"
            "return z[[0, 1], :, 2]"),
         {2, 3}, {2, 6, 10, 14, 18, 22});
  expect(of("z = arange(24).view(2, 3, 4)\n"
            "return z[:, tensor([[0, 1], [2, 0]])]"),
         {2, 2, 2, 4}, {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 0,  1,  2,  3,
                        12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 12, 13, 14, 15});
  expect(of("z = arange(24).view(2, 3, 4)\n"
            "return z[tensor([[0, 1], [1, 0]]), 1:, [[0], [3]]]"),
         {2, 2, 2}, {4, 8, 16, 20, 19, 23, 7, 11});
  expect(of("z = arange(24).view(2, 3, 4)\n"
            "return z[:, None, [0, 2], None, 1:3]"),
         {2, 1, 2, 1, 2}, {1, 2, 9, 10, 13, 14, 21, 22});
  expect(of("z = arange(24).view(2, 3, 4)\n"
            "return z[z[:, :, 0] > 5]"),
         {4, 4}, {8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23});
  expect(of("z = arange(24).view(2, 3, 4)\n"
            "return z[:, z[0] > 5]"),
         {2, 6}, {6, 7, 8, 9, 10, 11, 18, 19, 20, 21, 22, 23});
  expect(of("z = arange(24).view(2, 3, 4)\n"
            "return z[1, z[0] > 5]"),
         {6}, {18, 19, 20, 21, 22, 23});
  expect(of("z = arange(24).view(2, 3, 4)\n"
            "return z[[1, 0], ..., [0, 3]]"),
         {2, 3}, {12, 16, 20, 3, 7, 11});
  expect(of("z = arange(24).view(2, 3, 4)\n"
            "return z[z[:, 0, 0] > 5, 1]"),
         {1, 4}, {16, 17, 18, 19});
  expect(of("z = arange(24).view(2, 3, 4)\n"
            "return z[tensor(1), ::2, tensor(2)]"),
         {2}, {14, 22});
  expect(of("return x[[]]"), {0, 3}, {});
  expect(of("return x[zeros(2, 3) > 0]"), {0}, {});
  expect(of("return x[tensor([-1, -2])]"), {2, 3}, {4, 5, 6, 1, 2, 3});
  expect(of("return x[tensor([1, 0])[:, None], arange(3).flip(0)]"), {2, 3}, {6, 5, 4, 3, 2, 1});
}

TEST_CASE("parts are replaced by masks, lists and several tensors") {
  expect(of("z = x.clone()\n"
            "z[z > 2] = 0\n"
            "return z"),
         {2, 3}, {1, 2, 0, 0, 0, 0});
  expect(of("z = x.clone()\n"
            "z[z > 2] = arange(4).float()\n"
            "return z"),
         {2, 3}, {1, 2, 0, 1, 2, 3});
  expect(of("z = x.clone()\n"
            "z[[1, 0]] = y\n"
            "return z"),
         {2, 3}, {1.5, 3, -2, 0.5, -1, 2});
  expect(of("z = x.clone()\n"
            "z[:, [2, 0]] = y[:, :2]\n"
            "return z"),
         {2, 3}, {-1, 2, 0.5, 3, 5, 1.5});
  expect(of("z = x.clone()\n"
            "z[arange(2), tensor([2, 0])] = -1\n"
            "return z"),
         {2, 3}, {1, 2, -1, -1, 5, 6});
  expect(of("z = x.clone()\n"
            "z[:, tensor([True, False, True])] = 9\n"
            "return z"),
         {2, 3}, {9, 2, 9, 9, 5, 9});
  expect(of("z = x.clone()\n"
            "z[[0, 1], [1, 2]] += 10\n"
            "return z"),
         {2, 3}, {1, 12, 3, 4, 5, 16});
  expect(of("z = x.clone()\n"
            "z[[1]] *= 2\n"
            "return z"),
         {2, 3}, {1, 2, 3, 8, 10, 12});
  expect(of("z = x.clone()\n"
            "z[x > 3] -= y[x > 3]\n"
            "return z"),
         {2, 3}, {1, 2, 3, 2.5, 2, 8});
  expect(of("z = zeros(2, 3, 4)\n"
            "z[[0, 1], :, [1, 3]] = 1\n"
            "z[:, 1, ::2] = 2\n"
            "z[..., 3] = x\n"
            "return z"),
         {2, 3, 4}, {0, 1, 0, 1, 2, 1, 2, 2, 0, 1, 0, 3, 0, 0, 0, 4, 2, 0, 2, 5, 0, 0, 0, 6});
  expect(of("z = x.clone()\n"
            "z[[0, 0]] = 5\n"
            "return z"),
         {2, 3}, {5, 5, 5, 4, 5, 6});
  expect(of("z = x.T.clone().T\n"
            "z[[1], 1:] = 0\n"
            "return z"),
         {2, 3}, {1, 2, 3, 4, 0, 0});
  expect(of("z = x.clone()\n"
            "w = z.T\n"
            "w[[2, 0], 1] = y[0, :2]\n"
            "return z"),
         {2, 3}, {1, 2, 3, -1, 5, 0.5});
  expect(of("z = zeros(3, 3) > 0\n"
            "z[1] = True\n"
            "z[:, 0] = 1\n"
            "return z"),
         {3, 3}, {1, 0, 0, 1, 1, 1, 1, 0, 0});
  expect(of("z = arange(4)\n"
            "z[1:3] = tensor([7, 8])\n"
            "z[-1] = True\n"
            "return z"),
         {4}, {0, 7, 8, 1});
  expect(of("z = x.clone()\n"
            "z[0] = tensor([1])\n"
            "z[1, 1:] = tensor([[8, 9]])\n"
            "return z"),
         {2, 3}, {1, 1, 1, 4, 8, 9});
  expect(of("z = arange(6.)\n"
            "z[::2] = z[1::2].clone()\n"
            "return z"),
         {6}, {1, 1, 3, 3, 5, 5});
  expect(of("z = x.clone()\n"
            "z[None, 0] = 4\n"
            "return z"),
         {2, 3}, {4, 4, 4, 4, 5, 6});
  expect(of("z = x.clone()\n"
            "z[y < 0, ] = 0\n"
            "return z"),
         {2, 3}, {1, 0, 3, 4, 5, 0});
  expect(of("z = arange(6.)\n"
            "z[1:] = z[:-1].clone()\n"
            "return z"),
         {6}, {0, 0, 1, 2, 3, 4});
}

TEST_CASE("gradients flow through indices") {
  expect_gradients("return x[x > 2] * y[x > 2]", {4}, {6, 6, 15, -12}, {0, 0, 2, 3, 9, -8}, {0, 0, 3, 8, 15, 24});
  expect_gradients("return x[[1, 1, 0]] * y[[0, 1, 0]]", {3, 3}, {2, -5, 12, 6, 15, -12, 0.5, -2, 6},
                   {3.5, -8, 18, 6.5, 13, -6}, {11, 26, 45, 16, 25, 36});
  expect_gradients("return x[[0, 1, 1], [2, 2, 2]]", {3}, {3, 6, 6}, {0, 0, 1, 0, 0, 5}, {0, 0, 0, 0, 0, 0});
  expect_gradients("return x[:, [2, 2]] * y[:, :2]", {2, 2}, {1.5, -3, 9, 18}, {0, 0, -1.5, 0, 0, 16.5},
                   {3, 6, 0, 18, 24, 0});
  expect_gradients(
      "z = x.view(1, 2, 3)\n"
      "return z[[0, 0], :, [1, 2]] * y[:, :2]",
      {2, 2}, {1, -5, 4.5, 18}, {0, 0.5, 4.5, 0, -2, 12}, {2, 10, 0, 9, 24, 0});
  expect_gradients("return (x * y)[tensor([[0, 1], [1, 1]]), arange(2)]", {2, 2}, {0.5, 15, 6, 15},
                   {0.5, -0, 0, 4.5, 18, -0}, {1, 0, 0, 12, 30, 0});
}

TEST_CASE("what PyTorch refuses of indices") {
  const auto says = [](const Text& lines, const Text& sentence) {
    INFO(lines);
    CHECK(refused_in(lines).find(sentence) != Text::npos);
  };
  says("return x[[2]]", "index 2 is outside of 2 places: they are 0 to 1.");
  says("return x[:, [-4]]", "index -4 is outside of 3 places: they are 0 to 2.");
  says(
      "z = x.clone()\n"
      "z[[5]] = 1\n"
      "return z",
      "index 5 is outside of 2 places: they are 0 to 1.");
  says("return x[[0, 1], [0, 1, 2]]",
       "the tensors of one index are 2 values and 3 values: their sizes are equal or 1, from the last to the first.");
  says("return x[tensor([True, False, True])]",
       "the mask is 3 values, and its axis 0 has 3 places where the tensor has 2: a mask has the sizes of the axes "
       "that it picks from.");
  says("return x[x[:, :2] > 0]", "the mask is 2 × 2, and its axis 1 has 2 places where the tensor has 3");
  says("return x[x.sum() > 0]", "a mask needs at least one axis as an index: use if, or where(condition, a, b).");
  says("return x[tensor([0.5])]", "an index is a tensor of whole numbers: write ids.long().");
  says("return x[[0.5]]", "an index is a whole number, and this is the number 0.5.");
  says("return x[0, 0, 0]", "3 indices for a tensor of 2 × 3, which has 2 axes.");
  says("return x[:, [0, 1], [0]]", "3 indices for a tensor of 2 × 3, which has 2 axes.");
  says("return x[..., ...]", "an index has at most one “...”.");
  says(
      "z = x.clone()\n"
      "z[x > 2] = y[0]\n"
      "return z",
      "a tensor of 3 values does not fit into 4 values of the other.");
  says(
      "z = x.clone()\n"
      "z[0] = y\n"
      "return z",
      "a tensor of 2 × 3 does not fit into 3 values of the other.");
  says(
      "z = x.clone()\n"
      "z[[0, 0]] = y\n"
      "return z",
      "these indices name one place twice, so that two values have it: make them differ, or use index_add or "
      "scatter_add.");
}
