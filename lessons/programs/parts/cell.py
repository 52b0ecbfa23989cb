# The input x (B, X) and the state before h (B, H) → the new state (B, H).
def cell(x, h):
    H = h.shape[-1]
    W = parameter("W", (H, x.shape[-1]))
    U = parameter("U", (H, H))
    b = parameter("b", (H,), init="zeros")
    return tanh(linear(x, W) + linear(h, U) + b)
