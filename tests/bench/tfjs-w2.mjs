// Encoder–decoder Transformer, post-norm, ReLU.
import * as tf from '@tensorflow/tfjs-core';

const [B, T, V, D, N, F, L] = [32, 16, 64, 128, 4, 512, 2];
const K = D / N;

export const inputs = [
  [B, T],
  [B, T],
  [B, T],
];

const linearShapes = (name, out, from) => ({ [`${name}.W`]: [out, from], [`${name}.b`]: [out] });
const normShapes = (name) => ({ [`${name}.weight`]: [D], [`${name}.bias`]: [D] });
const attentionShapes = (name) =>
  Object.assign({}, ...['q', 'k', 'v', 'o'].map((which) => linearShapes(`${name}.${which}`, D, D)));
const feedForwardShapes = (name) => ({ ...linearShapes(`${name}.up`, F, D), ...linearShapes(`${name}.down`, D, F) });

const encoderShapes = (name) => ({
  ...attentionShapes(`${name}.self`),
  ...normShapes(`${name}.norm1`),
  ...feedForwardShapes(name),
  ...normShapes(`${name}.norm2`),
});
const decoderShapes = (name) => ({
  ...attentionShapes(`${name}.self`),
  ...normShapes(`${name}.norm1`),
  ...attentionShapes(`${name}.cross`),
  ...normShapes(`${name}.norm2`),
  ...feedForwardShapes(name),
  ...normShapes(`${name}.norm3`),
});
const blocks = (shapesOf, name) => Object.assign({}, ...Array.from({ length: L }, (_, i) => shapesOf(`${name}${i}`)));

// In the order of the engine's model. A matrix is given as (out, in).
export const shapes = {
  sourceEmbedding: [V, D],
  targetEmbedding: [V, D],
  ...blocks(encoderShapes, 'encoder'),
  ...blocks(decoderShapes, 'decoder'),
  ...linearShapes('out', V, D),
};

// (B·T, V)
export const oneHotRows = (ids) => tf.oneHot(tf.reshape(ids, [B * T]), V);

const position = (t, i) => (i % 2 ? Math.cos : Math.sin)(t / 10000 ** ((i - (i % 2)) / D));
const positions = () =>
  tf.tensor(Array.from({ length: B * T }, (_, row) => Array.from({ length: D }, (_, i) => position(row % T, i))));
const causal = () =>
  tf.tensor(Array.from({ length: T }, (_, t) => Array.from({ length: T }, (_, s) => (s > t ? -1e9 : 0))));

const linear = (p, name, x) => tf.add(tf.matMul(x, p[`${name}.W`]), p[`${name}.b`]);

// Rows (B·T, D).
function norm(p, name, x) {
  const { mean, variance } = tf.moments(x, -1, true);
  const normal = tf.div(tf.sub(x, mean), tf.sqrt(tf.add(variance, 1e-5)));
  return tf.add(tf.mul(normal, p[`${name}.weight`]), p[`${name}.bias`]);
}

const heads = (x) => tf.transpose(tf.reshape(x, [B, T, N, K]), [0, 2, 1, 3]); // (B, N, T, K)

function attention(p, name, x, memory, mask) {
  const q = heads(linear(p, `${name}.q`, x));
  const [k, v] = ['k', 'v'].map((which) => heads(linear(p, `${name}.${which}`, memory)));
  const scores = tf.div(tf.matMul(q, k, false, true), Math.sqrt(K));
  const context = tf.matMul(tf.softmax(mask ? tf.add(scores, mask) : scores), v);
  return linear(p, `${name}.o`, tf.reshape(tf.transpose(context, [0, 2, 1, 3]), [B * T, D]));
}

const feedForward = (p, name, x) => linear(p, `${name}.down`, tf.relu(linear(p, `${name}.up`, x)));

function encoderBlock(p, name, x) {
  const h = norm(p, `${name}.norm1`, tf.add(x, attention(p, `${name}.self`, x, x)));
  return norm(p, `${name}.norm2`, tf.add(h, feedForward(p, name, h)));
}

function decoderBlock(p, name, x, memory, mask) {
  const g = norm(p, `${name}.norm1`, tf.add(x, attention(p, `${name}.self`, x, x, mask)));
  const h = norm(p, `${name}.norm2`, tf.add(g, attention(p, `${name}.cross`, g, memory)));
  return norm(p, `${name}.norm3`, tf.add(h, feedForward(p, name, h)));
}

export function logits(p, source, target) {
  const places = positions();
  const mask = causal();
  const words = (rows, table) => tf.add(tf.mul(tf.matMul(rows, table), Math.sqrt(D)), places);
  let memory = words(source, p.sourceEmbedding);
  for (let i = 0; i < L; ++i) memory = encoderBlock(p, `encoder${i}`, memory);
  let x = words(target, p.targetEmbedding);
  for (let i = 0; i < L; ++i) x = decoderBlock(p, `decoder${i}`, x, memory, mask);
  return linear(p, 'out', x);
}
