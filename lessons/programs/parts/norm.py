# x (B, T, D) → the same shape. Each norm of the model has a γ and a β of its own.
def norm(x):
    D = x.shape[-1]
    γ = parameter("γ", (D,), init="ones")
    β = parameter("β", (D,), init="zeros")
    centred = x - x.mean(-1, keepdim=True)
    variance = square(centred).mean(-1, keepdim=True)
    return centred / sqrt(variance + 1e-5) * γ + β
