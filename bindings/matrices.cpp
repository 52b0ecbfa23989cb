// What a session tells of a matrix. Apart from session.cpp, as a module may go without (has_linalg).
#include "bindings/session.h"
#include "engine/linalg/linalg.h"
#include "engine/ops/ops.h"

namespace unroll {
namespace {

// (…, m) → (n, m)
Tensor rows_of(const Tensor& x) {
  const int columns = x.rank() == 0 ? 1 : x.shape()[-1];
  return reshape(x, {columns == 0 ? 0 : static_cast<int>(x.size()) / columns, columns});
}

}  // namespace

Reply<Spectrum> Session::spectrum(int id, int start, int rows) {
  return attempt("spectrum", [&] {
    const Tensor value = node(id).value;
    const RecordingGuard nothing(nullptr);
    const Tensor A = slice(rows_of(value), 0, start, rows);
    Spectrum result{.singular_values = floats(singular_values(A)), .eigenvalues = {}};
    if (A.shape()[0] == A.shape()[1]) result.eigenvalues = floats(eigenvalues(A).absolute);
    return result;
  });
}

Reply<AxesInfo> Session::principal_axes(int id) {
  return attempt("principalAxes", [&] {
    const Tensor value = node(id).value;
    const RecordingGuard nothing(nullptr);
    const auto [points, shares] = unroll::principal_axes(rows_of(value), 2);
    return AxesInfo{floats(points), floats(shares)};
  });
}

}  // namespace unroll
