#include "tests/engine/support/gradient_check.h"

namespace {

int any_axis(Samples& random, const Shape& shape) { return random.below(2 * shape.rank()) - shape.rank(); }

// ── Arithmetic ──────────────────────────────────────────────────────────────────────────────────────────────────────

// Two operands that broadcast, either being the smaller; the second can be a divisor.
MakeGradientCase pair(Tensor (*f)(Operand, Operand)) {
  return [f](Samples& random) {
    const Shape shape = random.shape();
    Tensor a = random.tensor(shape), b = random.away_from_zero(random.broadcast_partner(shape));
    if (random.coin()) std::swap(a, b);
    for (Scalar& value : b.values()) value += value < 0 ? Scalar(-0.5) : Scalar(0.5);
    return GradientCase{{a, b}, [f](const Tensors& x) { return f(x[0], x[1]); }};
  };
}

// Two operands that are nowhere nearly equal.
MakeGradientCase apart(Tensor (*f)(Operand, Operand)) {
  return [f](Samples& random) {
    const Tensor a = random.tensor(random.shape()), off = random.away_from_zero(a.shape());
    return GradientCase{{a, a + off}, [f](const Tensors& x) { return f(x[0], x[1]); }};
  };
}

GRADIENT("remainder(a, b)") {
  const Shape shape = random.shape();
  const Tensor b = random.tensor(shape, 1, 2), rest = random.tensor(shape, 0.1, 0.9);
  const Tensor a = b * (rest + random.ids(shape, 5) - 2);  // away from the steps
  return {{a, b}, [](const Tensors& x) { return remainder(x[0], x[1]); }};
}

GRADIENT("power(a, b)") {
  const Shape shape = random.shape();
  return {{random.tensor(shape, 0.3, 3), random.tensor(random.broadcast_partner(shape))},
          [](const Tensors& x) { return power(x[0], x[1]); }};
}

// Of negative numbers, too, with whole exponents.
GRADIENT("power(a, b)") {
  const Shape shape = random.shape();
  const Tensor whole = random.ids(random.broadcast_partner(shape), 7) - 3;
  return {{random.away_from_zero(shape) * 2}, [=](const Tensors& x) { return power(x[0], whole); }};
}

GRADIENT("where(condition, a, b)") {
  const Shape shape = random.shape();
  const Tensor condition = random.ids(random.broadcast_partner(shape), 2);
  return {{random.tensor(shape), random.tensor(random.broadcast_partner(shape))},
          [=](const Tensors& x) { return where(condition, x[0], x[1]); }};
}

GRADIENT("add_bias(product, bias)") {
  const Shape shape = random.shape();
  return {{random.tensor(shape), random.tensor({shape[-1]})}, [](const Tensors& x) { return add_bias(x[0], x[1]); }};
}

// ── Functions of one tensor ─────────────────────────────────────────────────────────────────────────────────────────

MakeGradientCase function(Tensor (*f)(Operand), double low, double high) {
  return unary(f, [=](Samples& random) { return random.tensor(random.shape(), low, high); });
}

// For functions with a kink at 0.
MakeGradientCase beside_zero(Tensor (*f)(Operand)) {
  return unary(f, [](Samples& random) { return random.away_from_zero(random.shape()); });
}

GRADIENT("elu(x, alpha)") {
  const double alpha = random.between(0.5, 2);
  return {{random.away_from_zero(random.shape())}, [=](const Tensors& x) { return elu(x[0], alpha); }};
}

// Any numbers for cosine and sine, even of no angle: the derivative is the same expression.
GRADIENT("rotate_pairs(x, cosine, sine, interleaved)") {
  const int T = random.size(), pairs = random.size();
  const Tensor cosine = random.tensor({T, pairs}), sine = random.tensor({T, pairs});
  const bool interleaved = random.coin();
  return {{random.tensor(joined(random.batch(), {T, 2 * pairs}))},
          [=](const Tensors& x) { return rotate_pairs(x[0], cosine, sine, interleaved); }};
}

// ── Along an axis ───────────────────────────────────────────────────────────────────────────────────────────────────

MakeGradientCase along_an_axis(Tensor (*f)(Operand, int axis, bool keep_axis)) {
  return [f](Samples& random) {
    const Shape shape = random.shape();
    const int axis = any_axis(random, shape);
    const bool keep_axis = random.coin();
    return GradientCase{{random.distinct(shape)}, [=](const Tensors& x) { return f(x[0], axis, keep_axis); }};
  };
}

// Values of a size near 1, some of them 0, one or several in a line.
Tensor with_zeros(Samples& random, const Shape& shape) {
  Tensor x = random.away_from_zero(shape);
  const int kind = random.below(3);
  for (Scalar& value : x.values())
    if (random.below(kind == 2 ? 2 : 5) == 0 && kind > 0) value = 0;
  return x;
}

GRADIENT("prod(x, axis, keep_axis)") {
  const Shape shape = random.shape();
  const int axis = any_axis(random, shape);
  const bool keep_axis = random.coin();
  return {{with_zeros(random, shape)}, [=](const Tensors& x) { return prod(x[0], axis, keep_axis); }};
}

GRADIENT("cumprod(x, axis)") {
  const Shape shape = random.shape();
  const int axis = any_axis(random, shape);
  return {{with_zeros(random, shape)}, [=](const Tensors& x) { return cumprod(x[0], axis); }};
}

MakeGradientCase of_all(Tensor (*f)(Operand)) {
  return unary(f, [](Samples& random) { return random.tensor(random.shape(0)); });
}

// Scores, half of them with a mask that hides single values and whole rows.
struct Scores {
  explicit Scores(Samples& random)
      : x(random.tensor()), mask(random.coin() ? random.mask(x.shape()) : Tensor::full(x.shape(), 0)) {}
  Tensor x, mask;
};

GRADIENT("softmax(x, axis, temperature)") {
  const Scores scores(random);
  const int axis = any_axis(random, scores.x.shape());
  const double temperature = std::array{1.0, 0.5, 7.0}[random.below(3)];
  return {{scores.x}, [=](const Tensors& x) { return softmax(x[0] + scores.mask, axis, temperature); }};
}

// −∞ has no finite difference: the masked values are left out of the sum.
GRADIENT("log_softmax(x, axis)") {
  const Scores scores(random);
  const int axis = random.below(scores.x.rank());
  return {{scores.x},
          [=](const Tensors& x) { return where(equal(scores.mask, 0), log_softmax(x[0] + scores.mask, axis), 0); }};
}

GRADIENT("logsumexp(x, axis, keep_axis)") {
  const Scores scores(random);
  const int axis = random.below(scores.x.rank());
  const bool keep_axis = random.coin();
  return {{scores.x}, [=](const Tensors& x) {
            const Tensor y = logsumexp(x[0] + scores.mask, axis, keep_axis);
            return where(greater(y, -1e30), y, 0);
          }};
}

// Over one to all axes. A large ε keeps rows of nearly equal values away from a division by 0.
GRADIENT("layer_norm(x, weight, bias, epsilon)") {
  const Shape shape = random.shape();
  const int axes = random.up_to(shape.rank());
  const Shape last(std::span<const int>(shape.end() - axes, shape.end()));
  const double epsilon = random.between(0.01, 0.1);
  return {{random.tensor(shape), random.tensor(last), random.tensor(last)},
          [=](const Tensors& x) { return layer_norm(x[0], x[1], x[2], epsilon); }};
}

GRADIENT("rms_norm(x, weight, epsilon)") {
  const Shape shape = random.shape();
  const double epsilon = random.between(0.01, 0.1);
  return {{random.tensor(shape), random.tensor({shape[-1]})},
          [=](const Tensors& x) { return rms_norm(x[0], x[1], epsilon); }};
}

// With padding rows, sometimes only those; with and without smoothing; mean or sum.
GRADIENT("cross_entropy(logits, target, options)") {
  const int vocabulary = 1 + random.size();
  const Tensor target = random.ids(random.shape(0, 2), vocabulary);
  for (Scalar& id : target.values())
    if (random.below(3) == 0) id = -1;
  const CrossEntropyOptions options{.label_smoothing = random.coin() ? 0.1 : 0,
                                    .reduction = random.coin() ? Reduction::mean : Reduction::sum};
  return {{random.tensor(joined(target.shape(), {vocabulary}))},
          [=](const Tensors& x) { return cross_entropy(x[0], target, options); }};
}

GRADIENT("mean_squared_error(x, target)") {
  const Shape shape = random.shape();
  return {{random.tensor(shape), random.tensor(shape)},
          [](const Tensors& x) { return mean_squared_error(x[0], x[1]); }};
}

// ── Products ────────────────────────────────────────────────────────────────────────────────────────────────────────

// Plain and transposed, with broadcasting batches on either side, and vectors in place of matrices.
GRADIENT("matmul(a, b, transposed)") {
  const Transposed transposed = std::array{Transposed::none, Transposed::a, Transposed::b}[random.below(3)];
  const int n = random.size(), k = random.size(), m = random.size();
  const Shape batch = random.batch();
  Shape left = batch, right = random.broadcast_partner(batch);
  if (random.coin()) std::swap(left, right);
  Tensor a = random.tensor(transposed == Transposed::a ? joined(left, {k, n}) : joined(left, {n, k}));
  Tensor b = random.tensor(transposed == Transposed::b ? joined(right, {m, k}) : joined(right, {k, m}));
  const int vectors = random.below(6);
  if (vectors == 0 || vectors == 2) a = random.tensor({k});
  if (vectors == 1 || vectors == 2) b = random.tensor({k});
  return {{a, b}, [=](const Tensors& x) { return matmul(x[0], x[1], transposed); }};
}

// ── Rows by their ids ───────────────────────────────────────────────────────────────────────────────────────────────

GRADIENT("gather(table, ids)") {
  const int count = random.size();
  const Tensor ids = random.ids(random.shape(0, 3), count);
  return {{random.tensor({count, random.size()})}, [=](const Tensors& x) { return gather(x[0], ids); }};
}

GRADIENT("scatter_add(rows, ids, count)") {
  const int count = random.size();
  const Tensor ids = random.ids(random.shape(0, 3), count);
  return {{random.tensor(joined(ids.shape(), {random.size()}))},
          [=](const Tensors& x) { return scatter_add(x[0], ids, count); }};
}

GRADIENT("pick(x, ids)") {
  const int count = random.size();
  const Tensor ids = random.ids(random.shape(0, 3), count);
  return {{random.tensor(joined(ids.shape(), {count}))}, [=](const Tensors& x) { return pick(x[0], ids); }};
}

// ── Shaping ─────────────────────────────────────────────────────────────────────────────────────────────────────────

GRADIENT("permute(x, axes)") {
  static const std::vector<int> orders[] = {{0},           {1, 0},           {2, 0, 1},
                                            {1, -1, 0, 2}, {4, 2, 0, 1, -2}, {5, 0, 3, 2, 1, 4}};
  const int rank = random.up_to(Shape::max_rank);
  return {{random.tensor(random.shape(rank, rank))}, [=](const Tensors& x) { return permute(x[0], orders[rank - 1]); }};
}

GRADIENT("flip(x, axis)") {
  const Shape shape = random.shape();
  const int axis = any_axis(random, shape);
  return {{random.tensor(shape)}, [=](const Tensors& x) { return flip(x[0], axis); }};
}

GRADIENT("broadcast_to(x, shape)") {
  const Shape shape = random.shape();
  return {{random.tensor(random.broadcast_partner(shape))},
          [=](const Tensors& x) { return broadcast_to(x[0], shape); }};
}

GRADIENT("sum_to(x, shape)") {
  const Shape shape = random.shape(), target = random.broadcast_partner(shape);
  return {{random.tensor(shape)}, [=](const Tensors& x) { return sum_to(x[0], target); }};
}

GRADIENT("reshape(x, shape)") {
  const Tensor x = random.tensor();
  const int count = static_cast<int>(x.size());
  const Shape shape = random.coin() ? Shape{count} : Shape{1, count, 1};
  return {{x}, [=](const Tensors& x) { return reshape(x[0], shape); }};
}

GRADIENT("concat(parts, axis, where)") {
  const Shape shape = random.shape();
  const int axis = any_axis(random, shape);
  Tensors parts;
  for (int i = random.up_to(3); i > 0; --i) parts.push_back(random.tensor(shape.with(axis, random.size())));
  return {parts, [=](const Tensors& x) { return concat({x.begin(), x.end()}, axis); }};
}

GRADIENT("slice(x, axis, start, length)") {
  const Tensor x = random.tensor();
  const int axis = any_axis(random, x.shape()), start = random.below(x.shape()[axis]);
  const int length = random.up_to(x.shape()[axis] - start);
  return {{x}, [=](const Tensors& x) { return slice(x[0], axis, start, length); }};
}

GRADIENT("pad(x, axis, before, after)") {
  const Tensor x = random.tensor();
  const int axis = any_axis(random, x.shape()), before = random.below(3), after = random.below(3);
  return {{x}, [=](const Tensors& x) { return pad(x[0], axis, before, after); }};
}

// ── Windows of a picture ────────────────────────────────────────────────────────────────────────────────────────────

Windows any_windows(Samples& random, int H, int W) {
  return {random.up_to(std::min(H, 3)), random.up_to(std::min(W, 3)), random.up_to(3)};
}

GRADIENT("unfold(x, windows)") {
  const Shape shape = random.shape(4, 4);
  const Windows windows = any_windows(random, shape[2], shape[3]);
  return {{random.tensor(shape)}, [=](const Tensors& x) { return unfold(x[0], windows); }};
}

GRADIENT("fold(columns, windows, H, W)") {
  const int H = random.size(), W = random.size();
  const Windows windows = any_windows(random, H, W);
  const int places = windows.rows(H) * windows.columns(W);
  const Shape shape = {random.up_to(2), random.up_to(2) * windows.height * windows.width, places};
  return {{random.tensor(shape)}, [=](const Tensors& x) { return fold(x[0], windows, H, W); }};
}

const GradientCases cases = {
    {"add(a, b)", pair(add)},
    {"subtract(a, b)", pair(subtract)},
    {"multiply(a, b)", pair(multiply)},
    {"divide(a, b)", pair(divide)},
    {"operator+(a, b)", pair([](Operand a, Operand b) { return a + b; })},
    {"operator-(a, b)", pair([](Operand a, Operand b) { return a - b; })},
    {"operator*(a, b)", pair([](Operand a, Operand b) { return a * b; })},
    {"operator/(a, b)", pair([](Operand a, Operand b) { return a / b; })},
    {"maximum(a, b)", apart(maximum)},
    {"minimum(a, b)", apart(minimum)},
    {"at_least(x, bound)", apart(at_least)},
    {"at_most(x, bound)", apart(at_most)},
    {"negate(x)", function(negate, -2, 2)},
    {"operator-(x)", function([](Operand x) { return -x; }, -2, 2)},
    {"exp(x)", function(exp, -2, 2)},
    {"log(x)", function(log, 0.2, 3)},
    {"sqrt(x)", function(sqrt, 0.2, 3)},
    {"tanh(x)", function(tanh, -3, 3)},
    {"sigmoid(x)", function(sigmoid, -4, 4)},
    {"erf(x)", function(erf, -2, 2)},
    {"log2(x)", function(log2, 0.2, 3)},
    {"log10(x)", function(log10, 0.2, 3)},
    {"log1p(x)", function(log1p, -0.5, 3)},
    {"exp2(x)", function(exp2, -2, 2)},
    {"expm1(x)", function(expm1, -2, 2)},
    {"tan(x)", function(tan, -1.2, 1.2)},
    {"atan(x)", function(atan, -3, 3)},
    {"atan2(y, x)", pair(atan2)},
    {"asin(x)", function(asin, -0.8, 0.8)},
    {"acos(x)", function(acos, -0.8, 0.8)},
    {"sinh(x)", function(sinh, -2, 2)},
    {"cosh(x)", function(cosh, -2, 2)},
    {"sin(x)", function(sin, -3, 3)},
    {"cos(x)", function(cos, -3, 3)},
    {"square(x)", function(square, -2, 2)},
    {"gelu(x)", function(gelu, -3, 3)},
    {"gelu_tanh(x)", function(gelu_tanh, -3, 3)},
    {"silu(x)", function(silu, -4, 4)},
    {"root_of_variance(x)", function(root_of_variance, 0.2, 3)},
    {"softplus(x)", function(softplus, -4, 4)},
    {"abs(x)", beside_zero(abs)},
    {"relu(x)", beside_zero(relu)},
    {"sum(x, axis, keep_axis)", along_an_axis(sum)},
    {"mean(x, axis, keep_axis)", along_an_axis(mean)},
    {"cumsum(x, axis, from_end)",
     along_an_axis([](Operand x, int axis, bool from_end) { return cumsum(x, axis, from_end); })},
    {"max(x, axis, keep_axis, gradient)",
     along_an_axis([](Operand x, int axis, bool keep_axis) { return max(x, axis, keep_axis); })},
    {"sum(x)", of_all(sum)},
    {"mean(x)", of_all(mean)},
    {"transpose(x)", unary(transpose, [](Samples& random) { return random.tensor(random.shape(2)); })},
};

}  // namespace

TEST_CASE("gradients of operations that are alike") { cases.check(); }
