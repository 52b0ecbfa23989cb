# T positions, D numbers each → (T, D), which is added to the embeddings.
def positions(T, D):
    t = arange(T)[:, None]
    angle = cat([t / 10000 ** (2 * (i // 2) / D) for i in range(D)], dim=1)
    is_odd = tensor([i % 2 for i in range(D)])
    return where(is_odd == 1, cos(angle), sin(angle))
