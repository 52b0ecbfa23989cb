// Operations on tensors have the values, types and gradients of PyTorch; numbers are PyTorch 1.13's.
#include "tests/engine/support/programs.h"

namespace {

Tensor of(const std::string& expression) { return tensor_of("def f():\n  return " + expression + "\n"); }

// d sum(expression) / dx, of a vector x.
std::vector<Scalar> gradient(const std::string& expression, std::vector<Scalar> x) {
  LiveTape tape(Tape::Detail::trace);
  const Tensor given = input("x", Tensor({static_cast<int>(x.size())}, std::span<const Scalar>(x)), Role::input);
  backward(tensor_of("def f(x):\n  return (" + expression + ").sum()\n",
                     {program::TypedTensor{.tensor = given, .is_given = true}}));
  const Tensor found = unroll::gradient(given);
  return {found.values().begin(), found.values().end()};
}

program::Type type_of(const std::string& expression) { return evaluated(expression).as<program::TypedTensor>()->type; }

std::string refusal(const std::string& expression) { return refused("def f():\n  return " + expression + "\n"); }

}  // namespace

TEST_CASE("maximum, minimum and cumsum hold for the largest numbers, and softplus far below 0") {
  expect(of("maximum(tensor([3e38, -3e38]), tensor([3e38, -3e38]))"), {2}, {3e38, -3e38});
  expect(of("minimum(tensor([3e38, -3e38]), tensor([3e38, -3e38]))"), {2}, {3e38, -3e38});
  expect(of("minimum(tensor([1.0, inf]), tensor([2.0, -inf]))"), {2}, {1, -infinity});
  expect(of("cumsum(tensor([1, inf, 2]), 0)"), {3}, {1, infinity, infinity});
  expect(of("cumsum(ones(300000), 0)[-1]"), {}, {300000});
  CHECK(gradient("cumsum(x, 0)", {1, 2, 3}) == std::vector<Scalar>{3, 2, 1});
  CHECK(of("softplus(tensor(-20.0))").item() == doctest::Approx(2.0611536e-9));
  CHECK(of("softplus(tensor(-60.0))").item() == doctest::Approx(8.7565108e-27));
}

TEST_CASE("powers, with their gradients, of 0, -0, negative numbers and -inf: a power of -0.5 is 1 / sqrt(x)") {
  CHECK(gradient("x ** 1.5", {0, 4}) == std::vector<Scalar>{0, 3});
  CHECK(gradient("abs(x) ** 1.5", {0, -4}) == std::vector<Scalar>{0, -3});
  CHECK(gradient("x ** -2", {0, 2}) == std::vector<Scalar>{-infinity, -0.25});
  CHECK(gradient("x ** 0", {0, 2}) == std::vector<Scalar>{0, 0});
  CHECK(gradient("x ** 0 * inf", {0, 2}) == std::vector<Scalar>{0, 0});
  expect(of("tensor([-2.0, 3.0]) ** tensor([2.0, -1.0])"), {2}, {4, 1.0 / 3});
  expect(of("2 ** arange(4)"), {4}, {1, 2, 4, 8});
  CHECK(refusal("2 ** tensor([-1])") ==
        "line 2, column 12: int tensors have no negative powers: write .float() after one of them.");
  CHECK(refusal("arange(3) ** -1").find("no negative powers") != std::string::npos);
  expect(of("tensor([-inf]) ** 1.5"), {1}, {infinity});
  expect(of("tensor([-inf]) ** -1.5"), {1}, {0});
  expect(of("(0 * tensor([-1.0])) ** -0.5"), {1}, {-infinity});
  CHECK(gradient("x ** -0.5", {1, 4}) == std::vector<Scalar>{-0.5, -0.0625});
}

