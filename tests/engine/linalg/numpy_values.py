"""Prints numpy_values.h: /usr/bin/python3 tests/engine/linalg/numpy_values.py > tests/engine/linalg/numpy_values.h"""

import numpy as np


def matrix(rows, columns, last=11):
    return np.array([[(7 * i + 3 * j + i * j) % last - 5.0 for j in range(columns)] for i in range(rows)])


def principal(A):
    centred = A - A.mean(axis=0)
    U, s, Vt = np.linalg.svd(centred, full_matrices=False)
    signs = np.sign(Vt[np.arange(len(s)), np.abs(Vt).argmax(axis=1)])
    return (U * s * signs)[:, :2], (s**2 / (s**2).sum())[:2]


def falling(values):
    return values[np.lexsort((-values.imag, -np.abs(values).round(9)))]


def show(name, values):
    numbers = ", ".join(f"{float(value):.12g}" for value in np.asarray(values).ravel() + 0.0)
    print(f"const std::vector<double> {name} = {{{numbers}}};")


tall, square, long = matrix(5, 3), matrix(4, 4), matrix(40, 24, 97)
Q, R = np.linalg.qr(tall)
signs = np.sign(np.diag(R))
eigenvalues = falling(np.linalg.eigvals(square))
points, shares = principal(tall)
print(f"// Computed by NumPy {np.__version__} in float64: see numpy_values.py.")
print("#pragma once\n\n#include <vector>\n\nnamespace numpy {\n")
show("tall", tall)
show("tall_Q", Q * signs)
show("tall_R", R * signs[:, None])
show("tall_singular_values", np.linalg.svd(tall, compute_uv=False))
show("tall_points", points)
show("tall_shares", shares)
show("square", square)
show("square_singular_values", np.linalg.svd(square, compute_uv=False))
show("square_eigenvalues_real", eigenvalues.real)
show("square_eigenvalues_imaginary", eigenvalues.imag)
show("square_eigenvalues_absolute", np.abs(eigenvalues))
show("long_singular_values", np.linalg.svd(long, compute_uv=False))
show("long_points", principal(long)[0])
show("long_shares", principal(long)[1])
print("\n}  // namespace numpy")
