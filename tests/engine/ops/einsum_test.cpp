#include "tests/engine/support/test.h"

namespace {

const Tensor a({2, 3}, {0, 1, 2, 3, 4, 5}), b({3}, {0, 1, 2});

// Axes are letters of "abijkl"; a and b are the two of "...".
using Sizes = std::map<char, int>;

Shape shape_of(const Text& axes, const Sizes& sizes) {
  Shape shape;
  for (const char axis : axes) shape = joined(shape, {sizes.at(axis)});
  return shape;
}

// The value at the place that the indices name; an axis of size 1 repeats.
Scalar& at(const Tensor& x, const Text& axes, const Sizes& indices) {
  int place = 0;
  for (int i = 0; i < x.rank(); ++i)
    place = place * x.shape()[i] + std::min(indices.at(axes[static_cast<std::size_t>(i)]), x.shape()[i] - 1);
  return x.data()[place];
}

// An einsum by its definition: for all indices, the product of all operands is added to its place in the result.
struct Example {
  explicit Example(Samples& random) {
    Text used;
    for (const char axis : Text("abijkl")) sizes[axis] = random.up_to(3);
    for (int count = random.up_to(3); count > 0; --count) used += add_operand(random);
    for (const char axis : Text("ablkji"))
      if (used.find(axis) != Text::npos && (axis < 'c' || random.coin())) result += axis;
  }

  Text add_operand(Samples& random) {
    Text axes = Text(random.below(2), 'i') + Text("jk").substr(0, random.below(3)) + Text("ab").substr(random.below(3));
    for (int i = random.below(3); i > 0; --i) axes += "ijkl"[random.below(4)];
    axes.resize(std::min<std::size_t>(axes.size(), Shape::max_rank));
    Sizes own = sizes;
    for (auto& [axis, size] : own) size = random.below(5) == 0 ? 1 : size;
    terms.push_back(axes);
    operands.push_back(random.tensor(shape_of(axes, own), -1, 1));
    for (const char axis : axes) largest[axis] = std::max(largest[axis], own[axis]);
    return axes;
  }

  Text rule() const {
    Text text;
    for (const Text& each : terms) text += with_dots(each) + ",";
    text.back() = '-';
    return text + ">" + with_dots(result);
  }
  // "jabk" as "j...k"
  static Text with_dots(const Text& axes) {
    Text text;
    for (const char axis : axes)
      if (axis > 'b')
        text += axis;
      else if (text.find('.') == Text::npos)
        text += "...";
    return text;
  }

  Tensor by_definition() const {
    const Tensor y = Tensor::full(shape_of(result, largest), 0);
    Sizes indices;
    add_products(y, indices, largest.begin());
    return y;
  }
  void add_products(const Tensor& y, Sizes& indices, Sizes::const_iterator axis) const {
    if (axis != largest.end()) {
      for (int i = 0; i < axis->second; ++i) indices[axis->first] = i, add_products(y, indices, std::next(axis));
      return;
    }
    Scalar product = 1;
    for (std::size_t i = 0; i < operands.size(); ++i) product *= at(operands[i], terms[i], indices);
    at(y, result, indices) += product;
  }

  Sizes sizes, largest;
  std::vector<Text> terms;
  Text result;
  std::vector<Tensor> operands;
};

}  // namespace

TEST_CASE("einsum: the values of PyTorch") {
  expect(einsum("...i->i", {a}), {3}, {3, 5, 7});
  expect(einsum("...i,i->", {a, b}), {}, {19});
  expect(einsum("ba", {a}), {3, 2}, {0, 3, 1, 4, 2, 5});
  expect(einsum("Ab", {a}), {2, 3}, {0, 1, 2, 3, 4, 5});
  expect(einsum("i...", {a}), {3, 2}, {0, 3, 1, 4, 2, 5});
  expect(einsum(" i j , j -> i ", {a, b}), {2}, {5, 14});
  expect(einsum("ij,j", {a, b}), {2}, {5, 14});
  expect(einsum("ii", {Tensor({2, 2}, {1, 2, 3, 4})}), {}, {5});
  expect(einsum("ii->i", {Tensor({2, 2}, {1, 2, 3, 4})}), {2}, {1, 4});
  expect(einsum("...,...", {a, b}), {2, 3}, {0, 1, 4, 0, 4, 10});
  expect(einsum("i...j->...", {Tensor::full({2, 3, 4}, 1)}), {3}, {8, 8, 8});
  expect(einsum("i,j->ji", {b, Tensor({2}, {3, 4})}), {2, 3}, {0, 3, 6, 0, 4, 8});
  expect(einsum("", {Tensor::scalar(2)}), {}, {2});
}

