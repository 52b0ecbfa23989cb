// Methods and operators that change a tensor, as in PyTorch 1.13.
#include "tests/engine/support/snippets.h"

using namespace unroll::snippets;

TEST_CASE("methods that change a tensor") {
  expect(of("return x.clone().add_(1)"), {2, 3}, {2, 3, 4, 5, 6, 7});
  expect(of("return x.clone().add_(y, alpha=2)"), {2, 3}, {2, 0, 7, 7, 11, 2});
  expect(of("return x.clone().sub_(y)"), {2, 3}, {0.5, 3, 1, 2.5, 2, 8});
  expect(of("return x.clone().mul_(y)"), {2, 3}, {0.5, -2, 6, 6, 15, -12});
  expect(of("return x.clone().div_(4)"), {2, 3}, {0.25, 0.5, 0.75, 1, 1.25, 1.5});
  expect(of("return x.clone().div_(y, rounding_mode='floor')"), {2, 3}, {2, -2, 1, 2, 1, -3});
  expect(of("return x.clone().pow_(2)"), {2, 3}, {1, 4, 9, 16, 25, 36});
  expect(of("return x.clone().neg_()"), {2, 3}, {-1, -2, -3, -4, -5, -6});
  expect(of("return y.clone().abs_()"), {2, 3}, {0.5, 1, 2, 1.5, 3, 2});
  expect(of("return y.clone().relu_()"), {2, 3}, {0.5, 0, 2, 1.5, 3, 0});
  expect(of("return y.clone().exp_()"), {2, 3}, {1.6487212, 0.36787945, 7.3890562, 4.481689, 20.085537, 0.13533528});
  expect(of("return x.clone().sqrt_()"), {2, 3}, {1, 1.4142135, 1.7320508, 2, 2.236068, 2.4494898});
  expect(of("return y.clone().sigmoid_()"), {2, 3},
         {0.62245935, 0.26894143, 0.88079703, 0.81757444, 0.95257413, 0.11920292});
  expect(of("return y.clone().tanh_()"), {2, 3},
         {0.46211717, -0.76159418, 0.96402758, 0.90514827, 0.99505478, -0.96402758});
  expect(of("return y.clone().clamp_(min=0)"), {2, 3}, {0.5, 0, 2, 1.5, 3, 0});
  expect(of("return y.clone().clamp_(-1, 1)"), {2, 3}, {0.5, -1, 1, 1, 1, -1});
  expect(of("return y.clone().floor_()"), {2, 3}, {0, -1, 2, 1, 3, -2});
  expect(of("return x.clone().fill_(3)"), {2, 3}, {3, 3, 3, 3, 3, 3});
  expect(of("return x.clone().zero_()"), {2, 3}, {0, 0, 0, 0, 0, 0});
  expect(of("return x.clone().copy_(y)"), {2, 3}, {0.5, -1, 2, 1.5, 3, -2});
  expect(of("return x.clone().copy_(y[0])"), {2, 3}, {0.5, -1, 2, 0.5, -1, 2});
  expect(of("return x.clone().masked_fill_(x > 2, -inf)"), {2, 3}, {1, 2, -INFINITY, -INFINITY, -INFINITY, -INFINITY});
  expect(of("return x.clone().tril_()"), {2, 3}, {1, 0, 0, 4, 5, 0});
  expect(of("return x.clone().triu_(1)"), {2, 3}, {0, 2, 3, 0, 0, 6});
  expect(of("return zeros(3, 3).fill_diagonal_(2)"), {3, 3}, {2, 0, 0, 0, 2, 0, 0, 0, 2});
  expect(of("return zeros(2, 4).fill_diagonal_(2)"), {2, 4}, {2, 0, 0, 0, 0, 2, 0, 0});
  expect(of("return x.clone().t_()"), {3, 2}, {1, 4, 2, 5, 3, 6});
  expect(of("return x.clone().transpose_(0, 1)"), {3, 2}, {1, 4, 2, 5, 3, 6});
  expect(of("return x.clone().unsqueeze_(0).squeeze_(0)"), {2, 3}, {1, 2, 3, 4, 5, 6});
  expect(of("return x.clone().sin_().cos_()"), {2, 3},
         {0.66636676, 0.61430031, 0.99005908, 0.72703511, 0.57440084, 0.96121681});
  expect(of("return x.clone().log_()"), {2, 3}, {0, 0.69314718, 1.0986123, 1.3862944, 1.6094379, 1.7917595});
  expect(of("return x.clone().remainder_(4)"), {2, 3}, {1, 2, 3, 0, 1, 2});
  expect(of("return (x > 2).fill_(True)"), {2, 3}, {1, 1, 1, 1, 1, 1});
  expect(of("return arange(3).mul_(2)"), {3}, {0, 2, 4});
  expect(of("return x.clone().fill_(tensor(2))"), {2, 3}, {2, 2, 2, 2, 2, 2});
  expect(of("z = x.clone()\n"
            "z @= y.T\n"
            "return z"),
         {2, 2}, {4.5, 1.5, 9, 9});
  expect(of("z = x.clone()\n"
            "z **= 2\n"
            "return z"),
         {2, 3}, {1, 4, 9, 16, 25, 36});
  expect(of("z = x.clone()\n"
            "z //= 2\n"
            "return z"),
         {2, 3}, {0, 1, 1, 2, 2, 3});
  expect(of("z = x.clone()\n"
            "z %= 4\n"
            "return z"),
         {2, 3}, {1, 2, 3, 0, 1, 2});
  expect(of("z = x > 2\n"
            "z &= x < 6\n"
            "return z"),
         {2, 3}, {0, 0, 1, 1, 1, 0});
  expect(of("z = x > 2\n"
            "z |= x < 2\n"
            "return z"),
         {2, 3}, {1, 0, 1, 1, 1, 1});
  expect(of("z = x > 2\n"
            "z ^= x > 4\n"
            "return z"),
         {2, 3}, {0, 0, 1, 1, 0, 0});
  expect(of("z = arange(3)\n"
            "z <<= 2\n"
            "return z"),
         {3}, {0, 4, 8});
  expect(of("z = arange(4)\n"
            "z >>= 1\n"
            "return z"),
         {4}, {0, 0, 1, 1});
  expect(of("z = x.clone()\n"
            "w = z\n"
            "z += 1\n"
            "return w"),
         {2, 3}, {2, 3, 4, 5, 6, 7});
  expect(of("z = x.clone()\n"
            "w = z\n"
            "z @= y.T\n"
            "return w"),
         {2, 3}, {1, 2, 3, 4, 5, 6});
  expect(of("return zeros(3).index_fill_(0, tensor([1]), 2)"), {3}, {0, 2, 0});
  expect(of("return x.clone().scatter_(1, tensor([[0], [2]]), 9)"), {2, 3}, {9, 2, 3, 4, 5, 9});
  expect(of("return x.clone().scatter_add_(1, tensor([[0, 0], [2, 1]]), y)"), {2, 3}, {0.5, 2, 3, 4, 8, 7.5});
  expect(of("return x.clone().index_add_(0, tensor([1, 0]), y)"), {2, 3}, {2.5, 5, 1, 4.5, 4, 8});
  expect(of("return x.clone().index_copy_(0, tensor([1]), y[:1])"), {2, 3}, {1, 2, 3, 0.5, -1, 2});
  expect(of("return x.clone().masked_scatter_(x > 3, y)"), {2, 3}, {1, 2, 3, 0.5, -1, 2});
  expect(of("return x.clone().lerp_(y, 0.5)"), {2, 3}, {0.75, 0.5, 2.5, 2.75, 4, 2});
  expect(of("return x.clone().round_()"), {2, 3}, {1, 2, 3, 4, 5, 6});
  expect(of("return x.clone().rsqrt_()"), {2, 3}, {1, 0.70710677, 0.57735026, 0.5, 0.44721359, 0.40824828});
  expect(of("return x.clone().reciprocal_()"), {2, 3}, {1, 0.5, 0.33333334, 0.25, 0.2, 0.16666667});
}

