// W2 and W3: two Transformers from the same parts. Shapes of matrices are given as (out, in), as in the engine.
import * as tf from '@tensorflow/tfjs-core';

const [V, D, N, F] = [64, 128, 4, 512]; // words, features, heads, hidden features

const linearShapes = (name, out, from) => ({ [`${name}.W`]: [out, from], [`${name}.b`]: [out] });
const normShapes = (name) => ({ [`${name}.weight`]: [D], [`${name}.bias`]: [D] });
const attentionShapes = (name) =>
  Object.assign({}, ...['q', 'k', 'v', 'o'].map((which) => linearShapes(`${name}.${which}`, D, D)));
const feedForwardShapes = (name) => ({ ...linearShapes(`${name}.up`, F, D), ...linearShapes(`${name}.down`, D, F) });
/** Of a stack of L blocks. */
const stackShapes = (L, name, shapesOf) =>
  Object.assign({}, ...Array.from({ length: L }, (_, i) => shapesOf(`${name}${i}`)));

const linear = (p, name, x) => tf.add(tf.matMul(x, p[`${name}.W`]), p[`${name}.b`]);

// Rows (B·T, D).
function norm(p, name, x) {
  const { mean, variance } = tf.moments(x, -1, true);
  const normal = tf.div(tf.sub(x, mean), tf.sqrt(tf.add(variance, 1e-5)));
  return tf.add(tf.mul(normal, p[`${name}.weight`]), p[`${name}.bias`]);
}

const gelu = (x) => tf.mul(tf.mul(0.5, x), tf.add(1, tf.erf(tf.div(x, Math.SQRT2))));
const feedForward = (p, name, activation, x) => linear(p, `${name}.down`, activation(linear(p, `${name}.up`, x)));

/** What depends on the batch: B sequences of T positions. */
function sequences(B, T) {
  const heads = (x) => tf.transpose(tf.reshape(x, [B, T, N, D / N]), [0, 2, 1, 3]); // (B, N, T, K)
  const position = (t, i) => (i % 2 ? Math.cos : Math.sin)(t / 10000 ** ((i - (i % 2)) / D));
  const places = Float32Array.from({ length: B * T * D }, (_, at) => position(Math.floor(at / D) % T, at % D));
  return {
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

/** Encoder–decoder, post-norm, ReLU. */
function encoderDecoder([B, T, L]) {
  const { oneHotRows, words, causal, attention } = sequences(B, T);
  const added = (p, name, i, x, y) => norm(p, `${name}.norm${i}`, tf.add(x, y));
  const attend = (p, name, i, kind, x, memory, mask) =>
    added(p, name, i, x, attention(p, `${name}.${kind}`, x, memory, mask));
  const bend = (p, name, i, x) => added(p, name, i, x, feedForward(p, name, tf.relu, x));
  return {
    inputs: Array(3).fill([B, T]),
    // In the order of the engine's model.
    shapes: {
      sourceEmbedding: [V, D],
      targetEmbedding: [V, D],
      ...stackShapes(L, 'encoder', (name) => ({
        ...attentionShapes(`${name}.self`),
        ...normShapes(`${name}.norm1`),
        ...feedForwardShapes(name),
        ...normShapes(`${name}.norm2`),
      })),
      ...stackShapes(L, 'decoder', (name) => ({
        ...attentionShapes(`${name}.self`),
        ...normShapes(`${name}.norm1`),
        ...attentionShapes(`${name}.cross`),
        ...normShapes(`${name}.norm2`),
        ...feedForwardShapes(name),
        ...normShapes(`${name}.norm3`),
      })),
      ...linearShapes('out', V, D),
    },
    oneHotRows,
    logits(p, source, target) {
      let memory = words(source, p.sourceEmbedding);
      for (let i = 0; i < L; ++i)
        memory = bend(p, `encoder${i}`, 2, attend(p, `encoder${i}`, 1, 'self', memory, memory));
      const mask = causal();
      let x = words(target, p.targetEmbedding);
      for (let i = 0; i < L; ++i) {
        const g = attend(p, `decoder${i}`, 1, 'self', x, x, mask);
        x = bend(p, `decoder${i}`, 3, attend(p, `decoder${i}`, 2, 'cross', g, memory));
      }
      return linear(p, 'out', x);
    },
  };
}

/** Decoder-only, pre-norm, GELU, the embedding tied to the output. */
function decoderOnly([B, T, L]) {
  const { oneHotRows, words, causal, attention } = sequences(B, T);
  const block = (p, name, x, mask) => {
    const normal = norm(p, `${name}.norm1`, x);
    const h = tf.add(x, attention(p, name, normal, normal, mask));
    return tf.add(h, feedForward(p, name, gelu, norm(p, `${name}.norm2`, h)));
  };
  return {
    inputs: Array(2).fill([B, T]),
    // In the order of the engine's model.
    shapes: {
      embedding: [V, D],
      ...stackShapes(L, 'block', (name) => ({
        ...attentionShapes(name),
        ...normShapes(`${name}.norm1`),
        ...feedForwardShapes(name),
        ...normShapes(`${name}.norm2`),
      })),
      ...normShapes('norm'),
    },
    oneHotRows,
    logits(p, rows) {
      const mask = causal();
      let x = words(rows, p.embedding);
      for (let i = 0; i < L; ++i) x = block(p, `block${i}`, x, mask);
      return tf.matMul(norm(p, 'norm', x), p.embedding, false, true);
    },
  };
}

export const w2 = encoderDecoder([32, 16, 2]);
export const w3 = decoderOnly([16, 64, 4]);
