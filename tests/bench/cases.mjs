// The cases; a new case is one entry. `bars` says of a column, by place, how many times faster than another it must be.
// --only also selects the case named in `beside`, as a measure of the machine.

const fast = { chromium: { ours: { tfjs: 1.15, ort: 1.5 } } };
const ahead = { chromium: { ours: { tfjs: 1, ort: 1 } } };

// a (batch, m, k) · b (batch, k, n); a transposed operand lies in memory with its last two axes exchanged.
const gemm = (name, [m, k, n], bars, { batch = 1, transposed_a = false, transposed_b = false } = {}) => ({
  name: `gemm ${name} ${batch > 1 ? `${batch}×` : ''}(${m},${k})${transposed_a ? 'ᵀ' : ''}·(${k},${n})${transposed_b ? 'ᵀ' : ''}`,
  kind: 'gemm',
  sizes: { batch, m, k, n, transposed_a, transposed_b },
  bars,
});

export const cases = [
  gemm('square', [64, 64, 64], ahead),
  gemm('square', [128, 128, 128], fast),
  gemm('square', [256, 256, 256], fast),
  gemm('square', [512, 512, 512], fast),
  gemm('thin', [64, 64, 384], ahead),
  gemm('thin', [64, 384, 64], ahead),
  gemm('thin', [1024, 128, 512], ahead),
  gemm('thin', [1024, 512, 128], ahead),
  gemm('thin', [1, 768, 3072], ahead),
  gemm('thin', [1, 3072, 768], ahead),
  gemm('linear', [1024, 128, 512], ahead, { transposed_b: true }),
  gemm('linear', [1, 768, 3072], ahead, { transposed_b: true }),
  gemm('gradient', [128, 1024, 512], ahead, { transposed_a: true }),
  gemm('gradient', [16, 16, 32], ahead, { batch: 128, transposed_a: true }),
  gemm('row', [4, 128, 384], ahead),
  gemm('column', [1024, 128, 1], ahead),
  gemm('scores', [16, 32, 16], ahead, { batch: 128, transposed_b: true }),
  gemm('context', [16, 16, 32], ahead, { batch: 128 }),
  gemm('scores', [64, 32, 64], ahead, { batch: 64, transposed_b: true }),
  gemm('context', [64, 64, 32], ahead, { batch: 64 }),
  // GRU encoder, additive attention, GRU decoder: embedding 64, states and attention 128, batch 64, 16 positions each.
  {
    name: 'train W1',
    kind: 'train',
    sizes: { workload: 1 },
    bars: {
      chromium: { ours: { tfjs: 8, floor: 1 / 1.25 }, '2_threads': { ours: 1 / 0.7, pytorch: 1 } },
      native: { ours: { pytorch: 1 / 1.3 } },
    },
    beside: 'gemm square (512,512)·(512,512)',
  },
  // Encoder–decoder Transformer: model size 128, 4 heads, feed-forward 512, 2 + 2 layers, post-norm, ReLU, batch 32, 16
  // positions each.
  {
    name: 'train W2',
    kind: 'train',
    sizes: { workload: 2 },
    bars: {
      chromium: {
        ours: { tfjs: 8, pytorch: 1 / 1.7, floor: 1 / 1.08 },
        '2_threads': { ours: 1 / 0.58, pytorch: 1 },
      },
      native: { ours: { pytorch: 1 / 1.2 } },
    },
    beside: 'gemm square (512,512)·(512,512)',
  },
  // Decoder-only Transformer: model size 128, 4 heads, feed-forward 512, 4 layers, GELU, batch 16, 64 positions.
  {
    name: 'train W3',
    kind: 'train',
    sizes: { workload: 3 },
    bars: {
      chromium: {
        ours: { tfjs: 12, pytorch: 1 / 1.7, floor: 1 / 1.18 },
        '2_threads': { ours: 1 / 0.58, pytorch: 1 },
      },
      native: { ours: { pytorch: 1 / 1.2 } },
    },
    beside: 'gemm square (512,512)·(512,512)',
  },
  // Decoder-only Transformer of GPT-2-small's shape: model size 768, 12 heads, feed-forward 3072, 12 layers, pre-norm,
  // GELU, learned positions, a vocabulary of 8192: the logits after 128 positions, then after one more with the keys
  // and values of these in a cache. Forward only.
  {
    name: 'write W4, 128 positions',
    kind: 'write',
    sizes: { one_token: false },
    bars: { chromium: { ours: { floor: 1 / 1.2 } } },
  },
  {
    name: 'write W4, one token after them',
    kind: 'write',
    sizes: { one_token: true },
    bars: { chromium: { ours: { bandwidth: 1 / 1.3 } } },
  },
  {
    name: 'exp of 4096',
    kind: 'exp',
    sizes: { n: 4096 },
    bars: { chromium: { ours: { libm: 4 } }, native: { ours: { libm: 4 } } },
  },
];

// The amount of work in one run of a case, and the unit: a rate (higher is better) or a time (lower is better).
export const units = {
  gemm: { unit: 'GFLOP/s', value: ({ batch, m, k, n }, seconds) => (2 * batch * m * k * n) / seconds / 1e9 },
  train: { unit: 'ms/step', value: (_, seconds) => seconds * 1e3 },
  write: { unit: 'ms', value: (_, seconds) => seconds * 1e3 },
  exp: { unit: 'ns/value', value: ({ n }, seconds) => (seconds * 1e9) / n },
};
