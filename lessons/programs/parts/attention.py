# Q (B, T, K), K (B, S, K), V (B, S, V); the mask is added to the scores: 0, or -inf for what is hidden.
# Heads come as parts of the batch. Return the context (B, T, V), and the weights (B, T, S) if the views are to show them.
def attend(Q, K, V, mask):
    S = Q @ K.mT / sqrt(Q.shape[-1])
    α = softmax(S + mask, dim=-1)
    return α @ V, α