TEST_CASE("bits") {
  expect(of("return (x > 2) & (x < 6)"), {2, 3}, {0, 0, 1, 1, 1, 0});
  expect(of("return (x > 5) | (x < 2)"), {2, 3}, {1, 0, 0, 0, 0, 1});
  expect(of("return (x > 2) ^ (x > 4)"), {2, 3}, {0, 0, 1, 1, 0, 0});
  expect(of("return ~(x > 2)"), {2, 3}, {1, 1, 0, 0, 0, 0});
  expect(of("return arange(6) & 3"), {6}, {0, 1, 2, 3, 0, 1});
  expect(of("return arange(6) | 8"), {6}, {8, 9, 10, 11, 12, 13});
  expect(of("return arange(6) ^ 5"), {6}, {5, 4, 7, 6, 1, 0});
  expect(of("return ~arange(3)"), {3}, {-1, -2, -3});
  expect(of("return arange(4) << 2"), {4}, {0, 4, 8, 12});
  expect(of("return arange(8) >> 1"), {8}, {0, 0, 1, 1, 2, 2, 3, 3});
  expect(of("return tensor([6 & 3, 6 | 1, 6 ^ 2, ~6, 1 << 4, -9 >> 1, True & False, True | False, ~True])"), {9},
         {2, 7, 4, -7, 16, -5, 0, 1, -2});
  expect(of("return (x > 2) & True"), {2, 3}, {0, 0, 1, 1, 1, 1});
  expect(of("return (x > 2) & arange(3)"), {2, 3}, {0, 0, 0, 0, 1, 0});
}

