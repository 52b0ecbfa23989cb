// Gradients through changed tensors, and what may not be changed, as in PyTorch 1.13.
#include "tests/engine/support/snippets.h"

using namespace unroll::snippets;

TEST_CASE("gradients flow through what is written") {
  expect_gradients(
      "z = x * 1\n"
      "z[0] = y[1]\n"
      "return z * z",
      {2, 3}, {2.25, 9, 4, 16, 25, 36}, {0, 0, 0, 32, 50, 72}, {0, 0, 0, 3, 12, -12});
  expect_gradients(
      "z = x * 1\n"
      "r = z[0]\n"
      "r += y[1]\n"
      "return z * z",
      {2, 3}, {6.25, 25, 1, 16, 25, 36}, {5, 20, 6, 32, 50, 72}, {0, 0, 0, 5, 20, 6});
  expect_gradients(
      "z = x * 1\n"
      "r = z.T[1]\n"
      "r *= y[:, 0]\n"
      "return z * x",
      {2, 3}, {1, 2, 9, 16, 37.5, 36}, {2, 4, 18, 32, 75, 72}, {8, 0, 0, 125, 0, 0});
  expect_gradients(
      "z = x * 2\n"
      "v = z.view(6)\n"
      "z[1] = y[0] * 3\n"
      "return v * v",
      {6}, {4, 16, 36, 2.25, 9, 36}, {8, 32, 72, 0, 0, 0}, {36, -90, 216, 0, 0, 0});
  expect_gradients(
      "z = zeros(2, 3)\n"
      "for i in range(2):\n"
      "    z[i] = x[i] * y[1 - i]\n"
      "return z * z",
      {2, 3}, {2.25, 36, 36, 4, 25, 144}, {4.5, 72, 72, 8, 50, 288}, {64, -250, 864, 3, 48, -108});
  expect_gradients(
      "z = zeros(2, 3)\n"
      "for i in range(2):\n"
      "    for j in range(3):\n"
      "        z[i][j] = x[i, j] * y[i, j]\n"
      "return z",
      {2, 3}, {0.5, -2, 6, 6, 15, -12}, {0.5, -2, 6, 6, 15, -12}, {1, 4, 9, 16, 25, 36});
  expect_gradients(
      "z = x * 1\n"
      "z[z > 2.5] = 0\n"
      "return z * y",
      {2, 3}, {0.5, -2, 0, 0, 0, -0}, {0.5, -2, 0, 0, 0, 0}, {1, 4, 0, 0, 0, 0});
  expect_gradients(
      "z = x * 1\n"
      "z[x > 2.5] = y[x > 2.5]\n"
      "return z * z",
      {2, 3}, {1, 4, 4, 2.25, 9, 4}, {2, 8, 0, 0, 0, 0}, {0, 0, 12, 12, 30, -24});
  expect_gradients(
      "z = x * 1\n"
      "z[[1, 0], [2, 1]] = y[0, :2]\n"
      "return z * z",
      {2, 3}, {1, 1, 9, 16, 25, 0.25}, {2, 0, 18, 32, 50, 0}, {6, -4, 0, 0, 0, 0});
  expect_gradients(
      "z = x * 1\n"
      "z += y\n"
      "z *= y\n"
      "return z * x",
      {2, 3}, {0.75, -2, 30, 33, 120, -48}, {1.25, -6, 48, 57, 195, -120}, {2, 0, 63, 112, 275, 72});
  expect_gradients(
      "z = x * 1\n"
      "z.exp_()\n"
      "return z * y",
      {2, 3}, {1.3591409, -7.3890562, 40.171074, 81.897232, 445.2395, -806.8576},
      {1.3591409, -14.778112, 120.51322, 327.58893, 2226.1975, -4841.1455},
      {2.7182817, 14.778112, 60.256611, 218.39261, 742.0658, 2420.5728});
  expect_gradients(
      "z = x * 1\n"
      "z.add_(y, alpha=3).mul_(2)\n"
      "return z * z",
      {2, 3}, {25, 4, 324, 289, 784, 0}, {20, -16, 216, 272, 560, 0}, {60, -48, 648, 816, 1680, 0});
  expect_gradients(
      "z = x * 1\n"
      "z.masked_fill_(y < 0, 7)\n"
      "return z * y",
      {2, 3}, {0.5, -7, 6, 6, 15, -14}, {0.5, 0, 6, 6, 15, 0}, {1, 14, 9, 16, 25, 42});
  expect_gradients(
      "z = x * 1\n"
      "z.clamp_(2, 5).pow_(2)\n"
      "return z",
      {2, 3}, {4, 4, 9, 16, 25, 25}, {0, 8, 18, 32, 50, 0}, {0, 0, 0, 0, 0, 0});
  expect_gradients(
      "z = x * 1\n"
      "z.copy_(y[1])\n"
      "return z * z",
      {2, 3}, {2.25, 9, 4, 2.25, 9, 4}, {0, 0, 0, 0, 0, 0}, {0, 0, 0, 15, 42, -36});
  expect_gradients(
      "z = x.clone()\n"
      "z.fill_(2)\n"
      "return z * y",
      {2, 3}, {1, -2, 4, 3, 6, -4}, {0, 0, 0, 0, 0, 0}, {2, 4, 6, 8, 10, 12});
  expect_gradients(
      "z = x * 1\n"
      "d = z.detach()\n"
      "return z * d",
      {2, 3}, {1, 4, 9, 16, 25, 36}, {1, 4, 9, 16, 25, 36}, {0, 0, 0, 0, 0, 0});
  expect_gradients(
      "z = x.T.contiguous().view(2, 3)\n"
      "return z * y",
      {2, 3}, {0.5, -4, 4, 7.5, 9, -12}, {0.5, 6, 15, -2, 6, -12}, {1, 8, 6, 20, 15, 36});
  expect_gradients("return x.data * y + x.detach()", {2, 3}, {1.5, 0, 9, 10, 20, -6}, {0, 0, 0, 0, 0, 0},
                   {1, 4, 9, 16, 25, 36});
  expect_gradients(
      "z = x[:, 1:] * 1\n"
      "w = z.expand(2, 2, 2)\n"
      "return w * w",
      {2, 2, 2}, {4, 9, 25, 36, 4, 9, 25, 36}, {0, 24, 48, 0, 100, 144}, {0, 0, 0, 0, 0, 0});
  expect_gradients(
      "a, b, c = (x * y).unbind(1)\n"
      "return a * b + c",
      {2}, {5, 78}, {-1, -0.5, 2, 45, 36, -4}, {-2, 1, 3, 120, 60, 12});
  expect_gradients(
      "q, k = (x * 1).split([1, 2], dim=1)\n"
      "return q * k",
      {2, 2}, {2, 3, 20, 24}, {8, 1, 2, 39, 12, 16}, {0, 0, 0, 0, 0, 0});
  expect_gradients("return (x @ y.T).diagonal() * x[:, 0]", {2}, {4.5, 36}, {5, -1, 2, 30, 24, -16},
                   {1, 2, 3, 32, 40, 48});
  expect_gradients(
      "z = torch.cat([x, y])\n"
      "z[1:3] += 1\n"
      "return z * z",
      {4, 3}, {1, 4, 9, 25, 36, 49, 2.25, 0, 9, 2.25, 9, 4}, {2, 8, 18, 40, 60, 84}, {21, 0, 54, 30, 66, -48});
  expect_gradients(
      "z = x * 1\n"
      "w = z[:, :2]\n"
      "z = z + 1\n"
      "w += y[:, :2]\n"
      "return z * w[0, 0]",
      {2, 3}, {3, 4.5, 6, 7.5, 9, 10.5}, {113.5, 3, 4.5, 6, 7.5, 9}, {112, 0, 0, 0, 0, 0});
  expect_gradients(
      "z = x * 1\n"
      "z[:] = z.flip(0)\n"
      "return z * y",
      {2, 3}, {2, -5, 12, 1.5, 6, -6}, {6, 15, -12, 0.5, -2, 6}, {4, 10, 18, 4, 10, 18});
  expect_gradients(
      "z = x * 1\n"
      "z[...] = y\n"
      "return z * x",
      {2, 3}, {0.5, -2, 6, 6, 15, -12}, {0.5, -2, 6, 6, 15, -12}, {1, 4, 9, 16, 25, 36});
  expect_gradients(
      "z = x * 1\n"
      "z[0, 0] = 3\n"
      "z[0] /= y[1]\n"
      "return z",
      {2, 3}, {2, 0.66666669, -1.5, 4, 5, 6}, {0, 0.66666669, -1.5, 4, 5, 6},
      {0, 0, 0, -1.3333334, -0.44444445, -2.25});
}

