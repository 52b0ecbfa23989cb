// Operations on tensors are PyTorch's.
#include "tests/engine/support/programs.h"

namespace {

using program::TypedTensor;
using program::Value;

const Tensor x({2, 3}, {1, 2, 3, 4, 5, 6});

Tensor of(const std::string& expression, Tensor given = x) {
  return tensor_of("def f(x):\n    return " + expression + "\n", {TypedTensor{std::move(given)}});
}

}  // namespace

TEST_CASE("operators between tensors and numbers, such as the quotient rounded down and the remainder") {
  expect(of("2 * x - 1"), {2, 3}, {1, 3, 5, 7, 9, 11});
  expect(of("x / x.sum(-1, keepdim=True)"), {2, 3}, {1 / 6., 2 / 6., 3 / 6., 4 / 15., 5 / 15., 6 / 15.});
  expect(of("x @ x.T"), {2, 2}, {14, 32, 32, 77});
  expect(of("x ** 2"), {2, 3}, {1, 4, 9, 16, 25, 36});
  expect(of("-x ** -1"), {2, 3}, {-1, -1 / 2., -1 / 3., -1 / 4., -1 / 5., -1 / 6.});
  expect(of("(x > 2) * 1.0"), {2, 3}, {0, 0, 1, 1, 1, 1});
  expect(of("(2 <= x).float() + (x != 3)"), {2, 3}, {1, 2, 1, 2, 2, 2});
  expect(of("x // 4"), {2, 3}, {0, 0, 0, 1, 1, 1});
  expect(of("-x // 4"), {2, 3}, {-1, -1, -1, -1, -2, -2});
  expect(of("x % 4"), {2, 3}, {1, 2, 3, 0, 1, 2});
  expect(of("(x - 4) % 2.5"), {2, 3}, {2, 0.5, 1.5, 0, 1, 2});
  expect(of("x % -4"), {2, 3}, {-3, -2, -1, 0, -3, -2});
  expect(of("(0 * x + 1) // 0.1"), {2, 3}, {9, 9, 9, 9, 9, 9});  // as in single precision 0.1 is more than a tenth
  expect(of("7 % x"), {2, 3}, {0, 1, 1, 3, 2, 1});
  expect(of("floor(x / 2)"), {2, 3}, {0, 1, 1, 2, 2, 3});
}

TEST_CASE("functions and methods are the same") {
  expect(of("softmax(x, dim=-1).sum(1)"), {2}, {1, 1});
  expect(of("x.mean(axis=0, keepdims=True)"), {1, 3}, {2.5, 3.5, 4.5});
  expect(of("x.var(-1, unbiased=False)"), {2}, {2 / 3., 2 / 3.});
  expect(of("x.var(-1)"), {2}, {1, 1});
  expect(of("x.std(0)"), {3}, {std::sqrt(4.5), std::sqrt(4.5), std::sqrt(4.5)});
  expect(of("x.var(unbiased=False) + x.std() ** 2"), {}, {17.5 / 6 + 3.5});
  expect(of("x.sum((0, 1)) + x.sum(())"), {}, {42});
  expect(of("mean(x[None], [0, -1], keepdim=True)"), {1, 2, 1}, {2, 5});
  expect(of("amax(x, 0) - amin(x, 0)"), {3}, {3, 3, 3});
  expect(of("(-x).argmax() + x.argmax() * 10"), {}, {50});
  expect(of("max(x) + min(x)"), {}, {7});
  expect(of("cumsum(x, 1)"), {2, 3}, {1, 3, 6, 4, 9, 15});
  expect(of("cumsum(x, 0)"), {2, 3}, {1, 2, 3, 5, 7, 9});
  expect(of("flip(x, [1])"), {2, 3}, {3, 2, 1, 6, 5, 4});
  expect(of("clamp(x, 2, 5)"), {2, 3}, {2, 2, 3, 4, 5, 5});
  expect(of("maximum(x, 3.5)"), {2, 3}, {3.5, 3.5, 3.5, 4, 5, 6});
  expect(of("abs(x - 3)"), {2, 3}, {2, 1, 0, 1, 2, 3});
  expect(of("where(x > 3, x, 0 * x)"), {2, 3}, {0, 0, 0, 4, 5, 6});
  expect(of("x.masked_fill(x < 3, -inf).softmax(-1)"), {2, 3}, {0, 0, 1, 0.0900306, 0.2447285, 0.6652410}, 1e-6);
  expect(of("topk(x, 2)[0] + topk(x, 2)[1]"), {2, 2}, {5, 3, 8, 6});
  expect(of("embedding(arange(2), x)"), {2, 3}, {1, 2, 3, 4, 5, 6});
  expect(of("one_hot(tensor([2, 0]), 3)"), {2, 3}, {0, 0, 1, 1, 0, 0});
  expect(of("linear(x, ones(1, 3), tensor([0.5]))"), {2, 1}, {6.5, 15.5});
  expect(of("layer_norm(x, [3]).sum(-1)"), {2}, {0, 0});
  expect(of("cross_entropy(x, tensor([2, 2]))"), {}, {0.4076059});
}