TEST_CASE("what a tensor has of itself") {
  expect(of("p = Parameter(ones(2))\n"
            "q = p * 2\n"
            "return tensor([p.requires_grad, q.requires_grad, p.is_leaf, q.is_leaf, p.data.requires_grad, "
            "q.detach().requires_grad, ones(2).requires_grad])"),
         {7}, {1, 1, 1, 0, 0, 0, 0});
  expect(of("p = Parameter(ones(2))\n"
            "p.data.fill_(3)\n"
            "return p.detach()"),
         {2}, {3, 3});
  expect(of("z = zeros(2)\n"
            "p = Parameter(z)\n"
            "z[0] = 5\n"
            "return p.detach()"),
         {2}, {5, 0});
  expect(of("p = Parameter(ones(2))\n"
            "with torch.no_grad():\n"
            "    p += 1\n"
            "    p[0] = 7\n"
            "return p.detach()"),
         {2}, {7, 2});
  expect(of("p = Parameter(ones(2))\n"
            "p.data = zeros(3)\n"
            "return p.detach()"),
         {3}, {0, 0, 0});
  expect(of("p = Parameter(ones(2))\n"
            "p.requires_grad = False\n"
            "p += 1\n"
            "return p"),
         {2}, {2, 2});
  expect(of("return tensor([x.ndim, x.T.ndim, x[0, 0].ndim])"), {3}, {2, 2, 0});
  expect(of("w = Parameter(zeros(2, 3))\n"
            "w.data[0].normal_(0, 0)\n"
            "w.data[1] = 4\n"
            "return w.detach()"),
         {2, 3}, {0, 0, 0, 4, 4, 4});
  expect(of("w = Parameter(zeros(2, 3))\n"
            "with torch.no_grad():\n"
            "    w[1].fill_(2)\n"
            "return w.detach()"),
         {2, 3}, {0, 0, 0, 2, 2, 2});
  expect(of("z = zeros(2)\n"
            "z[0] = Parameter(ones(1))[0]\n"
            "return tensor([z.requires_grad, z.is_leaf])"),
         {2}, {1, 0});
}

