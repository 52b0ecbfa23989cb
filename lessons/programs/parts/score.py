# Queries Q (B, T, K) and keys K (B, S, K) → scores (B, T, S): how well each query matches each key.
def score(Q, K):
    return Q @ K.mT / sqrt(Q.shape[-1])
