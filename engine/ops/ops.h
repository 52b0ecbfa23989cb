// All operations of the engine.
//
// A *primitive* computes one expression and defines its gradient in terms of operations. A *composite* is a plain
// function of operations and has no gradient of its own. Operands broadcast as in NumPy; negative axes count from the
// end. Evaluation order is unspecified in C++, so at most one operand of an expression may itself record operations:
// the tape must not depend on the compiler. Error messages begin with the operation's name: Error(shape) gives the
// shapes and the sizes that differ, Error(input) the invalid id, Error(config) the option out of range.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "engine/autograd/tensor.h"

namespace unroll {

// ── Primitives ──────────────────────────────────────────────────────────────────────────────────────────────────────

Tensor add(Operand a, Operand b);       // a + b
Tensor subtract(Operand a, Operand b);  // a − b
Tensor multiply(Operand a, Operand b);  // a · b, elementwise
Tensor divide(Operand a, Operand b);    // a / b
Tensor negate(Operand x);               // −x

inline Tensor operator+(Operand a, Operand b) { return add(forward_operand(a), forward_operand(b)); }
inline Tensor operator-(Operand a, Operand b) { return subtract(forward_operand(a), forward_operand(b)); }
inline Tensor operator*(Operand a, Operand b) { return multiply(forward_operand(a), forward_operand(b)); }
inline Tensor operator/(Operand a, Operand b) { return divide(forward_operand(a), forward_operand(b)); }
inline Tensor operator-(Operand x) { return negate(forward_operand(x)); }

Tensor exp(Operand x);
Tensor log(Operand x);
Tensor sqrt(Operand x);
Tensor root_of_variance(Operand x);  // √x, of a variance or a squared length; the gradient at 0 is 0
Tensor power(Operand a, Operand b);  // a^b; NaN where a < 0 and b is no whole number
Tensor tanh(Operand x);
Tensor sigmoid(Operand x);  // 1 / (1 + e^−x)
Tensor relu(Operand x);     // max(x, 0); the gradient at 0 is 0
Tensor sin(Operand x);      // of radians
Tensor cos(Operand x);
Tensor softplus(Operand x);  // log(1 + e^x) (Dugas et al. 2001)
Tensor erf(Operand x);       // 2/√π ∫₀ˣ e^−t² dt

Tensor log2(Operand x);
Tensor log10(Operand x);
Tensor log1p(Operand x);  // log(1 + x), also near 0
Tensor exp2(Operand x);   // 2^x
Tensor expm1(Operand x);  // e^x − 1, also near 0
Tensor tan(Operand x);    // of radians, as sin
Tensor atan(Operand x);
Tensor atan2(Operand y, Operand x);  // the angle of the point (x, y), −π to π
Tensor asin(Operand x);              // NaN beyond −1 to 1
Tensor acos(Operand x);
Tensor sinh(Operand x);
Tensor cosh(Operand x);

// Without gradients.
Tensor floor(Operand x);  // rounded down
Tensor ceil(Operand x);   // rounded up
Tensor trunc(Operand x);  // rounded towards 0
Tensor round(Operand x);  // to the nearest whole number, halves to the even one
Tensor sign(Operand x);   // −1, 0 or 1

// The larger and the smaller of two values, NaN where either is; equal ones share the gradient.
Tensor maximum(Operand a, Operand b);
Tensor minimum(Operand a, Operand b);

// Without gradients; a relation is 1 where it holds, else 0.
Tensor floor_divide(Operand a, Operand b);  // how often b fits into a, rounded down
Tensor remainder(Operand a, Operand b);     // what is left of it, with the sign of b; it has a gradient
Tensor equal(Operand a, Operand b);
Tensor greater(Operand a, Operand b);

// a where condition is not 0, else b. The condition takes no gradient; values not chosen get gradient 0, never NaN.
Tensor where(Operand condition, Operand a, Operand b);

// Matrix product over the last two axes; axes before them are a batch and broadcast: (…, n, k) · (…, k, m) → (…, n, m).
// With Transposed::b it is a · bᵀ, b (…, m, k); with Transposed::a it is aᵀ · b, a (…, k, n). A vector is a row on
// the left and a column on the right, as in NumPy, regardless of `transposed`.
enum class Transposed { none, a, b };
Tensor matmul(Operand a, Operand b, Transposed transposed = Transposed::none);

// Sums of products by a rule as "bik,bkj->bij" (Einstein's convention): letters that the result lacks are summed, a
// letter twice in one operand is its diagonal, and "..." stands for axes that broadcast. Without "->" the result has
// the axes of "..." and then, in alphabetical order, the letters that occur once. Throws Error(shape) for a rule that
// cannot be read or does not fit.
Tensor einsum(std::string_view rule, const std::vector<Operand>& operands,
              Operand::CallSite where = Operand::CallSite::current());
double einsum_multiply_adds(std::string_view rule, std::span<const Shape> operands);

Tensor transpose(Operand x);                           // the last two axes swapped
Tensor permute(Operand x, std::span<const int> axes);  // axis i of the result is axis axes[i] of x
inline Tensor permute(Operand x, std::initializer_list<int> axes) {
  return permute(forward_operand(x), std::span(axes.begin(), axes.size()));
}
Tensor flip(Operand x, int axis);                    // in the reverse order along one axis
Tensor reshape(Operand x, const Shape& shape);       // the same values, row-major, in another shape
Tensor broadcast_to(Operand x, const Shape& shape);  // repeated along axes of size 1 and along new leading axes

Tensor sum(Operand x, int axis, bool keep_axis = false);  // Σ along one axis
Tensor sum(Operand x);                                    // Σ of all values, a scalar

Tensor cumsum(Operand x, int axis, bool from_end = false);  // Σ of all up to each value along one axis, or from it on

Tensor prod(Operand x, int axis, bool keep_axis = false);  // Π along one axis
Tensor cumprod(Operand x, int axis);                       // Π of all up to each value along one axis

// Maximum along one axis; ties share its gradient equally. Gradient::none stops it, for uses where it cancels.
enum class Gradient { flows, none };
Tensor max(Operand x, int axis, bool keep_axis = false, Gradient gradient = Gradient::flows);

Tensor concat(const std::vector<Operand>& parts, int axis, Operand::CallSite where = Operand::CallSite::current());
Tensor slice(Operand x, int axis, int start, int length);  // indices start to start + length − 1
Tensor pad(Operand x, int axis, int before, int after);    // zeros around x, the adjoint of slice

// Indexing by ids; each throws Error(input) for an id that is not a whole number from 0 to the last index.
Tensor gather(Operand table, Operand ids);                 // rows: y[…, :] = table[ids[…], :]
Tensor scatter_add(Operand rows, Operand ids, int count);  // y[ids[…], :] += rows[…, :], the adjoint of gather
Tensor pick(Operand x, Operand ids);                       // y[…] = x[…, ids[…]], one value per row
Tensor one_hot(Operand ids, int count);                    // y[…, c] = 1 where c = ids[…]. No gradient.

// Values by their places: flat ones, row-major indices of x, or ids along one axis of x, as many as values; elsewhere
// the sizes of ids are at most those of x, and indices are those of the value. Of values put at one place the last one
// wins, and it alone has a gradient; a single value goes to all places. Throws Error(input) as above.
Tensor take(Operand x, Operand places);                             // y[i] = x[places[i]]
Tensor put(Operand x, Operand places, Operand values);              // x, but y[places[i]] = values[i]
Tensor add_at(Operand values, Operand places, const Shape& shape);  // y[places[i]] += values[i], the adjoint of take
Tensor take_along(Operand x, Operand ids, int axis);                // y[i, j] = x[ids[i, j], j] for axis 0
Tensor put_along(Operand x, Operand ids, int axis, Operand values);
Tensor add_along(Operand values, Operand ids, int axis, const Shape& shape);

// Without gradients; NaN counts as the largest value.
Tensor argmax(Operand x, int axis = -1);                            // index of the maximum, the first of ties
Tensor argsort(Operand x, int axis = -1, bool descending = false);  // indices in the order of values, stable

// Windows of height × width values in an image, `stride` apart in both directions.
struct Windows {
  int height = 1, width = 1, stride = 1;

