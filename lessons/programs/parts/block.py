# x (B, T, D) and the mask, which is added to the scores → the same shape as x. This block has one head.
def block(x, mask):
    D = x.shape[-1]
    a = layer_norm(x, [D])
    Q, K, V = a @ parameter("Q", (D, D)), a @ parameter("K", (D, D)), a @ parameter("V", (D, D))
    α = softmax(Q @ K.mT / sqrt(D) + mask, dim=-1)
    x = x + α @ V
    h = relu(layer_norm(x, [D]) @ parameter("up", (D, 4 * D)))
    return x + h @ parameter("down", (4 * D, D))