TEST_CASE("the gradients of the deviation of equal values, of clamp at its bounds, and of a copy by tensor(x)") {
  CHECK(gradient("x.std()", {2, 2, 2}) == std::vector<Scalar>{0, 0, 0});
  CHECK(gradient("x.std(0, unbiased=False)", {2}) == std::vector<Scalar>{0});
  CHECK(std::isnan(of("zeros(0).var()").item()));
  CHECK(gradient("x.clamp(min=0)", {-1, 0, 1}) == std::vector<Scalar>{0, 1, 1});
  CHECK(gradient("x.clamp(max=2.0)", {1, 2, 3}) == std::vector<Scalar>{1, 1, 0});
  CHECK(gradient("maximum(x, 0)", {-1, 0, 1}) == std::vector<Scalar>{0, 0.5, 1});
  CHECK(gradient("x + tensor(x)", {1, 2}) == std::vector<Scalar>{1, 1});
}

TEST_CASE("of truth values, + is or; // and % are exact, and of whole numbers not by 0") {
  expect(of("((tensor([1.0, 0.0, -1.0]) > -0.5) + (tensor([1.0, 0.0, -1.0]) > 0.5)).sum()"), {}, {2});
  expect(of("((tensor([1.0, 0.0]) > -0.5) + 1)"), {2}, {2, 2});
  expect(of("tensor([5.0, -5.0]) % 0.1"), {2}, {0.09999993, 0.00000008});
  expect(of("tensor([1.0, -7.5]) // tensor([0.1, 2.0])"), {2}, {9, -4});
  expect(of("tensor([1.0]) // 0"), {1}, {infinity});
  CHECK(refusal("arange(3) % 0").find("whole numbers are not divided by 0") != std::string::npos);
}

TEST_CASE("what PyTorch refuses for its type is refused") {
  CHECK(refusal("arange(4).masked_fill(arange(4) > 1, 0.5)") ==
        "line 2, column 19: masked_fill keeps the type int of x, and the number 0.5 would be cut to fit: write "
        ".float() after x.");
  CHECK(refusal("softmax(arange(4), 0)") ==
        "line 2, column 10: softmax needs a float tensor, and this is of type int: write .float().");
  CHECK(refusal("ones(2, 2) @ eye(2).long()").find("@ needs two tensors of one type") != std::string::npos);
  CHECK(refusal("cross_entropy(zeros(2, 3), tensor([-100, -100]))") ==
        "line 2, column 10: cross_entropy: every target is -100, which is ignored, so there is no loss to take the "
        "mean of: keep at least one target, or write reduction=\"sum\".");
  expect(of("cross_entropy(zeros(2, 3), tensor([-100, -100]), reduction='sum')"), {}, {0});
  CHECK(refusal("zeros(2, 3, 4).flatten(2, 1)").find("2 is after 1") != std::string::npos);
}

TEST_CASE("a tensor keeps its sizes and its type when it is changed") {
  const auto refusal_of = [](const std::string& lines) { return refused("def f():\n" + lines + "  return y\n"); };
  CHECK(refusal_of("  y = zeros(3)\n  y += zeros(2, 3)\n") ==
        "line 3, column 3: y is 3 values and would become 2 × 3: a tensor keeps its sizes when it is changed. Write y "
        "= with the whole expression.");
  CHECK(refusal_of("  y = arange(3)\n  y += 0.5\n").find("is of type int and would become float") != std::string::npos);
  CHECK(refusal_of("  y = arange(3)\n  y /= 2\n").find("is of type int and would become float") != std::string::npos);
  expect(tensor_of("def f():\n  a = [zeros(1)]\n  a[0] += 1\n  return a[0]\n"), {1}, {1});
}

