// W4 as an ONNX model, as exported models have it: the keys and values so far are inputs, and outputs with the new ones.
import { float, int64, model as serialised, node } from './onnx.mjs';

const [D, N, F, L, V, longest] = [768, 12, 3072, 12, 8192, 160];
const K = D / N;

const blockShapes = {
  ...Object.fromEntries(
    ['q', 'k', 'v', 'o'].flatMap((name) => [
      [`${name}.W`, [D, D]],
      [`${name}.b`, [D]],
    ]),
  ),
  ...{ 'norm1.W': [D], 'norm1.b': [D] },
  ...{ 'up.W': [F, D], 'up.b': [F], 'down.W': [D, F], 'down.b': [D] },
  ...{ 'norm2.W': [D], 'norm2.b': [D] },
};

const blocks = Array.from({ length: L }, (_, i) => `block${i}`);

// In the order of the engine's model. A matrix is (out, in).
const shapes = {
  words: [V, D],
  positions: [longest, D],
  ...Object.fromEntries(
    blocks.flatMap((block) => Object.entries(blockShapes).map(([name, shape]) => [`${block}.${name}`, shape])),
  ),
  'norm.W': [D],
  'norm.b': [D],
};

const whole = (...values) => [[values.length], BigInt64Array.from(values, BigInt)];
const single = (value) => [[], BigInt64Array.of(BigInt(value))];
const real = (value) => [[], Float32Array.of(value)];

const constants = {
  zero: single(0),
  one: single(1),
  'second axis': whole(1),
  last: whole(-1),
  'to heads': whole(0, N, K),
  'from heads': whole(0, D),
  '√D': real(Math.sqrt(D)),
  '√K': real(Math.sqrt(K)),
  visible: real(0),
  hidden: real(-1e9),
};

const linear = (name, from, to) => node('Gemm', [from, `${name}.W`, `${name}.b`], [to], { transB: 1 });
const norm = (name, from, to) =>
  node('LayerNormalization', [from, `${name}.W`, `${name}.b`], [to], { epsilon: { float: 1e-5 } });

// x (T, D) at the positions after those in the cache, and the mask (T, S): a query sees the keys up to its own.
const start = [
  node('Shape', ['block0.keys'], ['cached'], { start: 1, end: 2 }),
  node('Squeeze', ['cached'], ['P']),
  node('Size', ['ids'], ['T']),
  node('Add', ['P', 'T'], ['S']),
  node('Range', ['P', 'S', 'one'], ['places']),
  node('Range', ['zero', 'S', 'one'], ['key places']),
  node('Unsqueeze', ['places', 'second axis'], ['query places']),
  node('Greater', ['key places', 'query places'], ['is later']),
  node('Where', ['is later', 'hidden', 'visible'], ['mask']),
  node('Gather', ['words', 'ids'], ['embedded']),
  node('Mul', ['embedded', '√D'], ['scaled']),
  node('Gather', ['positions', 'places'], ['placed']),
  node('Add', ['scaled', 'placed'], ['block0.x']),
];

// (T, D) → (N, T, K)
const heads = (name, from) => [
  linear(name, from, `${name}.all`),
  node('Reshape', [`${name}.all`, 'to heads'], [`${name}.split`]),
  node('Transpose', [`${name}.split`], [`${name}.heads`], { perm: [1, 0, 2] }),
];

const attention = (b) => [
  norm(`${b}.norm1`, `${b}.x`, `${b}.normed`),
  ...['q', 'k', 'v'].flatMap((name) => heads(`${b}.${name}`, `${b}.normed`)),
  node('Concat', [`${b}.keys`, `${b}.k.heads`], [`${b}.all keys`], { axis: 1 }), // (N, S, K)
  node('Concat', [`${b}.values`, `${b}.v.heads`], [`${b}.all values`], { axis: 1 }),
  node('Transpose', [`${b}.all keys`], [`${b}.turned`], { perm: [0, 2, 1] }),
  node('MatMul', [`${b}.q.heads`, `${b}.turned`], [`${b}.products`]),
  node('Div', [`${b}.products`, '√K'], [`${b}.scores`]),
  node('Add', [`${b}.scores`, 'mask'], [`${b}.masked`]),
  node('Softmax', [`${b}.masked`], [`${b}.weights`]),
  node('MatMul', [`${b}.weights`, `${b}.all values`], [`${b}.contexts`]),
  node('Transpose', [`${b}.contexts`], [`${b}.together`], { perm: [1, 0, 2] }),
  node('Reshape', [`${b}.together`, 'from heads'], [`${b}.joined`]),
  linear(`${b}.o`, `${b}.joined`, `${b}.attended`),
  node('Add', [`${b}.x`, `${b}.attended`], [`${b}.h`]),
];

const feedForward = (b, to) => [
  norm(`${b}.norm2`, `${b}.h`, `${b}.normed h`),
  linear(`${b}.up`, `${b}.normed h`, `${b}.wide`),
  node('Gelu', [`${b}.wide`], [`${b}.bent`]),
  linear(`${b}.down`, `${b}.bent`, `${b}.out`),
  node('Add', [`${b}.h`, `${b}.out`], [to]),
];

// Of the last position alone.
const end = [
  node('Gather', ['x', 'last'], ['last x'], { axis: 0 }),
  norm('norm', 'last x', 'state'),
  node('Gemm', ['state', 'words'], ['logits'], { transB: 1 }),
];

const nodes = [
  ...start,
  ...blocks.flatMap((b, i) => [...attention(b), ...feedForward(b, blocks[i + 1] ? `${blocks[i + 1]}.x` : 'x')]),
  ...end,
];

const caches = blocks.flatMap((b) => [`${b}.keys`, `${b}.values`]);
const longer = (cache) => cache.replace('.', '.all ');
const described = (names, length) => Object.fromEntries(names.map((name) => [name, [[N, length, K], float]]));

// The parameters are given in order.
export const model = (parameters) =>
  serialised({
    nodes,
    inputs: { ids: [['new'], int64], ...described(caches, 'cached') },
    outputs: { logits: [[1, V], float], ...described(caches.map(longer), 'all') },
    constants: {
      ...constants,
      ...Object.fromEntries(Object.entries(shapes).map(([name, shape], i) => [name, [shape, parameters[i]]])),
    },
  });

export const emptyCache = (Tensor) =>
  Object.fromEntries(caches.map((name) => [name, new Tensor('float32', new Float32Array(0), [N, 0, K])]));
export const nextCache = (outputs) => Object.fromEntries(caches.map((name) => [name, outputs[longer(name)]]));