TEST_CASE("values that a gradient needs may not be changed") {
  const auto is_refused = [](const Text& lines) {
    return refused_while_recorded(lines).find("has used these values before, and its gradient still needs them") !=
           Text::npos;
  };
  CHECK(
      is_refused("z = x * 1\n"
                 "z[:, 0] = z[:, 1] * z[:, 2]\n"
                 "return z"));
  CHECK(
      is_refused("z = x.exp()\n"
                 "z += 1\n"
                 "return z"));
  CHECK(
      is_refused("z = x.tanh()\n"
                 "z[0] = 0\n"
                 "return z"));
  CHECK(
      is_refused("z = x.sigmoid()\n"
                 "z *= 2\n"
                 "return z"));
  CHECK(
      is_refused("z = (x * 1).softmax(-1)\n"
                 "z += 1\n"
                 "return z"));
  CHECK(
      is_refused("z = x.sqrt()\n"
                 "w = z[0]\n"
                 "w += 1\n"
                 "return z"));
  CHECK(
      is_refused("z = x * 1\n"
                 "w = z * y\n"
                 "z += 1\n"
                 "return w + z"));
  CHECK(
      is_refused("z = x * 1\n"
                 "w = z @ y.T\n"
                 "z[0] = 0\n"
                 "return w"));
  CHECK(
      is_refused("z = x * 1\n"
                 "w = z / y\n"
                 "z += 1\n"
                 "return w"));
  CHECK(
      is_refused("z = y * 1\n"
                 "w = x / z\n"
                 "z += 1\n"
                 "return w"));
  CHECK(
      is_refused("z = x * 1\n"
                 "w = z ** 2\n"
                 "z += 1\n"
                 "return w"));
  CHECK(
      is_refused("z = x * 1\n"
                 "w = z.log()\n"
                 "z += 1\n"
                 "return w"));
  CHECK(
      is_refused("z = x.relu()\n"
                 "z += 1\n"
                 "return z"));
}