TEST_CASE("tensor takes lists of equal lengths only") {
  CHECK(refusal("tensor([[1], [2, 3]])") ==
        "line 2, column 10: tensor takes numbers, in lists of equal lengths as data, and this is a list of 2.");
  const std::string some_are_empty =
      "line 2, column 10: tensor takes numbers in lists of equal lengths, and only some of these lists are empty: fill "
      "them, or leave them out.";
  for (const char* lists : {"[[], [1, 2]]", "[[], 1]", "[[[]], []]", "[[], [[]]]"})
    CHECK(refusal("tensor(" + std::string(lists) + ")") == some_are_empty);
  CHECK(refusal("tensor([[[[[[[]]]]]]])") ==
        "line 2, column 10: tensor takes lists within lists for at most 6 axes, and these go deeper.");
  expect(of("tensor([[], []])"), {2, 0}, {});
}

TEST_CASE("ids below 0 count from the end; assigning may add axes, topk keeps the type and chunk the number") {
  expect(of("arange(4)[tensor([-1, 0, -4])]"), {3}, {3, 0, 0});
  expect(tensor_of("def f():\n  x = zeros(3) + 1\n  x[tensor([-1])] = 5\n  return x\n"), {3}, {1, 1, 5});
  CHECK(refusal("arange(4)[tensor([-5])]").find("index -5 is outside of 4 places") != std::string::npos);
  expect(of("zeros(2, 0)[tensor([7])]"), {1, 0}, {});  // without values any id goes
  expect(tensor_of("def f():\n  x = zeros(1, 0)\n  x[tensor([1, 1])] = 5.0\n  return x\n"), {1, 0}, {});
  expect(tensor_of("def f():\n  x = zeros(2, 2)\n  x[0] = ones(1, 1, 2)\n  return x\n"), {2, 2}, {1, 1, 0, 0});
  expect(of("arange(4)[topk(tensor([1, 3]), 2)[0]]"), {2}, {3, 1});
  expect(of("full((2,), len(chunk(zeros(0), 2)))"), {2}, {2, 2});
}

TEST_CASE("calls that PyTorch refuses are refused") {
  CHECK(refusal("arange(2.0, 0.5)") ==
        "line 2, column 10: arange goes from 2 to 0.5 in steps of 1, which lead away from there.");
  expect(of("arange(2, 2)"), {0}, {});
  CHECK(refusal("arange(0.5, 0, inf)").find("which lead away from there") != std::string::npos);
  CHECK(refusal("arange(0, 0.5, -inf)").find("which lead away from there") != std::string::npos);
  expect(of("arange(0, 0.5, inf)"), {0}, {});
  CHECK(refusal("clamp(ones(2))") == "line 2, column 10: clamp needs min, max or both: write x.clamp(min=0).");
  CHECK(refusal("clamp(ones(2), ones(2), 1)").find("two numbers or two tensors") != std::string::npos);
  CHECK(refusal("ones(2) ** (ones(2) > 0)") ==
        "line 2, column 18: this is a bool tensor, and no exponent: write .float() after it.");
  CHECK(refusal("flip(ones(2, 2), [1, -1])").find("flip takes each axis once") != std::string::npos);
  CHECK(refusal("argmax(ones(2) > 0)") ==
        "line 2, column 10: argmax needs a float or int tensor: write .long() after it.");
  CHECK(refusal("abs(ones(2) > 0)").find("abs needs a float or int tensor") != std::string::npos);
  CHECK(refusal("clamp(ones(2) > 0, False, True)") ==
        "line 2, column 10: clamp needs a float or int tensor: write .long() after it.");
  for (const char* name : {"relu(ones(2) > 0)", "floor(ones(2) > 0)", "topk(ones(2) > 0, 1)"})
    CHECK(refusal(name).find(" needs a float or int tensor: write .long() after it.") != std::string::npos);
  CHECK(refusal("where(True, ones(2), 1)").find("where takes a tensor as condition") != std::string::npos);
  CHECK(refusal("1 in [ones(1)]").find("lists with tensors are not compared") != std::string::npos);
  CHECK(refusal("gelu(1)").find("gelu takes a tensor") != std::string::npos);
  CHECK(refusal("ones(1).reshape()") == "line 2, column 17: reshape needs its shape.");
  expect(of("full((), 2.0) + zeros(()) + randint(1, 2, ())"), {}, {3});
}

