// The engine against Eigen: the same mathematics written with Eigen's matrices in double, and nothing shared but the
// inputs. In double both agree to 1e-12, in float to 1e-4.
#include <Eigen/Dense>

#include "engine/nn/attention/attention.h"
#include "engine/nn/layers/convolution.h"
#include "engine/nn/recurrent/cell.h"
#include "tests/engine/support/test.h"

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Rows = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr double tolerance = sizeof(Scalar) == sizeof(double) ? 1e-12 : 1e-4;

// x (n, m), or a vector as one row.
Matrix matrix_of(const Tensor& x) {
  const int rows = x.rank() < 2 ? 1 : x.shape()[-2], columns = x.shape()[-1];
  Matrix matrix(rows, columns);
  for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = static_cast<double>(x.data()[i]);
  return matrix;
}

void expect_equal(const Tensor& x, const Matrix& wanted) {
  REQUIRE(x.size() == static_cast<std::size_t>(wanted.size()));
  const double apart =
      (matrix_of(x).reshaped<Eigen::RowMajor>() - wanted.reshaped<Eigen::RowMajor>()).cwiseAbs().maxCoeff();
  CHECK(apart <= tolerance * std::max(1.0, wanted.cwiseAbs().maxCoeff()));
}

Matrix softmax_of_rows(const Matrix& e) {
  const Rows powers = (e.colwise() - e.rowwise().maxCoeff()).array().exp();
  return powers.colwise() / powers.rowwise().sum();
}

// ∂e from ∂α, row by row: ∂eᵢ = αᵢ (∂αᵢ − Σⱼ αⱼ ∂αⱼ).
Matrix softmax_gradient(const Matrix& weights, const Matrix& gradient) {
  const Rows product = weights.array() * gradient.array();
  return product - weights.array().colwise() * product.rowwise().sum();
}

Rows sigma(const Rows& x) { return 1 / (1 + (-x).exp()); }

// W x + b and U h + c for each row of x and h, and block `at` of H columns of them.
struct Gates {
  Gates(const CellWeights& p, const Tensor& x, const Tensor& h)
      : input((matrix_of(x) * matrix_of(p.W).transpose()).rowwise() + matrix_of(p.b).row(0)),
        state((matrix_of(h) * matrix_of(p.U).transpose()).rowwise() + matrix_of(p.c).row(0)),
        size(h.shape()[-1]) {}

  Rows of_input(int at) const { return input.middleCols(at * size, size); }
  Rows of_state(int at) const { return state.middleCols(at * size, size); }
  Rows operator[](int at) const { return of_input(at) + of_state(at); }

  Matrix input, state;
  int size;
};

// Calls `job` with other sizes and values each time.
void repeat(const std::function<void(Samples&)>& job) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Samples random(seed, 9);
    job(random);
  }
}

}  // namespace

TEST_CASE("products, plain and transposed, and their gradients equal Eigen's") {
  repeat([](Samples& random) {
    const int n = random.size(), k = random.size(), m = random.size();
    LiveTape tape(Tape::Detail::trace);
    const Tensor a = input("a", random.tensor({n, k})), b = input("b", random.tensor({k, m}));
    const Tensor out = random.tensor({n, m});
    const Matrix A = matrix_of(a), B = matrix_of(b), G = matrix_of(out);
    expect_equal(matmul(a, b), A * B);
    expect_equal(matmul(transpose(a), b, Transposed::a), A * B);
    expect_equal(matmul(a, transpose(b), Transposed::b), A * B);
    backward(sum(matmul(a, b) * out));
    expect_equal(gradient(a), G * B.transpose());
    expect_equal(gradient(b), A.transpose() * G);
  });
}

