// GRU encoder, additive attention, GRU decoder: position by position only where the recurrence requires it.
import * as tf from '@tensorflow/tfjs-core';

const [B, S, V, E, H, A] = [64, 16, 64, 64, 128, 128];

export const inputs = Array(3).fill([B, S]);

// In the order of the engine's model. A matrix is given as (out, in).
export const shapes = {
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

// Position by position: (S·B, V).
export const oneHotRows = (ids) => tf.oneHot(tf.reshape(tf.transpose(ids), [S * B]), V);

const perPosition = (rows) => tf.split(rows, S, 0);
const linear = (x, W, b) => tf.add(tf.matMul(x, W), b);

// Wx (B, 3H): the gates of the input.
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

// The context (B, H) for the state s (B, H), given the encoder's states and keys.
function attend(p, s, keys, states) {
  const query = tf.reshape(tf.matMul(s, p.attentionW), [B, 1, A]);
  const fit = tf.reshape(tf.tanh(tf.add(query, keys)), [B * S, A]);
  const scores = tf.reshape(tf.matMul(fit, tf.reshape(p.attentionV, [A, 1])), [B, 1, S]);
  return tf.reshape(tf.matMul(tf.softmax(scores), states), [B, H]);
}

export function logits(p, source, target) {
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