TEST_CASE("shapes change as in PyTorch") {
  expect(of("x.reshape(3, -1)"), {3, 2}, {1, 2, 3, 4, 5, 6});
  expect(of("x.view((6,))"), {6}, {1, 2, 3, 4, 5, 6});
  expect(of("x.transpose(0, 1)"), {3, 2}, {1, 4, 2, 5, 3, 6});
  expect(of("x.permute(1, 0).mT"), {2, 3}, {1, 2, 3, 4, 5, 6});
  expect(of("x.unsqueeze(1).squeeze(1).flatten()"), {6}, {1, 2, 3, 4, 5, 6});
  expect(of("stack([x[0], x[1]], 1)"), {3, 2}, {1, 4, 2, 5, 3, 6});
  expect(of("cat([x, x[:1]])"), {3, 3}, {1, 2, 3, 4, 5, 6, 1, 2, 3});
  expect(of("x.chunk(3, -1)[1]"), {2, 1}, {2, 5});
  expect(of("x[0].expand(2, -1)"), {2, 3}, {1, 2, 3, 1, 2, 3});
  expect(of("tril(ones(3, 3))"), {3, 3}, {1, 0, 0, 1, 1, 0, 1, 1, 1});
  expect(of("triu(ones(2, 3), 1) + eye(3)[:2]"), {2, 3}, {1, 1, 1, 0, 1, 1});
  expect(of("arange(1, 2, 0.25)"), {4}, {1, 1.25, 1.5, 1.75});
  expect(of("full((2, 2), 7)"), {2, 2}, {7, 7, 7, 7});
  expect(of("tensor([[1, 2], [3, 4]]) + zeros_like(x[:, :2])"), {2, 2}, {1, 2, 3, 4});
}

TEST_CASE("parts are read by index") {
  expect(of("x[1, -1]"), {}, {6});
  expect(of("x[:, 0]"), {2}, {1, 4});
  expect(of("x[..., 1:]"), {2, 2}, {2, 3, 5, 6});
  expect(of("x[:, None, ::2]"), {2, 1, 2}, {1, 3, 4, 6});
  expect(of("x[::2]"), {1, 3}, {1, 2, 3});
  expect(of("x[tensor([1, 0, 1])]"), {3, 3}, {4, 5, 6, 1, 2, 3, 4, 5, 6});
  expect(of("x[0][tensor([[2], [0]])]"), {2, 1}, {3, 1});
  expect(of("x[x[0, 0].long()]"), {3}, {4, 5, 6});
  expect(of("x[5:]"), {0, 3}, {});
}

TEST_CASE("assignment to a part, or to every second place, keeps the rest, and gradients flow to both") {
  const auto check = [](const std::string& lines, const Tensor& value, const std::vector<double>& y,
                        const std::vector<double>& dx, const std::vector<double>& dv) {
    LiveTape tape(Tape::Detail::trace);
    const Tensor a = input("a", x), v = input("v", value);
    const Tensor assigned =
        tensor_of("def f(x, v):\n    y = x + 0\n" + lines + "    return y\n", {TypedTensor{a}, TypedTensor{v}});
    expect(assigned, {2, 3}, y);
    backward(sum(assigned));
    expect(gradient(a), {2, 3}, dx);
    expect(gradient(v), value.shape(), dv);
  };
  check("    y[0, 1:] = v\n    y[-1, 0] *= 10\n    y[tensor([1])] += 1\n", Tensor({2}, {7, 8}), {1, 7, 8, 41, 6, 7},
        {1, 0, 0, 10, 1, 1}, {1, 1});
  check("    y[:, ::2] = v\n    y[1, 1::5] = 9\n    y[5:] = 1\n", Tensor({2, 1}, {7, 8}), {7, 2, 7, 8, 9, 8},
        {0, 1, 0, 0, 0, 0}, {2, 2});
}

TEST_CASE("types of tensors are PyTorch's: float, int and bool") {
  const auto type_of = [](const std::string& expression) {
    const Value value = value_of("def f(x):\n    return " + expression + "\n", {TypedTensor{x}});
    return std::string(program::name_of(value.as<TypedTensor>()->type));
  };
  CHECK(type_of("x > 1") == "bool");
  CHECK(type_of("(x > 1) + 1") == "int");
  CHECK(type_of("(x > 1).sum()") == "int");
  CHECK(type_of("arange(3) * 2") == "int");
  CHECK(type_of("arange(3) / 2") == "float");
  CHECK(type_of("arange(3) + 0.5") == "float");
  CHECK(type_of("arange(4) // 2") == "int");
  CHECK(type_of("arange(4) % 2.0") == "float");
  CHECK(type_of("argmax(x, 1)") == "int");
  CHECK(type_of("x.long()") == "int");
  CHECK(type_of("tensor([True, False])") == "bool");
}

TEST_CASE("each operation is recorded at its own line; a variable names its value; a parameter has one value") {
  LiveTape tape(Tape::Detail::trace);
  tensor_of("def f(x):\n    S = x @ x.T\n    return (S *\n      2) + 1\n", {TypedTensor{input("x", x)}});
  std::map<std::string, int> lines;
  for (const Node& node : tape.nodes()) {
    if (node.phase == Phase::forward) CHECK(std::string(node.where.file) == program::program_file);
    lines[node.op.name] = node.where.line;
  }
  CHECK(tape.find("S") >= 0);
  CHECK(lines["matmul"] == 2);
  CHECK(lines["multiply"] == 3);
  CHECK(lines["add"] == 4);
  const std::string text = "def f(x):\n    return x @ parameter('W', (3, 1)) - x @ parameter('W', (3, 1))\n";
  expect(tensor_of(text, {TypedTensor{x}}), {2, 1}, {0, 0});
}
