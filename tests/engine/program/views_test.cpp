// Views share their values with a tensor, as in PyTorch 1.13: what one writes, all read.
#include "tests/engine/support/snippets.h"

using namespace unroll::snippets;

TEST_CASE("a write through a view is seen by the tensor and its other views") {
  expect(of("z = x.clone()\n"
            "r = z[0]\n"
            "r[1] = 9\n"
            "return z"),
         {2, 3}, {1, 9, 3, 4, 5, 6});
  expect(of("z = x.clone()\n"
            "t = z.T\n"
            "t[2, 1] = 9\n"
            "return z"),
         {2, 3}, {1, 2, 3, 4, 5, 9});
  expect(of("z = x.clone()\n"
            "t = z.T\n"
            "z[1, 2] = 9\n"
            "return t"),
         {3, 2}, {1, 4, 2, 5, 3, 9});
  expect(of("z = x.clone()\n"
            "v = z.view(6)\n"
            "v[4] = 9\n"
            "return z"),
         {2, 3}, {1, 2, 3, 4, 9, 6});
  expect(of("z = x.clone()\n"
            "v = z.view(3, 2)\n"
            "z[0] = 0\n"
            "return v"),
         {3, 2}, {0, 0, 0, 4, 5, 6});
  expect(of("z = x.clone()\n"
            "a = z[:, 1:]\n"
            "b = z[:, :2]\n"
            "a += 10\n"
            "return b"),
         {2, 2}, {1, 12, 4, 15});
  expect(of("z = x.clone()\n"
            "a = z[:, ::2]\n"
            "a *= 2\n"
            "return z"),
         {2, 3}, {2, 2, 6, 8, 5, 12});
  expect(of("z = x.clone()\n"
            "a = z[None, ..., None]\n"
            "a[0, 1, 1, 0] = 7\n"
            "return z"),
         {2, 3}, {1, 2, 3, 4, 7, 6});
  expect(of("z = x.clone()\n"
            "for row in z:\n"
            "    row[0] = 0\n"
            "return z"),
         {2, 3}, {0, 2, 3, 0, 5, 6});
  expect(of("z = x.clone()\n"
            "for p in z.split(2, 1):\n"
            "    p += p\n"
            "return z"),
         {2, 3}, {2, 4, 6, 8, 10, 12});
  expect(of("z = x.clone()\n"
            "a, b, c = z.unbind(1)\n"
            "b.fill_(0)\n"
            "return z"),
         {2, 3}, {1, 0, 3, 4, 0, 6});
  expect(of("z = x.clone()\n"
            "a, b = z.chunk(2, -1)\n"
            "a -= b\n"
            "return z"),
         {2, 3}, {-2, -1, 3, -2, -1, 6});
  expect(of("z = x.clone()\n"
            "z.diagonal().fill_(0)\n"
            "return z"),
         {2, 3}, {0, 2, 3, 4, 0, 6});
  expect(of("z = x.clone()\n"
            "z.diagonal(1)[1] = -1\n"
            "return z"),
         {2, 3}, {1, 2, 3, 4, 5, -1});
  expect(of("z = x.clone()\n"
            "z.narrow(1, 1, 2).zero_()\n"
            "return z"),
         {2, 3}, {1, 0, 0, 4, 0, 0});
  expect(of("z = x.clone()\n"
            "z.permute(1, 0)[0] = y[:, 0]\n"
            "return z"),
         {2, 3}, {0.5, 2, 3, 1.5, 5, 6});
  expect(of("z = x.clone()\n"
            "z.unsqueeze(0)[0, 0, 0] = 5\n"
            "return z"),
         {2, 3}, {5, 2, 3, 4, 5, 6});
  expect(of("z = x.clone()\n"
            "z.flatten()[3] = 0\n"
            "return z"),
         {2, 3}, {1, 2, 3, 0, 5, 6});
  expect(of("z = x.clone()\n"
            "z.T.reshape(6)[3] = 0\n"
            "return z"),
         {2, 3}, {1, 2, 3, 4, 5, 6});
  expect(of("z = x.clone()\n"
            "z.reshape(6)[3] = 0\n"
            "return z"),
         {2, 3}, {1, 2, 3, 0, 5, 6});
  expect(of("z = x.clone()\n"
            "z[[0]][0] = 0\n"
            "return z"),
         {2, 3}, {1, 2, 3, 4, 5, 6});
  expect(of("z = x.clone()\n"
            "z.T.contiguous()[0] = 0\n"
            "return z"),
         {2, 3}, {1, 2, 3, 4, 5, 6});
  expect(of("z = x.clone()\n"
            "z.contiguous()[0] = 0\n"
            "return z"),
         {2, 3}, {0, 0, 0, 4, 5, 6});
  expect(of("z = x[:1].clone()\n"
            "w = z.expand(3, 3)\n"
            "z[0, 0] = 8\n"
            "return w"),
         {3, 3}, {8, 2, 3, 8, 2, 3, 8, 2, 3});
  expect(of("z = x[:1].clone()\n"
            "w = z.expand(3, 3)\n"
            "w[0][1] = 8\n"
            "return w"),
         {3, 3}, {1, 8, 3, 1, 8, 3, 1, 8, 3});
  expect(of("z = zeros(2, 2, 3)\n"
            "v = z[0]\n"
            "u = v[:, 1]\n"
            "u += 1\n"
            "v[1] += 2\n"
            "return z"),
         {2, 2, 3}, {0, 1, 0, 2, 3, 2, 0, 0, 0, 0, 0, 0});
  expect(of("z = x.clone()\n"
            "d = z.detach()\n"
            "d[0] = 0\n"
            "return z"),
         {2, 3}, {0, 0, 0, 4, 5, 6});
  expect(of("z = x.clone()\n"
            "z.data[0] = 0\n"
            "return z + z.data"),
         {2, 3}, {0, 0, 0, 8, 10, 12});
  expect(of("z = x.clone()\n"
            "z.data.mul_(2)\n"
            "return z"),
         {2, 3}, {2, 4, 6, 8, 10, 12});
  expect(of("z = x.clone()\n"
            "w = z\n"
            "w += 1\n"
            "return z"),
         {2, 3}, {2, 3, 4, 5, 6, 7});
  expect(of("z = x.clone()\n"
            "w = z.float()\n"
            "w += 1\n"
            "return z"),
         {2, 3}, {2, 3, 4, 5, 6, 7});
  expect(of("z = arange(3)\n"
            "w = z.float()\n"
            "w += 1\n"
            "return z"),
         {3}, {0, 1, 2});
  expect(of("z = x.clone()\n"
            "a = z.movedim(0, 1)\n"
            "a[1] = 0\n"
            "return z"),
         {2, 3}, {1, 0, 3, 4, 0, 6});
  expect(of("z = zeros(2, 6)\n"
            "z.unflatten(1, (2, 3))[:, 1] = x\n"
            "return z"),
         {2, 6}, {0, 0, 0, 1, 2, 3, 0, 0, 0, 4, 5, 6});
  expect(of("z = x.clone()\n"
            "z.t_()\n"
            "z[0] = 0\n"
            "return z"),
         {3, 2}, {0, 0, 2, 5, 3, 6});
  expect(of("z = x.clone()\n"
            "w = z[0]\n"
            "z.unsqueeze_(1)\n"
            "z[0, 0, 0] = 4\n"
            "return w"),
         {3}, {4, 2, 3});
}

