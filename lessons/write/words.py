def project(name, x, size):
    return x @ parameter(name, (x.shape[-1], size))

def attend(x=randn(4, 3)):
    Q = project("W_Q", x, 2)
    K = project("W_K", x, 2)
    V = project("W_V", x, 2)
    α = softmax(Q @ K.T / sqrt(2), dim=-1)
    return α @ V
