// Parts of models in the learner's language, each with the operations and the parameter names of the lab's own.
#pragma once

#include <string>

namespace unroll::parts {

inline const std::string scaled_dot_score =
    "def score(Q, K):\n"
    "    return Q @ K.mT / sqrt(Q.shape[-1])\n";

// Of keys and queries as they come, with A = 4.
inline const std::string additive_score =
    "def score(Q, K):\n"
    "    W = parameter('W', (4, Q.shape[-1]))\n"
    "    U = parameter('U', (4, K.shape[-1]))\n"
    "    b = parameter('b', (4,), 'zeros')\n"
    "    v = parameter('v', (4,))\n"
    "    u = linear(K, U)\n"
    "    w = linear(Q, W) + b\n"
    "    return tanh(w[:, :, None] + u[:, None]) @ v\n";

inline const std::string attention =
    "def attend(Q, K, V, mask):\n"
    "    S = Q @ K.mT / sqrt(Q.shape[-1])\n"
    "    α = softmax(S + mask, dim=-1)\n"
    "    return α @ V, α\n";

inline const std::string layer_norm =
    "def norm(x):\n"
    "    D = x.shape[-1]\n"
    "    γ = parameter('weight', (D,), 'ones')\n"
    "    β = parameter('bias', (D,), 'zeros')\n"
    "    centred = x - x.mean(-1, keepdim=True)\n"
    "    variance = square(centred).mean(-1, keepdim=True)\n"
    "    return centred / sqrt(variance + 1e-5) * γ + β\n";

// With F = 11.
inline const std::string feed_forward =
    "def feed_forward(x):\n"
    "    D = x.shape[-1]\n"
    "    W_1 = parameter('W_1.weight', (11, D))\n"
    "    b_1 = parameter('W_1.bias', (11,), 'zeros')\n"
    "    W_2 = parameter('W_2.weight', (D, 11))\n"
    "    b_2 = parameter('W_2.bias', (D,), 'zeros')\n"
    "    return linear(relu(linear(x, W_1, b_1)), W_2, b_2)\n";

inline const std::string sinusoids =
    "def positions(T, D):\n"
    "    rows = []\n"
    "    for p in range(T):\n"
    "        row = []\n"
    "        for i in range(D):\n"
    "            angle = p / 10000 ** (2 * (i // 2) / D)\n"
    "            turns = (angle / (2 * pi) + 0.5) // 1\n"
    "            row.append(angle - 2 * pi * turns)\n"
    "        rows.append(row)\n"
    "    a = tensor(rows)\n"
    "    is_odd = tensor([i % 2 for i in range(D)])\n"
    "    return where(is_odd == 1, cos(a), sin(a))\n";

inline const std::string tanh_cell =
    "def cell(x, h):\n"
    "    H = h.shape[-1]\n"
    "    W = parameter('W', (H, x.shape[-1]))\n"
    "    U = parameter('U', (H, H))\n"
    "    b = parameter('b', (H,), 'zeros')\n"
    "    c = parameter('c', (H,), 'zeros')\n"
    "    Wx = linear(x, W) + b\n"
    "    Uh = linear(h, U) + c\n"
    "    return tanh(Wx + Uh)\n";

inline const std::string gru_cell =
    "def cell(x, h):\n"
    "    H = h.shape[-1]\n"
    "    W = parameter('W', (3 * H, x.shape[-1]))\n"
    "    U = parameter('U', (3 * H, H))\n"
    "    b = parameter('b', (3 * H,), 'zeros')\n"
    "    c = parameter('c', (3 * H,), 'zeros')\n"
    "    Wx = linear(x, W) + b\n"
    "    Uh = linear(h, U) + c\n"
    "    sums = Wx + Uh\n"
    "    r = sigmoid(sums[:, :H])\n"
    "    z = sigmoid(sums[:, H:2 * H])\n"
    "    reset = r * Uh[:, 2 * H:]\n"
    "    n = tanh(reset + Wx[:, 2 * H:])\n"
    "    fresh = (1 - z) * n\n"
    "    kept = z * h\n"
    "    return fresh + kept\n";

// With two heads, pre-norm and F = 11.
inline const std::string block =
    "def dense(x, name, out):\n"
    "    W = parameter(name + '.weight', (out, x.shape[-1]))\n"
    "    b = parameter(name + '.bias', (out,), 'zeros')\n"
    "    return linear(x, W, b)\n"
    "def normed(x, name):\n"
    "    D = x.shape[-1]\n"
    "    γ = parameter(name + '.weight', (D,), 'ones')\n"
    "    β = parameter(name + '.bias', (D,), 'zeros')\n"
    "    return layer_norm(x, (D,), γ, β)\n"
    "def heads(x):\n"
    "    B, T, D = x.shape\n"
    "    return x.reshape(B, T, 2, D // 2).permute(0, 2, 1, 3)\n"
    "def block(x, mask):\n"
    "    B, T, D = x.shape\n"
    "    a = normed(x, 'norm1')\n"
    "    k = heads(dense(a, 'attention.W_K', D))\n"
    "    v = heads(dense(a, 'attention.W_V', D))\n"
    "    q = heads(dense(a, 'attention.W_Q', D))\n"
    "    e = q @ k.mT / sqrt(D // 2)\n"
    "    c = softmax(e + mask[:, None], dim=-1) @ v\n"
    "    c = dense(c.permute(0, 2, 1, 3).reshape(B, T, D), 'attention.W_O', D)\n"
    "    h = x + c\n"
    "    f = relu(dense(normed(h, 'norm2'), 'feed_forward.W_1', 11))\n"
    "    return h + dense(f, 'feed_forward.W_2', D)\n";

}  // namespace unroll::parts