TEST_CASE("attention and its gradients equal Eigen's, with masked keys") {
  repeat([](Samples& random) {
    const int T = random.size(), S = 1 + random.size(), K = random.size(), width = random.size();
    LiveTape tape(Tape::Detail::trace);
    const Tensor q = input("q", random.tensor({T, K})), k = input("k", random.tensor({S, K}));
    const Tensor v = input("v", random.tensor({S, width})), out = random.tensor({T, width});
    const Tensor mask = causal_mask(T, S, random.below(S));
    const AttentionOutput look = scaled_dot_product_attention(q, k, v, mask);
    const Matrix Q = matrix_of(q), Keys = matrix_of(k), V = matrix_of(v), G = matrix_of(out);
    const double root = std::sqrt(static_cast<double>(K));
    const Matrix weights = softmax_of_rows(Q * Keys.transpose() / root + matrix_of(mask));
    expect_equal(look.weights, weights);
    expect_equal(look.context, weights * V);
    backward(sum(look.context * out));
    const Matrix scores = softmax_gradient(weights, G * V.transpose());
    expect_equal(gradient(v), weights.transpose() * G);
    expect_equal(gradient(q), scores * Keys / root);
    expect_equal(gradient(k), scores.transpose() * Q / root);
  });
}

TEST_CASE("layer norm and RMS norm equal Eigen's") {
  repeat([](Samples& random) {
    const int n = random.size(), D = 2 + random.size();
    const Tensor x = random.tensor({n, D}), weight = random.tensor({D}), bias = random.tensor({D});
    const Rows X = matrix_of(x), centred = X.colwise() - X.rowwise().mean();
    const auto divided = [](const Rows& rows) -> Rows {
      return rows.colwise() / (rows.square().rowwise().mean() + 1e-5).sqrt();
    };
    const auto scaled = [&](const Rows& rows) -> Rows { return rows.rowwise() * matrix_of(weight).array().row(0); };
    expect_equal(layer_norm(x, weight, bias), scaled(divided(centred)).rowwise() + matrix_of(bias).array().row(0));
    expect_equal(rms_norm(x, weight), scaled(divided(X)));
  });
}

TEST_CASE("the steps of recurrent cells equal Eigen's") {
  repeat([](Samples& random) {
    const int B = random.size(), X = random.size(), H = random.size();
    const Tensor x = random.tensor({B, X}), h = random.tensor({B, H}), memory = random.tensor({B, H});
    const auto weights = [&](int blocks) -> CellWeights {
      return {random.tensor({blocks * H, X}), random.tensor({blocks * H, H}), random.tensor({blocks * H}),
              random.tensor({blocks * H})};
    };
    const Rows before = matrix_of(h), remembered = matrix_of(memory);

    const CellWeights plain = weights(1);
    expect_equal(rnn_step(x, {h}, plain).h, Gates(plain, x, h)[0].tanh());

    const CellWeights gru = weights(3);
    const Gates g(gru, x, h);
    const Rows r = sigma(g[0]), z = sigma(g[1]), n = (g.of_input(2) + r * g.of_state(2)).tanh();
    expect_equal(gru_step(x, {h}, gru).h, (1 - z) * n + z * before);

    const CellWeights lstm = weights(4);
    const Gates l(lstm, x, h);
    const Rows c = sigma(l[1]) * remembered + sigma(l[0]) * l[2].tanh();
    const CellState after = lstm_step(x, {h, memory}, lstm);
    expect_equal(after.c, c);
    expect_equal(after.h, sigma(l[3]) * c.tanh());
  });
}

TEST_CASE("a convolution equals Eigen's sum over each window") {
  repeat([](Samples& random) {
    const int C = random.up_to(3), out = random.up_to(3), size = random.up_to(3), stride = random.up_to(2);
    const int H = size + random.size(), W = size + random.size();
    const Tensor x = random.tensor({1, C, H, W}), weight = random.tensor({out, C, size, size}),
                 bias = random.tensor({out});
    const Tensor y = Conv2d(weight, bias, stride)(x);
    const auto plane = [](const Tensor& all, int at, int rows, int columns) {
      return matrix_of(slice(reshape(all, {static_cast<int>(all.size()) / (rows * columns), rows, columns}), 0, at, 1));
    };
    const int rows = (H - size) / stride + 1, columns = (W - size) / stride + 1;
    for (int o = 0; o < out; ++o) {
      Matrix sums = Matrix::Constant(rows, columns, matrix_of(bias)(0, o));
      for (int c = 0; c < C; ++c)
        for (int i = 0; i < rows; ++i)
          for (int j = 0; j < columns; ++j)
            sums(i, j) += plane(x, c, H, W)
                              .block(i * stride, j * stride, size, size)
                              .cwiseProduct(plane(weight, o * C + c, size, size))
                              .sum();
      expect_equal(slice(y, 1, o, 1), sums);
    }
  });
}