TEST_CASE("an input is not changed through detach, so that the next run begins with the same values") {
  for (const std::string twin : {"w.detach()", "w.data", "w.detach().view(-1)"})
    CHECK(refused("def f():\n  w = parameter('w', (3,))\n  b = " + twin + "\n  b += 3.0\n  return b.sum()\n")
              .starts_with("line 4, column 3: an input or parameter cannot be changed"));
}

TEST_CASE("values that no gradient needs may be changed after use") {
  CHECK(refused_while_recorded("z = x * 1\n"
                               "w = z + y\n"
                               "z += 1\n"
                               "return w * z") == "nothing was refused");
  CHECK(refused_while_recorded("z = x * 1\n"
                               "w = z * 2\n"
                               "z += 1\n"
                               "return w") == "nothing was refused");
  CHECK(refused_while_recorded("z = x.exp() + 0\n"
                               "z += 1\n"
                               "return z") == "nothing was refused");
  CHECK(refused_while_recorded("z = x * 1\n"
                               "z *= y\n"
                               "z *= y\n"
                               "return z") == "nothing was refused");
  CHECK(refused_while_recorded("z = x * 1\n"
                               "w = z.mean(0)\n"
                               "z += 1\n"
                               "return w") == "nothing was refused");
  CHECK(refused_while_recorded("z = x.exp()\n"
                               "w = z.clone()\n"
                               "w += 1\n"
                               "return w") == "nothing was refused");
  // Nor those that another run has used.
  CHECK(refused("import torch\nz = torch.ones(3)\ndef f(x):\n    z.mul_(2)\n    return x[0] * z\n",
                {with_gradient(x)}) == "nothing was refused");
}

TEST_CASE("a parameter is not changed while a gradient flows through it") {
  const LiveTape tape(Tape::Detail::trace);
  program::TypedTensor parameter{input("p", x, Role::parameter)};
  parameter.is_parameter = parameter.takes_gradient = true;
  const auto refusal_of = [&](const Text& lines) { return refused("import torch\ndef f(p):\n" + lines, {parameter}); };
  const Text sentence =
      "a gradient flows through these values, and here nothing is recorded that could follow the change: change a copy "
      "instead, such as x = x.clone().";
  CHECK(refusal_of("    with torch.no_grad():\n        p.mul_(2)\n    return p\n").find(sentence) != Text::npos);
  CHECK(refusal_of("    p.data.mul_(2)\n    return p\n").find(sentence) != Text::npos);
  CHECK(refusal_of("    p.data = torch.zeros(2)\n    return p\n").find(sentence) != Text::npos);
  CHECK(refusal_of("    p.data.clone().mul_(2)\n    return p\n") == "nothing was refused");
}
