// Encoder–decoder Transformer, post-norm, ReLU.
import * as tf from '@tensorflow/tfjs-core';
import { linear, norm, transformer } from './tfjs-transformer.mjs';

const [B, T, V, D, L] = [32, 16, 64, 128, 2];
const parts = transformer({ B, T, V, D, N: 4, F: 512, L });
const { linearShapes, normShapes, attentionShapes, feedForwardShapes, blocks, words, attention } = parts;

export const inputs = Array(3).fill([B, T]);

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

// In the order of the engine's model.
export const shapes = {
  sourceEmbedding: [V, D],
  targetEmbedding: [V, D],
  ...blocks(encoderShapes, 'encoder'),
  ...blocks(decoderShapes, 'decoder'),
  ...linearShapes('out', V, D),
};

export const { oneHotRows } = parts;

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
  const mask = parts.causal();
  let memory = words(source, p.sourceEmbedding);
  for (let i = 0; i < L; ++i) memory = encoderBlock(p, `encoder${i}`, memory);
  let x = words(target, p.targetEmbedding);
  for (let i = 0; i < L; ++i) x = decoderBlock(p, `decoder${i}`, x, memory, mask);
  return linear(p, 'out', x);
}