TEST_CASE("what may not be changed") {
  const auto says = [](const Text& lines, const Text& sentence) {
    INFO(lines);
    CHECK(refused_in(lines).find(sentence) != Text::npos);
  };
  says(
      "z = x[0].expand(2, 3)\n"
      "z += 1\n"
      "return z",
      "several values of this tensor lie in one place, as expand leaves them: write .clone() before changing it.");
  says(
      "p = Parameter(ones(2))\n"
      "p += 1\n"
      "return p",
      "this is a parameter, or a part of one, which takes a gradient: change it within torch.no_grad(), or change its "
      ".data.");
  says(
      "p = Parameter(ones(2))\n"
      "p[0] = 1\n"
      "return p",
      "this is a parameter, or a part of one");
  says(
      "p = Parameter(ones(2))\n"
      "return p.fill_(1)",
      "this is a parameter, or a part of one");
  says(
      "p = Parameter(ones(2, 2))\n"
      "return p[0].zero_()",
      "this is a parameter, or a part of one");
  says(
      "p = Parameter(ones(2))\n"
      "q = p.view(2)\n"
      "q += 1\n"
      "return q",
      "this is a parameter, or a part of one");
  says(
      "p = ones(2).requires_grad_()\n"
      "p += 1\n"
      "return p",
      "this is a parameter, or a part of one");
  says(
      "z = arange(3)\n"
      "z += 0.5\n"
      "return z",
      "z is of type int and would become float: a tensor keeps its type when it is changed. Write z = with the whole "
      "expression.");
  says(
      "z = arange(3)\n"
      "z /= 2\n"
      "return z",
      "z is of type int and would become float");
  says(
      "z = x > 2\n"
      "z += 1\n"
      "return z",
      "z is of type bool and would become int");
  says(
      "z = arange(3)\n"
      "return z.mul_(1.5)",
      "a float value would be cut to fit into a tensor of type int: write x = x.float() first");
  says(
      "z = x[0].clone()\n"
      "z += x\n"
      "return z",
      "z is 3 values and would become 2 × 3: a tensor keeps its sizes when it is changed. Write z = with the whole "
      "expression.");
  says(
      "z = arange(3)\n"
      "z[0] = 0.5\n"
      "return z",
      "a float value would be cut to fit into a tensor of type int: write x = x.float() first.");
  says(
      "z = arange(3)\n"
      "return z.requires_grad_()",
      "only float tensors take a gradient, and this one is of type int: write .float().");
  says("return Parameter(arange(3))",
       "only float tensors take a gradient, and this one is of type int: write .float().");
  says("return (x * Parameter(ones(3))).requires_grad_(False)",
       "the result of an operation takes a gradient as its operands do: write x = x.detach() for one that takes none.");
  says("return x & 1",
       "& combines truth values or whole numbers, and x is a float: compare first, such as x > 0, or write .long().");
  says("return ~x",
       "~ takes a truth value, a whole number or a tensor of these, and this is a tensor of 2 × 3: compare first, such "
       "as x > 0.");
  says("return tensor(1 << -1)", "a shift is at least 0.");
}

TEST_CASE("a table is filled in time proportional to what is written") {
  // A copy of the table for each value would be 10^10 values, and the budget ends at 2 · 10^8.
  const Text fill = "    for i in range(320):\n        for j in range(320):\n            z[i, j] = i * 320 + j\n";
  const Text whole = "def f():\n    z = zeros(320, 320)\n" + fill + "    return z\n";
  const auto check = [](const Tensor& z) {
    bool fits = z.size() == 102'400;
    for (std::size_t i = 0; fits && i < z.size(); ++i) fits = z.data()[i] == static_cast<Scalar>(i);
    CHECK(fits);
  };
  check(tensor_of(whole));
  const LiveTape tape(Tape::Detail::trace);
  check(tensor_of(whole));
  // What shares the memory keeps its values: a copy is made once.
  const Tensor before = tensor_of("def f():\n    z = zeros(320, 320)\n    w = z.clone()\n" + fill + "    return w\n");
  CHECK(std::ranges::all_of(before.values(), [](Scalar value) { return value == 0; }));
}