TEST_CASE("strides are PyTorch's, and view asks for values in a row") {
  expect(of("return tensor(x.T.stride())"), {2}, {1, 3});
  expect(of("return tensor(x[:, None].stride() + x[:, 1:].stride() + x[:, ::2].stride())"), {7}, {3, 3, 1, 3, 1, 3, 2});
  expect(of("return tensor(x.expand(4, 2, 3).stride() + x[0].stride())"), {4}, {0, 3, 1, 1});
  expect(of("return tensor([x.is_contiguous(), x.T.is_contiguous(), x[1:].is_contiguous(), x[:, :1].is_contiguous(), "
            "x.T.contiguous().is_contiguous()])"),
         {5}, {1, 0, 1, 0, 1});
  expect(of("return tensor(x.view(3, 2).T.stride() + x.diagonal().stride())"), {3}, {1, 2, 4});
  expect(of("z = arange(24).view(2, 3, 4).transpose(1, 2)\n"
            "return z.contiguous().view(2, 12)"),
         {2, 12}, {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11, 12, 16, 20, 13, 17, 21, 14, 18, 22, 15, 19, 23});
  expect(of("z = arange(24).view(2, 3, 4).transpose(0, 1)\n"
            "return tensor(z.view(3, 2, 2, 2).stride())"),
         {4}, {4, 12, 2, 1});
  expect(of("z = arange(24).view(2, 3, 4)[:, :, :2]\n"
            "return tensor(z.view(6, 2).stride())"),
         {2}, {4, 1});
  expect(of("z = arange(24).view(2, 3, 4).permute(2, 0, 1)\n"
            "return tensor(z.view(4, 6).stride())"),
         {2}, {1, 4});
  expect(of("return tensor(x.unsqueeze(1).stride() + x.unsqueeze(-1).stride() + x.T.unsqueeze(1).stride())"), {9},
         {3, 3, 1, 3, 1, 1, 1, 6, 3});
}

TEST_CASE("what PyTorch refuses of views") {
  const auto says = [](const Text& lines, const Text& sentence) {
    INFO(lines);
    CHECK(refused_in(lines).find(sentence) != Text::npos);
  };
  says(
      "z = x.clone().T\n"
      "return z.view(6)",
      "line 6, column 13: view cannot make 6 values of this tensor of 3 × 2, whose values are not in a row in memory, "
      "as after transpose or permute: write .contiguous() before .view, or reshape instead of view.");
  says("return x[:, 1:].view(4)", "view cannot make 4 values");
  says("return x.expand(2, 2)",
       "a tensor of 2 × 3 is not expanded to 2 × 2: only axes of size 1 grow, and new axes come first.");
  says("return x.split([1, 1], 1)", "the sizes of split add up to 2, and axis 1 has 3 places.");
  says("return x.narrow(1, 2, 2)", "narrow would take 2 places from 2 on, and there are 3.");
  says(
      "z = x * 1\n"
      "z[0].detach_()\n"
      "return z",
      "a view is not detached in place: write x = x.detach().");
}