TEST_CASE("an axis that the tensor lacks is refused; sizes, axes and counts are whole numbers") {
  CHECK(refusal("ones(1, 1).squeeze(2)") ==
        "line 2, column 20: squeeze has no axis 2 to go along: the tensor has 2 axes.");
  CHECK(refusal("ones(1, 1).squeeze(0.5)") ==
        "line 2, column 20: squeeze takes a whole number as dim, and this is the number 0.5.");
  CHECK(refusal("tensor(2.0).squeeze(1)").find("has no axis 1 to go along") != std::string::npos);
  CHECK(refusal("flatten(tensor(2.0), 5)").find("has no axis 5 to go along") != std::string::npos);
  expect(of("tensor(2.0).squeeze(-1)"), {}, {2});
  for (const char* call : {"tril(ones(2, 2), True)", "ones(2, 2).sum(True)", "zeros(2, True)", "topk(ones(2), True)",
                           "ones(2, 2).transpose(0, tensor([1]))", "one_hot(tensor([0]), True)"})
    CHECK_MESSAGE(refusal(call).find("whole number") != std::string::npos, call);
  expect(of("ones(2, 2).cumsum(tensor(1))[0]"), {2}, {1, 2});
  CHECK(number_in("len(range(tensor(True)))") == 1);
  expect(of("tensor(list(range(True)) + [list(enumerate([4], True))[0][0]])"), {2}, {0, 1});
}

TEST_CASE("arange takes numbers and int tensors of one value, and has their type") {
  expect(of("arange(tensor(1), 3)"), {2}, {1, 2});
  CHECK(type_of("arange(0, tensor(3))") == program::Type::integer);
  CHECK(type_of("arange(0.5, tensor(3))") == program::Type::real);
  CHECK(refusal("arange(0, tensor(2.5))") ==
        "line 2, column 10: arange takes a number as end, and this is a tensor of one value: write .item() after it.");
  CHECK(refusal("arange(tensor([2]))").find("write .item() after it") != std::string::npos);
  CHECK(refusal("full((2,), tensor(2.5))") ==
        "line 2, column 10: full takes a number as fill_value, and this is a tensor of one value: write .item() after "
        "it.");
  CHECK(refusal("full((2,), tensor([2]))").find("write .item() after it") != std::string::npos);
  CHECK(refusal("layer_norm(ones(1, 2), 2, eps=tensor(0.5))").find("write .item() after it") != std::string::npos);
  expect(of("full((2,), tensor(3))"), {2}, {3, 3});
  expect(of("full((2,), tensor(2.5).item())"), {2}, {2.5, 2.5});
  CHECK(number_of("def f():\n  return float(tensor([2.5])) + int(tensor([1.5]))\n") == 3.5);
  CHECK(refusal("arange(0, inf, inf)").find("a range of at most 2^24 values") != std::string::npos);
}

TEST_CASE("results and arguments have the types of PyTorch: whole numbers as targets, floats for rms_norm") {
  using program::Type;
  CHECK(type_of("clamp(ones(2) > 0, 0, 1)") == Type::integer);
  CHECK(type_of("clamp(ones(2) > 0, max=0.5)") == Type::real);
  CHECK(type_of("square(ones(2) > 0)") == Type::integer);
  CHECK(type_of("embedding(tensor([0]), tensor([[1, 2]]))") == Type::integer);
  expect(of("clamp(tensor([True, False]), max=0.5)"), {2}, {0.5, 0});
  CHECK(refusal("cross_entropy(zeros(1, 3), tensor([0.5]))") ==
        "line 2, column 10: cross_entropy takes a tensor of whole numbers as target, and this is a tensor of 1 value.");
  CHECK(refusal("rms_norm(arange(2), [2])").find("rms_norm needs a float tensor") != std::string::npos);
}

