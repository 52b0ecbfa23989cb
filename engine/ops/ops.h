// All operations of the engine on one page.
//
// A *primitive* computes one expression and knows its gradient, written in operations. A *composite* is a plain
// function of operations and has no gradient of its own. Operands broadcast as in NumPy; a negative axis counts from
// the end. C++ leaves open which operand of an expression is computed first, so at most one of them may be a
// computation of its own: the tape must read the same whatever compiled it. Errors begin with the operation's name:
// Error(shape) says the shapes and which sizes differ, Error(input) which id names nothing, Error(config) which option
// is out of range.
#pragma once

#include <initializer_list>
#include <vector>

#include "engine/autograd/operand.h"

namespace unroll {

// ── Primitives ──────────────────────────────────────────────────────────────────────────────────────────────────────

Tensor add(Operand a, Operand b);       // a + b
Tensor subtract(Operand a, Operand b);  // a − b
Tensor multiply(Operand a, Operand b);  // a · b, elementwise
Tensor divide(Operand a, Operand b);    // a / b
Tensor negate(Operand x);               // −x

inline Tensor operator+(Operand a, Operand b) { return add(pass_on(a), pass_on(b)); }
inline Tensor operator-(Operand a, Operand b) { return subtract(pass_on(a), pass_on(b)); }
inline Tensor operator*(Operand a, Operand b) { return multiply(pass_on(a), pass_on(b)); }
inline Tensor operator/(Operand a, Operand b) { return divide(pass_on(a), pass_on(b)); }
inline Tensor operator-(Operand x) { return negate(pass_on(x)); }

Tensor exp(Operand x);
Tensor log(Operand x);
Tensor sqrt(Operand x);
Tensor tanh(Operand x);
Tensor sigmoid(Operand x);  // 1 / (1 + e^−x)
Tensor relu(Operand x);     // max(x, 0); the gradient at 0 is 0
Tensor erf(Operand x);      // 2/√π ∫₀ˣ e^−t² dt

// 1 where the relation holds, else 0. No gradient.
Tensor equal(Operand a, Operand b);
Tensor greater(Operand a, Operand b);

// a where condition is not 0, else b. The condition takes no gradient, and what is not chosen gets none, not even NaN.
Tensor where(Operand condition, Operand a, Operand b);

// Matrix product over the last two axes; axes before them are a batch and broadcast: (…, n, k) · (…, k, m) → (…, n, m).
// With Transposed::b it is a · bᵀ, b (…, m, k); with Transposed::a it is aᵀ · b, a (…, k, n). A vector stands for a row
// on the left and for a column on the right, as in NumPy, whatever is transposed.
enum class Transposed { none, a, b };
Tensor matmul(Operand a, Operand b, Transposed transposed = Transposed::none);

Tensor transpose(Operand x);                                 // the last two axes exchanged
Tensor permute(Operand x, std::initializer_list<int> axes);  // axis i of the result is axis axes[i] of x
Tensor reshape(Operand x, const Shape& shape);               // the same values, row-major, in another shape
Tensor broadcast_to(Operand x, const Shape& shape);          // repeated along axes of size 1 and along new leading axes

Tensor sum(Operand x, int axis, bool keep_axis = false);  // Σ along one axis
Tensor sum(Operand x);                                    // Σ of all values, a scalar

// The largest along one axis; its gradient is shared by equal ones. Gradient::none stops it, where the result cancels.
enum class Gradient { flows, none };
Tensor max(Operand x, int axis, bool keep_axis = false, Gradient gradient = Gradient::flows);

Tensor concat(const std::vector<Operand>& parts, int axis, Operand::Where where = Operand::Where::current());
Tensor slice(Operand x, int axis, int start, int length);  // length indices from start on
Tensor pad(Operand x, int axis, int before, int after);    // zeros around, the inverse of slice

// By ids: each throws Error(input) for one that is not a whole number from 0 to the last there is.
Tensor gather(Operand table, Operand ids);                 // rows: y[…, :] = table[ids[…], :]
Tensor scatter_add(Operand rows, Operand ids, int count);  // y[ids[…], :] += rows[…, :], the inverse of gather
Tensor pick(Operand x, Operand ids);                       // y[…] = x[…, ids[…]], one value a row
Tensor one_hot(Operand ids, int count);                    // y[…, c] = 1 where c = ids[…]. No gradient.

Tensor argmax(Operand x);  // along the last axis, the index of the largest, the first of equals. No gradient.

// A picture's windows of height × width values, their corners `stride` apart in both directions.
struct Windows {
  int height = 1, width = 1, stride = 1;

