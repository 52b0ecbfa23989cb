# Queries Q (B, T, Q), the states of the decoder, and keys K (B, S, K), those of the encoder → scores (B, T, S).
def score(Q, K):
    A = 64
    q = Q @ parameter("W", (Q.shape[-1], A))
    k = K @ parameter("U", (K.shape[-1], A))
    v = parameter("v", (A,))
    return tanh(q[:, :, None] + k[:, None]) @ v
