// The fused gates of GRU and LSTM. A row holds its gates side by side, H values each. (__restrict: with this many
// operands the compiler does not check for overlap with the result itself.)
#include <algorithm>

#include "engine/autograd/tape.h"
#include "engine/kernels/functions.h"
#include "engine/kernels/parallel.h"
#include "engine/ops/fused/fused.h"

namespace unroll::fused {
namespace {

// The derivatives of σ and tanh, from their values.
Scalar sigmoid_grad(Scalar y) { return y * (1 - y); }
Scalar tanh_grad(Scalar y) { return 1 - y * y; }

// Row b of x (B, …).
Scalar* row(const Tensor& x, std::size_t b) { return x.data() + b * static_cast<std::size_t>(x.shape()[-1]); }

// body(b) for each row of a batch (B, H).
template <typename F>
void over_batch(const Tensor& batch, const F& body) {
  for_each_row(static_cast<std::size_t>(batch.shape()[0]), static_cast<std::size_t>(batch.shape()[1]), costly, body);
}

// r, z and n (3H) of one row.
void gru_gates(int H, const Scalar* Wx, const Scalar* Uh, Scalar* gates) {
  Scalar* n = gates + 2 * H;
  for (int j = 0; j < 2 * H; ++j) gates[j] = Wx[j] + Uh[j];
  kernels::sigmoid(gates, gates, static_cast<std::size_t>(2 * H));
  for (int j = 0; j < H; ++j) n[j] = gates[j] * Uh[2 * H + j] + Wx[2 * H + j];
  kernels::tanh(n, n, static_cast<std::size_t>(H));
}

void gru_state(int H, const Scalar* gates, const Scalar* h, Scalar* y) {
  const Scalar *z = gates + H, *n = gates + 2 * H;
  for (int j = 0; j < H; ++j) y[j] = (1 - z[j]) * n[j] + z[j] * h[j];
}

// The gradient of the products of one row, the same for Wx and Uh except at n, where Uh is scaled by r.
enum class Product { Wx, Uh };

template <Product product>
void gru_grad_row(int H, const Scalar* dy, const Scalar* gates, const Scalar* U_n, const Scalar* h,
                  Scalar* __restrict dx) {
  const Scalar *r = gates, *z = gates + H, *n = gates + 2 * H;
  for (int j = 0; j < H; ++j) {
    const Scalar dz = dy[j] * h[j] - dy[j] * n[j];
    const Scalar dn = dy[j] * (1 - z[j]) * tanh_grad(n[j]);
    dx[j] = dn * U_n[j] * sigmoid_grad(r[j]);
    dx[H + j] = dz * sigmoid_grad(z[j]);
    dx[2 * H + j] = product == Product::Wx ? dn : dn * r[j];
  }
}

template <Product product>
Tensor gru_gradient(const Tensor& dy, const Tensor& gates, const Tensor& Uh, const Tensor& h) {
  const int H = h.shape()[1];
  Tensor dx(gates.shape());
  over_batch(h, [&](std::size_t b) {
    gru_grad_row<product>(H, row(dy, b), row(gates, b), row(Uh, b) + 2 * H, row(h, b), row(dx, b));
  });
  return dx;
}

// dy times gate i of each row.
Tensor times_gate(const Tensor& dy, const Tensor& gates, int i) {
  const int H = dy.shape()[1];
  Tensor dx(dy.shape());
  over_batch(dy, [&](std::size_t b) {
    const Scalar *grad = row(dy, b), *gate = row(gates, b) + i * H;
    std::transform(grad, grad + H, gate, row(dx, b), [](Scalar dy, Scalar g) { return dy * g; });
  });
  return dx;
}

// i, f and g (3H) of one row.
void lstm_gates(int H, const Scalar* sums, Scalar* gates) {
  kernels::sigmoid(sums, gates, static_cast<std::size_t>(2 * H));
  kernels::tanh(sums + 2 * H, gates + 2 * H, static_cast<std::size_t>(H));
}

void lstm_state(int H, const Scalar* gates, const Scalar* c, Scalar* y) {
  const Scalar *i = gates, *f = gates + H, *g = gates + 2 * H;
  for (int j = 0; j < H; ++j) y[j] = f[j] * c[j] + i[j] * g[j];
}

void lstm_cell_grad_row(int H, const Scalar* dy, const Scalar* gates, const Scalar* c, Scalar* __restrict dx) {
  const Scalar *i = gates, *f = gates + H, *g = gates + 2 * H;
  for (int j = 0; j < H; ++j) {
    dx[j] = dy[j] * g[j] * sigmoid_grad(i[j]);
    dx[H + j] = dy[j] * c[j] * sigmoid_grad(f[j]);
    dx[2 * H + j] = dy[j] * i[j] * tanh_grad(g[j]);
  }
  std::fill_n(dx + 3 * H, H, Scalar(0));
}

Tensor lstm_cell_gradient(const Tensor& dy, const Tensor& gates, const Tensor& c) {
  const int B = c.shape()[0], H = c.shape()[1];
  Tensor dx({B, 4 * H});
  over_batch(c, [&](std::size_t b) { lstm_cell_grad_row(H, row(dy, b), row(gates, b), row(c, b), row(dx, b)); });
  return dx;
}

// The gradients of the sums (0 except for gate o) and of c; `gates` holds o and tanh c (2H).
Tensor lstm_output_gradient(const Tensor& dy, const Tensor& gates) {
  const int B = dy.shape()[0], H = dy.shape()[1];
  Tensor dx = Tensor::full({B, 4 * H}, 0);
  over_batch(dy, [&](std::size_t b) {
    const Scalar *grad = row(dy, b), *o = row(gates, b), *t = o + H;
    Scalar* to = row(dx, b) + 3 * H;
    for (int j = 0; j < H; ++j) to[j] = grad[j] * t[j] * sigmoid_grad(o[j]);
  });
  return dx;
}

Tensor lstm_output_gradient_of_c(const Tensor& dy, const Tensor& gates) {
  const int H = dy.shape()[1];
  Tensor dx(dy.shape());
  over_batch(dy, [&](std::size_t b) {
    const Scalar *grad = row(dy, b), *o = row(gates, b), *t = o + H;
    Scalar* to = row(dx, b);
    for (int j = 0; j < H; ++j) to[j] = grad[j] * o[j] * tanh_grad(t[j]);
  });
  return dx;
}

}  // namespace

Tensor gru(Operand Wx, Operand Uh, Operand h) {
  const int H = h.shape()[1];
  Tensor gates(Wx.shape()), y(h.shape());
  over_batch(h, [&](std::size_t b) {
    gru_gates(H, row(Wx, b), row(Uh, b), row(gates, b));
    gru_state(H, row(gates, b), row(h, b), row(y, b));
  });
  return record({"gru"}, y,  //
                Input{Wx, [=](const Tensor& dy) { return gru_gradient<Product::Wx>(dy, gates, Uh, h); }},
                Input{Uh, [=](const Tensor& dy) { return gru_gradient<Product::Uh>(dy, gates, Uh, h); }},
                Input{h, [=](const Tensor& dy) { return times_gate(dy, gates, 1); }});
}

Tensor lstm_cell(Operand sums, Operand c) {
  const int B = c.shape()[0], H = c.shape()[1];
  Tensor gates({B, 3 * H}), y(c.shape());
  over_batch(c, [&](std::size_t b) {
    lstm_gates(H, row(sums, b), row(gates, b));
    lstm_state(H, row(gates, b), row(c, b), row(y, b));
  });
  return record({"lstm_memory"}, y,  //
                Input{sums, [=](const Tensor& dy) { return lstm_cell_gradient(dy, gates, c); }},
                Input{c, [=](const Tensor& dy) { return times_gate(dy, gates, 1); }});
}

Tensor lstm_output(Operand sums, Operand c) {
  const int B = c.shape()[0], H = c.shape()[1];
  Tensor gates({B, 2 * H}), y(c.shape());
  over_batch(c, [&](std::size_t b) {
    Scalar *o = row(gates, b), *t = o + H;
    kernels::sigmoid(row(sums, b) + 3 * H, o, static_cast<std::size_t>(H));
    kernels::tanh(row(c, b), t, static_cast<std::size_t>(H));
    std::transform(o, o + H, t, row(y, b), [](Scalar o, Scalar t) { return o * t; });
  });
  return record({"lstm_output"}, y,  //
                Input{sums, [=](const Tensor& dy) { return lstm_output_gradient(dy, gates); }},
                Input{c, [=](const Tensor& dy) { return lstm_output_gradient_of_c(dy, gates); }});
}

}  // namespace unroll::fused
