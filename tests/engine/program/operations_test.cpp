// Operations by their names in PyTorch have PyTorch's values and gradients: the numbers of operation_numbers.inc.
#include "tests/engine/support/snippets.h"

using namespace unroll::snippets;

namespace {

struct Item {
  Shape shape;
  std::vector<double> values;
};

// Of an expression of x and y: the items of its value, and the gradients of x and y, where the k-th value of each float
// item counts k times.
struct Numbers {
  const char* expression;
  std::vector<Item> items;
  std::vector<double> of_x, of_y;
};

const Numbers all_numbers[] = {
#include "tests/engine/program/operation_numbers.inc"
};

void collect_tensors(const program::Value& value, std::vector<Tensor>& tensors) {
  if (const auto* tensor = value.as<program::TypedTensor>()) return tensors.push_back(tensor->tensor);
  REQUIRE(program::items_of(value));
  for (const program::Value& each : *program::items_of(value)) collect_tensors(each, tensors);
}

Tensor weighted_sum(const Tensor& x) {
  Tensor weights(x.shape());
  std::iota(weights.data(), weights.data() + weights.size(), Scalar(1));
  return sum(x * weights);
}

void check_gradient(const Tensor& leaf, const std::vector<double>& wanted) {
  const Tensor found = gradient(leaf);
  expect(found ? found : Tensor::full(leaf.shape(), 0), leaf.shape(), wanted, 1e-5);
}

}  // namespace

TEST_CASE("operations have the values and gradients of PyTorch") {
  for (const Numbers& each : all_numbers) {
    CAPTURE(each.expression);
    LiveTape tape(Tape::Detail::trace);
    const Tensor a = input("x", x), b = input("y", y);
    const std::string lines = "import torch\nimport torch.nn.functional as F\nreturn " + std::string(each.expression);
    std::vector<Tensor> found;
    try {
      collect_tensors(value_of(function_of(lines), {with_gradient(a), with_gradient(b)}), found);
    } catch (const Error& error) {
      FAIL_CHECK(error.what());
      continue;
    }
    REQUIRE(found.size() == each.items.size());
    Tensor loss = Tensor::scalar(0);
    for (std::size_t i = 0; i < found.size(); ++i) {
      expect(found[i], each.items[i].shape, each.items[i].values, 1e-5);
      const int node = tape.find(found[i]);
      if (node >= 0 && tape.nodes()[static_cast<std::size_t>(node)].needs_gradient)
        loss = loss + weighted_sum(found[i]);
    }
    if (tape.find(loss) >= 0) backward(loss);
    check_gradient(a, each.of_x);
    check_gradient(b, each.of_y);
  }
}

TEST_CASE("what PyTorch refuses is refused with a sentence that says why") {
  const auto refused = [](const std::string& expression) {
    return refused_in("import torch\nimport torch.nn.functional as F\nreturn " + expression);
  };
  CHECK(refused("x.gather(1, torch.tensor([[3]]))") ==
        "line 7, column 13: gather: the index 3 is out of range. The axis has the size 3, so use 0 to 2.");
  CHECK(refused("x.gather(1, torch.tensor([0]))") ==
        "line 7, column 13: gather: the index is 1 value and the other tensor is 2 × 3. The index needs as many axes, "
        "and may be no larger along any of them but dim.");
}

TEST_CASE("pairs of values and indices have these names, too; other tuples have none") {
  CHECK(number_in("topk(tensor([1.0, 3.0, 2.0]), 2).indices[1].item()") == 2);
  CHECK(number_in("tensor([[1.0, 3.0, 2.0]]).max(1).values.item()") == 3);
  CHECK(refused_in("return x.max(1).places").find("has no attribute places") != std::string::npos);
  CHECK(refused_in("return x.shape.values").find("has no attribute values") != std::string::npos);
}

TEST_CASE("random tensors are the same in every run, and what they promise") {
  const auto twice = [](const std::string& expression) {
    const Tensor first = of("return " + expression), again = of("return " + expression);
    CHECK(same_bits(first, again));
    return first;
  };
  const Tensor order = twice("randperm(50)");
  std::vector<Scalar> sorted(order.values().begin(), order.values().end());
  CHECK_FALSE(std::ranges::is_sorted(sorted));
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i) CHECK(sorted[i] == static_cast<Scalar>(i));

  const Tensor draws = twice("multinomial(tensor([0.0, 1.0, 3.0]), 4000, replacement=True)");
  const auto share = [&](Scalar place) {
    return static_cast<double>(std::ranges::count(draws.values(), place)) / 4000;
  };
  CHECK(share(0) == 0);
  CHECK(share(1) == doctest::Approx(0.25).epsilon(0.1));
  expect(twice("multinomial(tensor([[0.0, 2.0, 0.0], [0.0, 0.0, 5.0]]), 1)"), {2, 1}, {1, 2});

  const Tensor coins = twice("bernoulli(full((4000,), 0.3))");
  CHECK(sum(coins).item() / 4000 == doctest::Approx(0.3).epsilon(0.1));
  const Tensor whole = twice("randint(2, 5, (1000,))");
  CHECK(std::ranges::min(whole.values()) == 2);
  CHECK(std::ranges::max(whole.values()) == 4);
  CHECK(twice("randint(3, (2, 2))").shape() == Shape{2, 2});
  CHECK(mean(twice("normal(5.0, 0.1, (1000,))")).item() == doctest::Approx(5).epsilon(0.01));
}

TEST_CASE("the products of einsum are counted before they are computed") {
  CHECK(refused_in("z = zeros(3000, 3000)\nreturn einsum('ij,jk->ik', z, z)").find("multiplications") !=
        std::string::npos);
}