TEST_CASE("einsum: 400 random rules give what the definition gives") {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Samples random(seed);
    const Example each(random);
    CAPTURE(seed);
    CAPTURE(each.rule());
    expect_near(einsum(each.rule(), {each.operands.begin(), each.operands.end()}), each.by_definition(), 1e-5);
  }
}

// The rules that attention is written with need no step besides the product.
TEST_CASE("einsum: a product of matrices with a batch is one matmul, whichever axes come first") {
  const auto steps = [](std::string_view rule, const Shape& a, const Shape& b) {
    LiveTape tape(Tape::Detail::trace);
    einsum(rule, {input("a", Tensor::full(a, 1)), input("b", Tensor::full(b, 1))});
    std::vector<Text> names;
    for (const Node& node : tape.nodes())
      if (node.phase == Phase::forward) names.emplace_back(node.op.name);
    return names;
  };
  const std::vector<Text> alone{"matmul"};
  CHECK(steps("bhid,bhjd->bhij", {2, 3, 4, 5}, {2, 3, 6, 5}) == alone);
  CHECK(steps("bhij,bhjd->bhid", {2, 3, 4, 5}, {2, 3, 5, 6}) == alone);
  CHECK(steps("...nk,...mk->...nm", {2, 4, 5}, {2, 6, 5}) == alone);
  CHECK(steps("bki,bkj->bij", {2, 4, 5}, {2, 4, 6}) == alone);
  CHECK(steps("ij,ij->ij", {2, 3}, {2, 3}) == std::vector<Text>{"multiply"});
  CHECK(steps("bqhd,bkhd->bhqk", {2, 3, 4, 5}, {2, 6, 4, 5}) == std::vector<Text>{"transpose", "transpose", "matmul"});
}

TEST_CASE("einsum: the products of each step are counted") {
  CHECK(einsum_multiply_adds("ij,jk->ik", std::vector<Shape>{{2, 3}, {3, 4}}) == 6 + 24);
  CHECK(einsum_multiply_adds("ij,jk,kl->il", std::vector<Shape>{{2, 3}, {3, 4}, {4, 5}}) == 6 + 24 + 40);
}

TEST_CASE("einsum: rules that cannot be read or do not fit are refused") {
  const auto refused = [](std::string_view rule, const std::vector<Operand>& operands) {
    return REFUSAL(shape, einsum(rule, operands));
  };
  CHECK(refused("ij,jk", {a}) == "[einsum] the rule is for 2 operands, and 1 are given.");
  CHECK(
      refused("i", {a}) ==
      "[einsum] “i” does not name the axes of operand 0, which is (2, 3): give one letter for each axis, or “...” for "
      "those without a letter.");
  CHECK(refused("ijk...", {a}).starts_with("[einsum] “ijk...” does not name the axes of operand 0"));
  CHECK(refused("ij->k", {a}) == "[einsum] the result has k, and no operand does: leave it out.");
  CHECK(refused("ij->ii", {a}) == "[einsum] the result has i twice: name each axis of the result once.");
  CHECK(refused("i1", {a}) ==
        "[einsum] “1” stands for no axis: use a letter for each axis, and “...” at most once for all others.");
  CHECK(refused("...i...", {a}).starts_with("[einsum] “.” stands for no axis"));
  CHECK(refused("ij->i->j", {a}).starts_with("[einsum] “-” stands for no axis"));
  CHECK(refused("ij->i,j", {a}).starts_with("[einsum] “,” stands for no axis"));
  CHECK(refused("ii", {a}) == "[einsum] i has the sizes 2 and 3: axes with one letter have the same size, or 1.");
  CHECK(refused("ij,jk", {a, a}) == "[einsum] j has the sizes 3 and 2: axes with one letter have the same size, or 1.");
  CHECK(refused("", {}) == "[einsum] the rule is for 1 operands, and 0 are given.");
}
