// W1 as one writes it for TensorFlow.js: a position at a time only where the recurrence demands it, weights (in, out),
// for which its WebAssembly backend has its fast product, and embeddings as products, for it cannot differentiate gather.
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-core/dist/register_all_gradients.js';
import { firstLosses } from './ours.mjs';

const [B, S, V, E, H, A] = [64, 16, 64, 64, 128, 128];

// In the order of the engine's model. A matrix is given as (out, in).
const shapes = {
  sourceEmbedding: [V, E],
  encoderW: [3 * H, E],
  encoderU: [3 * H, H],
  encoderB: [3 * H],
  encoderC: [3 * H],
  targetEmbedding: [V, E],
  initW: [H, H],
  initB: [H],
  attentionW: [A, H],
  attentionU: [A, H],
  attentionB: [A],
  attentionV: [A],
  decoderW: [3 * H, E + H],
  decoderU: [3 * H, H],
  decoderB: [3 * H],
  decoderC: [3 * H],
  outW: [V, H + H + E],
  outB: [V],
};
export const valueCount = 2 + Object.keys(shapes).length;

function variable(name, values) {
  const given = tf.tensor(values, shapes[name]);
  const isTable = name.endsWith('Embedding');
  return tf.variable(given.rank === 2 && !isTable ? tf.transpose(given) : given);
}

// ids, position by position (S, B), as one-hot rows (S·B, V).
const oneHotRows = (ids) => tf.oneHot(tf.reshape(tf.transpose(tf.tensor2d(ids, [B, S], 'int32')), [S * B]), V);

const perPosition = (rows) => tf.split(rows, S, 0);
const linear = (x, W, b) => tf.add(tf.matMul(x, W), b);

// The gates of the input come in as Wx (B, 3H).
function gru(Wx, h, U, c) {
  const [xr, xz, xn] = tf.split(Wx, 3, 1);
  const [hr, hz, hn] = tf.split(linear(h, U, c), 3, 1);
  const r = tf.sigmoid(tf.add(xr, hr));
  const z = tf.sigmoid(tf.add(xz, hz));
  const n = tf.tanh(tf.add(xn, tf.mul(r, hn)));
  return tf.add(tf.mul(tf.sub(1, z), n), tf.mul(z, h));
}

function encode(p, source) {
  const x = tf.matMul(source, p.sourceEmbedding);
  const states = [];
  let h = tf.zeros([B, H]);
  for (const Wx of perPosition(linear(x, p.encoderW, p.encoderB)))
    states.push((h = gru(Wx, h, p.encoderU, p.encoderC)));
  return states;
}

// The context (B, H) for the state s (B, H), given what the states and their keys are.
function attend(p, s, keys, states) {
  const query = tf.reshape(tf.matMul(s, p.attentionW), [B, 1, A]);
  const fit = tf.reshape(tf.tanh(tf.add(query, keys)), [B * S, A]);
  const scores = tf.reshape(tf.matMul(fit, tf.reshape(p.attentionV, [A, 1])), [B, 1, S]);
  return tf.reshape(tf.matMul(tf.softmax(scores), states), [B, H]);
}

function logits(p, source, target) {
  const encoded = encode(p, source);
  const states = tf.stack(encoded, 1); // (B, S, H)
  const keys = tf.reshape(linear(tf.reshape(states, [B * S, H]), p.attentionU, p.attentionB), [B, S, A]);
  let s = tf.tanh(linear(encoded.at(-1), p.initW, p.initB));
  const rows = [];
  for (const y of perPosition(tf.matMul(target, p.targetEmbedding))) {
    const context = attend(p, s, keys, states);
    s = gru(linear(tf.concat([y, context], 1), p.decoderW, p.decoderB), s, p.decoderU, p.decoderC);
    rows.push(tf.concat([s, context, y], 1));
  }
  return linear(tf.concat(rows, 0), p.outW, p.outB); // (S·B, V)
}

// The gradients with their common norm held to 1.
function clipped(gradients) {
  const squares = Object.values(gradients).map((g) => tf.sum(tf.square(g)));
  const factor = tf.minimum(1, tf.div(1, tf.sqrt(tf.addN(squares))));
  return Object.fromEntries(Object.entries(gradients).map(([name, g]) => [name, tf.mul(g, factor)]));
}

// values: source, target, then the parameters.
export function train(values) {
  const [source, target] = values.slice(0, 2).map((ids) => tf.tidy(() => oneHotRows(ids)));
  const p = tf.tidy(() =>
    Object.fromEntries(Object.keys(shapes).map((name, i) => [name, variable(name, values[i + 2])])),
  );
  const optimiser = tf.train.adam(0.001, 0.9, 0.999, 1e-8);
  const step = () =>
    tf.tidy(() => {
      const { value, grads } = tf.variableGrads(() => tf.losses.softmaxCrossEntropy(target, logits(p, source, target)));
      optimiser.applyGradients(clipped(grads));
      return value.dataSync()[0];
    });
  const losses = firstLosses(step);
  return {
    run: () => void step(),
    result: () => losses,
    dispose: () => (tf.dispose([source, target, ...Object.values(p)]), optimiser.dispose()),
  };
}
