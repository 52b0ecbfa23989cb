# The last function is what runs; the defaults of its parameters are its inputs.
def attend(Q=randn(4, 3), K=randn(5, 3), V=randn(5, 2)):
    scores = Q @ K.T / sqrt(3)
    α = softmax(scores, dim=-1)
    return α @ V
