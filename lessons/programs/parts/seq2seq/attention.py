# Queries Q (B, T, Q) are states of the decoder; keys K and values V (B, S, K) are states of the encoder. The mask is
# added to the scores: 0, or -inf for padding. Return the context (B, T, V) and the weights (B, T, S).
def attend(Q, K, V, mask):
    W = parameter("W", (Q.shape[-1], K.shape[-1]))
    S = Q @ W @ K.mT
    α = softmax(S + mask, dim=-1)
    return α @ V, α
