// The parts of both Transformers. Shapes of matrices are given as (out, in), as in the engine.
import * as tf from '@tensorflow/tfjs-core';

const linearShapes = (name, out, from) => ({ [`${name}.W`]: [out, from], [`${name}.b`]: [out] });

export const linear = (p, name, x) => tf.add(tf.matMul(x, p[`${name}.W`]), p[`${name}.b`]);

// Rows (B·T, D).
export function norm(p, name, x) {
  const { mean, variance } = tf.moments(x, -1, true);
  const normal = tf.div(tf.sub(x, mean), tf.sqrt(tf.add(variance, 1e-5)));
  return tf.add(tf.mul(normal, p[`${name}.weight`]), p[`${name}.bias`]);
}

// B sequences of T positions, a vocabulary of V, D features in N heads, F hidden ones, L blocks of a stack.
export function transformer({ B, T, V, D, N, F, L }) {
  const heads = (x) => tf.transpose(tf.reshape(x, [B, T, N, D / N]), [0, 2, 1, 3]); // (B, N, T, K)
  const position = (t, i) => (i % 2 ? Math.cos : Math.sin)(t / 10000 ** ((i - (i % 2)) / D));
  const places = Float32Array.from({ length: B * T * D }, (_, at) => position(Math.floor(at / D) % T, at % D));
  return {
    linearShapes,
    normShapes: (name) => ({ [`${name}.weight`]: [D], [`${name}.bias`]: [D] }),
    attentionShapes: (name) =>
      Object.assign({}, ...['q', 'k', 'v', 'o'].map((which) => linearShapes(`${name}.${which}`, D, D))),
    feedForwardShapes: (name) => ({ ...linearShapes(`${name}.up`, F, D), ...linearShapes(`${name}.down`, D, F) }),
    blocks: (shapesOf, name) => Object.assign({}, ...Array.from({ length: L }, (_, i) => shapesOf(`${name}${i}`))),

    // (B·T, V)
    oneHotRows: (ids) => tf.oneHot(tf.reshape(ids, [B * T]), V),

    // Rows of embeddings, scaled, with the sinusoids of their positions added.
    words: (rows, table) => tf.add(tf.mul(tf.matMul(rows, table), Math.sqrt(D)), tf.tensor(places, [B * T, D])),

    // (T, T)
    causal: () =>
      tf.tensor(Array.from({ length: T }, (_, t) => Array.from({ length: T }, (_, s) => (s > t ? -1e9 : 0)))),

    attention(p, name, x, memory, mask) {
      const q = heads(linear(p, `${name}.q`, x));
      const [k, v] = ['k', 'v'].map((which) => heads(linear(p, `${name}.${which}`, memory)));
      const scores = tf.div(tf.matMul(q, k, false, true), Math.sqrt(D / N));
      const context = tf.matMul(tf.softmax(mask ? tf.add(scores, mask) : scores), v);
      return linear(p, `${name}.o`, tf.reshape(tf.transpose(context, [0, 2, 1, 3]), [B * T, D]));
    },
  };
}
