D, N, L, LONGEST = 64, 4, 2, 64

def linear_layer(name, x, size):
    W = parameter(f"{name}.W", (x.shape[-1], size))
    b = parameter(f"{name}.b", (size,), init="zeros")
    return x @ W + b

def norm(name, x):
    g = parameter(f"{name}.g", (D,), init="ones")
    b = parameter(f"{name}.b", (D,), init="zeros")
    return layer_norm(x, [D], g, b)

def heads(x):
    B, T, _ = x.shape
    return x.reshape(B, T, N, D // N).transpose(1, 2).reshape(B * N, T, D // N)

def attention(name, x):
    B, T, _ = x.shape
    Q = heads(linear_layer(f"{name}.q", x, D))
    K = heads(linear_layer(f"{name}.k", x, D))
    V = heads(linear_layer(f"{name}.v", x, D))
    S = Q @ K.mT / sqrt(D // N)
    future = triu(ones(T, T), 1) > 0
    α = softmax(S.masked_fill(future, -inf), dim=-1)
    c = (α @ V).reshape(B, N, T, D // N).transpose(1, 2).reshape(B, T, D)
    return linear_layer(f"{name}.o", c, D)

def forward(ids):
    E = parameter("E", (VOCABULARY, D))
    P = parameter("P", (LONGEST, D), init="normal")
    x = sqrt(D) * embedding(ids, E) + P[:ids.shape[1]]
    for i in range(L):
        x = x + attention(f"{i}.attention", norm(f"{i}.norm1", x))
        h = gelu(linear_layer(f"{i}.up", norm(f"{i}.norm2", x), 4 * D))
        x = x + linear_layer(f"{i}.down", h, D)
    return norm("norm", x) @ E.T