  // The number of rows and columns of windows in an image (…, H, W).
  int rows(int H) const { return (H - height) / stride + 1; }
  int columns(int W) const { return (W - width) / stride + 1; }
};

// x (B, C, H, W) → (B, C·height·width, L): each of the L windows as a column, windows in row-major order. Values of x
// past the last whole window are dropped. (Known as im2col.)
Tensor unfold(Operand x, Windows windows);

// The adjoint of unfold, for images (…, H, W): each value is added where it came from. (Known as col2im.)
Tensor fold(Operand columns, Windows windows, int H, int W);

// The values of x, without a gradient to x.
Tensor detach(Operand x);

// ── Composites ──────────────────────────────────────────────────────────────────────────────────────────────────────

Tensor sum_to(Operand x, const Shape& shape);              // the adjoint of broadcast_to: Σ along every broadcast axis
Tensor mean(Operand x, int axis, bool keep_axis = false);  // Σ / n along one axis of size n
Tensor mean(Operand x);                                    // of all values, a scalar
Tensor square(Operand x);                                  // x · x

Tensor abs(Operand x);  // |x|; the gradient at 0 is 0

Tensor at_least(Operand x, Operand bound);  // x, or the bound where x is below it; at the bound, x has the gradient
Tensor at_most(Operand x, Operand bound);   // x, or the bound where x is above it

// product + bias, with bias (M) and product (…, M) the result of a matmul that nothing else uses: training adds in
// place.
Tensor add_bias(Operand product, Operand bias);

// Softmax along `axis`: exp(x/T) / Σ exp(x/T), computed with the maximum subtracted. T is finite and > 0, or 0 for
// the limit, argmax (ties share); otherwise throws Error(config). A row of −∞ gives zeros, never NaN. (Bridle 1990.)
Tensor softmax(Operand x, int axis = -1, double temperature = 1);
Tensor log_softmax(Operand x, int axis = -1);  // x − log Σ exp x, stable
Tensor logsumexp(Operand x, int axis = -1, bool keep_axis = false);

// (x − mean) / √(variance + ε) · weight + bias over as many last axes as weight has. (Ba et al. 2016, §3.)
Tensor layer_norm(Operand x, Operand weight, Operand bias, double epsilon = 1e-5);

// x / √(mean of x² + ε) · weight along the last axis, weight (D): layer_norm without the mean and without the bias.
// (Zhang & Sennrich 2019, eq. 4.)
Tensor rms_norm(Operand x, Operand weight, double epsilon = 1e-5);

// x Φ(x), the exact form and Hendrycks' tanh form. (Hendrycks & Gimpel 2016, §2.)
Tensor gelu(Operand x);
Tensor gelu_tanh(Operand x);

// x (…, T, K) with each pair rotated by its angle, given as cosine and sine (T, K/2). A pair is two neighbouring values
// if interleaved, else one value from each half. Throws Error(shape) for an odd K. (Su et al. 2021, §3.2.2.)
Tensor rotate_pairs(Operand x, const Tensor& cosine, const Tensor& sine, bool interleaved);

Tensor silu(Operand x);                   // x · sigmoid(x) (Hendrycks & Gimpel 2016, §2)
Tensor elu(Operand x, double alpha = 1);  // x for x > 0, else α (e^x − 1) (Clevert et al. 2016, §3)

// How the losses of the rows are reduced.
enum class Reduction { mean, sum };

struct CrossEntropyOptions {
  int ignored = -1;            // rows with this target do not count (padding)
  double label_smoothing = 0;  // ε: the target is (1 − ε) one-hot + ε uniform (Szegedy et al. 2016, §7)
  Reduction reduction = Reduction::mean;
};

// −log softmax(logits)[target], over rows (…, V) with targets (…); the mean is over the rows that are not ignored.
// Throws Error(input) when a target is not a whole number from 0 to V − 1, Error(config) when ε is not in [0, 1].
Tensor cross_entropy(Operand logits, Operand target, CrossEntropyOptions options = {});

Tensor mean_squared_error(Operand x, Operand target);  // mean (x − target)²

}  // namespace unroll
