# T positions, D numbers each → (T, D), which is added to the embeddings.
def positions(T, D):
    t = arange(T)[:, None]
    i = arange(D)[None]
    pair = (i - i % 2) / D
    angle = t / 10000 ** pair
    return where(i % 2 == 0, sin(angle), cos(angle))