TEST_CASE("an int tensor has no -0, and abs(-0.0) is 0.0") {
  expect(of("1 / -tensor([0])"), {1}, {infinity});
  expect(of("1 / tensor([-0.5]).long()"), {1}, {infinity});
  expect(of("1 / abs(tensor([-0.0, 0.0]))"), {2}, {infinity, infinity});
  expect(of("1 / tensor([abs(-0.0), abs(0.0)])"), {2}, {infinity, infinity});
  CHECK(gradient("abs(x)", {-2, 0, 3}) == std::vector<Scalar>{-1, 0, 1});
}

TEST_CASE("var, std and logsumexp along several axes; no axes are all of them") {
  const std::string x = "tensor([[1.0, 2.0], [3.0, 5.0]])";
  expect(of(x + ".var([0, 1])"), {}, {35. / 12});
  expect(of(x + ".var([])"), {}, {35. / 12});
  expect(of(x + ".std([1, -2], keepdim=True)"), {1, 1}, {std::sqrt(35. / 12)});
  expect(of(x + ".var(keepdim=True, unbiased=False)"), {1, 1}, {35. / 16});
  expect(of("stack([" + x + ", " + x + "]).var((0, 2), unbiased=False)"), {2}, {0.25, 1});
  expect(of("tensor(2.0).var([], unbiased=False, keepdim=True)"), {}, {0});
  expect(of("logsumexp(" + x + ", [0, 1])"), {}, {5.1851825});
  expect(of("logsumexp(" + x + ", (0, 1), keepdim=True)"), {1, 1}, {5.1851825});
  CHECK(refusal("logsumexp(ones(2), None)").find("logsumexp takes") != std::string::npos);
  expect(of(x + ".sum([], keepdim=True)"), {1, 1}, {11});
  expect(of(x + ".mean(dim=None, keepdim=True)"), {1, 1}, {2.75});
  expect(of("tensor(2.0).sum([], keepdim=True)"), {}, {2});
}

TEST_CASE("svdvals: the singular values of a matrix of floats, with the gradient U Vᵀ of their sum") {
  expect(of("svdvals(tensor([[3.0, 0.0], [4.0, 5.0]]))"), {2}, {std::sqrt(45.0), std::sqrt(5.0)});
  expect(of("svdvals(A=tensor([[0.0, 2.0, 0.0]]))"), {1}, {2});
  CHECK(gradient("svdvals(x[None])", {3, 4}) == std::vector<Scalar>{Scalar(0.6), Scalar(0.8)});
  const std::string sizes = ": use a matrix with 1 to 4096 rows and columns, the fewer of them at most 256.";
  const std::pair<std::string, std::string> refused[] = {
      {"svdvals(ones(3))", "10: svdvals takes a matrix as A, and this is a tensor of 3 values."},
      {"svdvals(eye(2).long())", "10: svdvals needs a float tensor, and this is of type int: write .float()."},
      {"svdvals(zeros(0, 3))", "10: [svdvals] A is (0, 3)" + sizes},
      {"svdvals(ones(300, 300))", "10: [svdvals] A is (300, 300)" + sizes},
      {"svdvals(tensor([[1.0, inf]]))", "10: [svdvals] A[0, 1] is ∞: use a matrix whose values are all finite."},
      {"eye(2).svdvals()", "16: a tensor of 2 × 2 has no attribute svdvals."},
      {"svd(eye(2))", "10: there is no svd here: write svdvals(A), which gives the singular values alone."},
  };
  for (const auto& [expression, why] : refused) CHECK(refusal(expression) == "line 2, column " + why);
}

TEST_CASE("True is an index of a list, and a mask of a tensor, which is refused") {
  CHECK(refusal("arange(2)[True]") ==
        "line 2, column 20: an index of a tensor is a whole number, and this is True: write int(…) around it.");
  CHECK(refusal("ones(1, 2)[:, max([True])]").find("this is True") != std::string::npos);
  expect(of("tensor([5, 7][True]) + arange(2)[int(True)]"), {}, {8});
}
