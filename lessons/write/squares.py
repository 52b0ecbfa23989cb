def squares(x=randn(4, 3), target=tensor([1, 0, -1])):
    d = x - target
    return d * d
