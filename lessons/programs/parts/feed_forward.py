# x (B, T, D) → the same shape. Each position is changed by itself.
def feed_forward(x):
    D = x.shape[-1]
    up = parameter("up", (D, 4 * D))
    down = parameter("down", (4 * D, D))
    return relu(x @ up) @ down
