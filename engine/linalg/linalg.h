// Decompositions of a matrix, computed by Eigen in double and rounded once, at the end. They use only + − × ÷ and √, in
// an order that does not depend on the machine, so the bits are the same everywhere. Only svdvals is recorded and has a
// gradient.
//
// Each throws Error(shape) unless A is a matrix with 1 to 4096 rows and columns, the fewer of them at most 256; and
// Error(input) at a value that is not finite.
#pragma once

#include "engine/autograd/tensor.h"

namespace unroll {

// A = Q R, A (n, m), k = min(n, m): Q (n, k) has orthonormal columns, R (k, m) is upper triangular. No value on the
// diagonal of R is negative, so that Q and R are unique if A has full rank. (Householder 1958.)
struct QR {
  Tensor Q, R;
};
QR qr(const Tensor& A);

// A = U · diag(sigma) · Vᵀ, A (n, m), k = min(n, m): the columns of U (n, k) and of V (m, k) are orthonormal, and the
// singular values sigma (k) fall and are never negative. In each column of V the value farthest from 0 is positive (the
// first of several), so that the signs do not depend on the method. (Golub & Van Loan 2013, §2.4; by Jacobi rotations,
// §8.6.)
struct SVD {
  Tensor U, sigma, V;
};
SVD svd(const Tensor& A);

// The singular values (k) alone.
Tensor singular_values(const Tensor& A);

// The same as an operation: its gradient is U · diag(dσ) · Vᵀ, with U and V as constants, so it is differentiable once.
// (Giles 2008, §3.2.)
Tensor svdvals(Operand A);

// The eigenvalues λ of a square A (n, n), by falling absolute value; of a complex pair, the one with positive imaginary
// part first. Error(shape) also if A is not square. (The double-shift QR algorithm: Francis 1961.)
struct Eigenvalues {
  Tensor real, imaginary, absolute;  // (n) each
};
Eigenvalues eigenvalues(const Tensor& A);

// The rows of A (n, m) on their first `count` principal axes, the directions in which they vary most: points (n,
// count), after subtracting the mean row, and each axis' share (count) of the variance. Axes beyond min(n, m), and all
// if no row differs from another, have points and shares of 0. Signs as in svd. (Pearson 1901; Hotelling 1933.)
struct PrincipalAxes {
  Tensor points, shares;
};
PrincipalAxes principal_axes(const Tensor& A, int count);

}  // namespace unroll