  // How many lie below and beside each other in a picture (…, H, W).
  int rows(int H) const { return (H - height) / stride + 1; }
  int columns(int W) const { return (W - width) / stride + 1; }
};

// x (B, C, H, W) → (B, C·height·width, L): each of its L windows as a column, row by row of windows. Values of x behind
// the last whole window are in none. (Known as im2col.)
Tensor unfold(Operand x, Windows windows);

// The inverse of unfold, for pictures (…, H, W): each value is added where it came from. (Known as col2im.)
Tensor fold(Operand columns, Windows windows, int H, int W);

// x without its history: the same values, no gradient through them.
Tensor detach(Operand x);

// ── Composites ──────────────────────────────────────────────────────────────────────────────────────────────────────

Tensor sum_to(Operand x, const Shape& shape);  // the inverse of broadcast_to: Σ along every axis that was repeated
Tensor mean(Operand x, int axis, bool keep_axis = false);  // Σ / n along one axis of n
Tensor mean(Operand x);                                    // of all values, a scalar
Tensor square(Operand x);                                  // x · x

// Softmax along `axis`: exp(x/T) / Σ exp(x/T), computed with the largest value subtracted. temperature T > 0, or 0 for
// its limit, the argmax (ties share); throws Error(config) for another. A row of −∞ gives zeros, never NaN. (Bridle
// 1990.)
Tensor softmax(Operand x, int axis = -1, double temperature = 1);
Tensor log_softmax(Operand x, int axis = -1);  // x − log Σ exp x, stable
Tensor logsumexp(Operand x, int axis = -1, bool keep_axis = false);

// (x − mean) / √(variance + ε) · weight + bias along the last axes, as many as weight has. (Ba et al. 2016, §3.)
Tensor layer_norm(Operand x, Operand weight, Operand bias, double epsilon = 1e-5);

// x / √(mean of x² + ε) · weight along the last axis, weight (D): layer_norm without the mean and without the bias.
// (Zhang & Sennrich 2019, eq. 4.)
Tensor rms_norm(Operand x, Operand weight, double epsilon = 1e-5);

// x Φ(x), the exact form and Hendrycks' tanh form. (Hendrycks & Gimpel 2016, §2.)
Tensor gelu(Operand x);
Tensor gelu_tanh(Operand x);

Tensor silu(Operand x);                   // x · sigmoid(x) (Hendrycks & Gimpel 2016, §2)
Tensor elu(Operand x, double alpha = 1);  // x for x > 0, else α (e^x − 1) (Clevert et al. 2016, §3)
Tensor softplus(Operand x);               // log(1 + e^x) (Dugas et al. 2001)

// How the loss over several rows is put together.
enum class Reduction { mean, sum };

struct CrossEntropyOptions {
  int ignored = -1;            // rows with this target count for nothing (padding)
  double label_smoothing = 0;  // ε: the target is (1 − ε) one-hot + ε uniform (Szegedy et al. 2016, §7)
  Reduction reduction = Reduction::mean;
};

// −log softmax(logits)[target], over rows (…, V) with targets (…); the mean is over the rows that are not ignored.
// Throws Error(input) when a target is not a whole number from 0 to V − 1, Error(config) when ε is not 0 to 1.
Tensor cross_entropy(Operand logits, Operand target, CrossEntropyOptions options = {});

Tensor mean_squared_error(Operand x, Operand target);  // mean (x − target)²

}  // namespace unroll
