// Decoder-only Transformer, pre-norm, GELU, the embedding tied to the output.
import * as tf from '@tensorflow/tfjs-core';

const [B, T, V, D, N, F, L] = [16, 64, 64, 128, 4, 512, 4];
const K = D / N;

export const inputs = [
  [B, T],
  [B, T],
];

const blockShapes = (i) =>
  Object.entries({
    qW: [D, D],
    qB: [D],
    kW: [D, D],
    kB: [D],
    vW: [D, D],
    vB: [D],
    oW: [D, D],
    oB: [D],
    norm1: [D],
    norm1B: [D],
    upW: [F, D],
    upB: [F],
    downW: [D, F],
    downB: [D],
    norm2: [D],
    norm2B: [D],
  }).map(([name, shape]) => [`${name}${i}`, shape]);

// In the order of the engine's model. A matrix is given as (out, in).
export const shapes = {
  embedding: [V, D],
  ...Object.fromEntries(Array.from({ length: L }, (_, i) => blockShapes(i)).flat()),
  norm: [D],
  normB: [D],
};

// (B·T, V)
export const oneHotRows = (ids) => tf.oneHot(tf.reshape(ids, [B * T]), V);

const position = (t, i) => (i % 2 ? Math.cos : Math.sin)(t / 10000 ** ((i - (i % 2)) / D));
const positions = () =>
  tf.tensor(Array.from({ length: T }, (_, t) => Array.from({ length: D }, (_, i) => position(t, i))));
const causal = () =>
  tf.tensor(Array.from({ length: T }, (_, t) => Array.from({ length: T }, (_, s) => (s > t ? -1e9 : 0))));

const linear = (x, W, b) => tf.add(tf.matMul(x, W), b);

// Rows (B·T, D).
function norm(x, weight, bias) {
  const { mean, variance } = tf.moments(x, -1, true);
  return tf.add(tf.mul(tf.div(tf.sub(x, mean), tf.sqrt(tf.add(variance, 1e-5))), weight), bias);
}

const gelu = (x) => tf.mul(tf.mul(0.5, x), tf.add(1, tf.erf(tf.div(x, Math.SQRT2))));

const heads = (x) => tf.transpose(tf.reshape(x, [B, T, N, K]), [0, 2, 1, 3]); // (B, N, T, K)

function attention(p, i, x, mask) {
  const [q, k, v] = ['q', 'k', 'v'].map((name) => heads(linear(x, p[`${name}W${i}`], p[`${name}B${i}`])));
  const scores = tf.div(tf.matMul(q, k, false, true), Math.sqrt(K));
  const context = tf.matMul(tf.softmax(tf.add(scores, mask)), v);
  return linear(tf.reshape(tf.transpose(context, [0, 2, 1, 3]), [B * T, D]), p[`oW${i}`], p[`oB${i}`]);
}

function block(p, i, x, mask) {
  const h = tf.add(x, attention(p, i, norm(x, p[`norm1${i}`], p[`norm1B${i}`]), mask));
  const up = gelu(linear(norm(h, p[`norm2${i}`], p[`norm2B${i}`]), p[`upW${i}`], p[`upB${i}`]));
  return tf.add(h, linear(up, p[`downW${i}`], p[`downB${i}`]));
}

export function logits(p, words) {
  const places = tf.reshape(tf.tile(tf.expandDims(positions(), 0), [B, 1, 1]), [B * T, D]);
  const mask = causal();
  let x = tf.add(tf.mul(tf.matMul(words, p.embedding), Math.sqrt(D)), places);
  for (let i = 0; i < L; ++i) x = block(p, i, x, mask);
  return tf.matMul(norm(x, p.norm, p.normB), p.embedding, false, true);
}
