E, H, A = 32, 64, 64

def gru(name, x, h):
    W = parameter(f"{name}.W", (x.shape[-1], 3 * H))
    U = parameter(f"{name}.U", (H, 3 * H))
    b = parameter(f"{name}.b", (3 * H,), init="zeros")
    c = parameter(f"{name}.c", (H,), init="zeros")
    a, u = x @ W + b, h @ U
    z = sigmoid(a[:, :H] + u[:, :H])
    r = sigmoid(a[:, H:2 * H] + u[:, H:2 * H])
    n = tanh(a[:, 2 * H:] + r * (u[:, 2 * H:] + c))
    return (1 - z) * n + z * h

def read(name, x, is_word, order):
    h, states = zeros(x.shape[0], H), [None for t in order]
    for t in order:
        m = is_word[:, t]
        h = m * gru(name, x[:, t], h) + (1 - m) * h
        states[t] = h
    return stack(states, dim=1), h

def encode(source):
    x = embedding(source, parameter("source_words", (SOURCE_VOCABULARY, E)))
    is_word = (source != PAD).float()[:, :, None]
    order = range(source.shape[1])
    forward, last = read("forward", x, is_word, order)
    backward, first = read("backward", x, is_word, order[::-1])
    return cat([forward, backward], dim=-1), tanh(first @ parameter("start", (H, H)))

def forward(source, target_in):
    states, s = encode(source)
    keys = states @ parameter("keys", (2 * H, A))
    W, v = parameter("queries", (H, A)), parameter("v", (A, 1))
    x = embedding(target_in, parameter("target_words", (TARGET_VOCABULARY, E)))
    outputs = []
    for t in range(target_in.shape[1]):
        e = (tanh((s @ W)[:, None] + keys) @ v).squeeze(-1)
        α = softmax(e.masked_fill(source == PAD, -inf), dim=-1)
        c = (α[:, None] @ states).squeeze(1)
        s = gru("decoder", cat([x[:, t], c], dim=-1), s)
        outputs.append(cat([s, c, x[:, t]], dim=-1))
    return stack(outputs, dim=1) @ parameter("out", (3 * H + E, TARGET_VOCABULARY))
