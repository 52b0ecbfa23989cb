// Decoder-only Transformer, pre-norm, GELU, the embedding tied to the output.
import * as tf from '@tensorflow/tfjs-core';
import { linear, norm, transformer } from './tfjs-transformer.mjs';

const [B, T, V, D, L] = [16, 64, 64, 128, 4];
const parts = transformer({ B, T, V, D, N: 4, F: 512, L });

export const inputs = Array(2).fill([B, T]);

const blockShapes = (name) => ({
  ...parts.attentionShapes(name),
  ...parts.normShapes(`${name}.norm1`),
  ...parts.feedForwardShapes(name),
  ...parts.normShapes(`${name}.norm2`),
});

// In the order of the engine's model.
export const shapes = {
  embedding: [V, D],
  ...parts.blocks(blockShapes, 'block'),
  ...parts.normShapes('norm'),
};

export const { oneHotRows } = parts;

const gelu = (x) => tf.mul(tf.mul(0.5, x), tf.add(1, tf.erf(tf.div(x, Math.SQRT2))));

function block(p, name, x, mask) {
  const normal = norm(p, `${name}.norm1`, x);
  const h = tf.add(x, parts.attention(p, name, normal, normal, mask));
  const up = gelu(linear(p, `${name}.up`, norm(p, `${name}.norm2`, h)));
  return tf.add(h, linear(p, `${name}.down`, up));
}

export function logits(p, rows) {
  const mask = parts.causal();
  let x = parts.words(rows, p.embedding);
  for (let i = 0; i < L; ++i) x = block(p, `block${i}`, x, mask);
  return tf.matMul(norm(p, 'norm', x), p.embedding, false, true);
}
