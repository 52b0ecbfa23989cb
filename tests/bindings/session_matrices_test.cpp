// What a session tells of a matrix: singular values, eigenvalues, and rows on their principal axes.
#include "engine/linalg/linalg.h"
#include "tests/engine/linalg/numpy_values.h"
#include "tests/engine/support/session_state.h"
#include "tests/engine/support/settings.h"

namespace {

Config orthogonal_gru() { return settings("kind=recurrent cell=gru hidden=4 orthogonal=true scale=0.9"); }

// A model whose input is NumPy's matrix.
Config reads_tall() {
  return with(settings("kind=recurrent size=3 positions=5"), {{"X", std::vector<double>(numpy::tall)}});
}

Tensor tensor_of(const std::vector<float>& values) {
  return {{static_cast<int>(values.size())}, std::vector<Scalar>(values.begin(), values.end())};
}

}  // namespace

TEST_CASE("the spectrum of a gate's block of U, or of any other rows") {
  Ran session(orthogonal_gru());
  const int U = node_of(session, "cell.0.U").id;
  for (int gate = 0; gate < 3; ++gate) {
    const Spectrum block = value_of(session.spectrum(U, 4 * gate, 4));
    expect_near(tensor_of(block.singular_values), Tensor::full({4}, 0.9));
    expect_near(tensor_of(block.eigenvalues), Tensor::full({4}, 0.9));  // of an orthogonal matrix all lie on a circle
  }
  const Spectrum whole = value_of(session.spectrum(U, 0, 12));
  expect_near(tensor_of(whole.singular_values), Tensor::full({4}, 0.9 * std::sqrt(3.0)), 2e-6);
  CHECK(whole.eigenvalues.empty());
}

TEST_CASE("spectrum and principal axes of NumPy's matrix") {
  Ran session(reads_tall());
  const int X = node_of(session, "X").id;
  expect(tensor_of(value_of(session.spectrum(X, 0, 5)).singular_values), {3}, numpy::tall_singular_values, 1e-6);
  const AxesInfo axes = value_of(session.principal_axes(X));
  expect(tensor_of(axes.points), {10}, numpy::tall_points, 1e-6);
  expect(tensor_of(axes.shares), {2}, numpy::tall_shares, 1e-6);
}

TEST_CASE("axes before the last are rows, and after training it is the new matrix that is told of") {
  Ran session(orthogonal_gru());
  const int L = node_of(session, "L").id, b = node_of(session, "cell.0.b").id, U = node_of(session, "cell.0.U").id;
  CHECK(value_of(session.principal_axes(L)).points == std::vector<float>{0, 0});
  CHECK(value_of(session.spectrum(b, 0, 1)).singular_values.size() == 1);
  const auto before = value_of(session.spectrum(U, 0, 4)).singular_values;
  REQUIRE(session.train(5).ok);
  CHECK(value_of(session.spectrum(U, 0, 4)).singular_values != before);
}

TEST_CASE("no such node or rows, and values that are not finite, are refused") {
  Ran session(orthogonal_gru());
  const int U = node_of(session, "cell.0.U").id;
  CHECK(session.spectrum(-1, 0, 1).message().starts_with("id is -1: this trace has nodes 0 to "));
  CHECK(session.principal_axes(100000).message().starts_with("id is 100000: this trace"));
  CHECK(session.spectrum(U, 10, 4).message() == "[slice] 4 indices from 10 on are not in 0 to 12, axis 0 of (12, 4).");
  CHECK_FALSE(session.spectrum(U, 0, 0).ok);
  Ran words(settings("kind=attention mask=causal"));
  const Reply<Spectrum> masked = words.spectrum(node_of(words, "mask").id, 0, 4);
  CHECK(masked.failure.code == "E_INPUT");
  CHECK(masked.message() == "[singular_values] A[0, 1] is −∞: use a matrix whose values are all finite.");
}
