// The workloads in idiomatic TensorFlow.js: weights are (in, out), for which its WebAssembly backend has a fast
// product, and embeddings are products, as it cannot differentiate gather.
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-core/dist/register_all_gradients.js';
import { firstLosses } from './ours.mjs';
import { w2, w3 } from './tfjs-transformers.mjs';
import * as w1 from './tfjs-w1.mjs';

// For each: the shapes of the model's inputs, the last of which is the target; the shapes of its parameters; ids as
// one-hot rows; and the logits for such rows.
const workloads = { 1: w1, 2: w2, 3: w3 };

function variable(name, shape, values) {
  const given = tf.tensor(values, shape);
  const isTable = name.endsWith('mbedding');
  return tf.variable(given.rank === 2 && !isTable ? tf.transpose(given) : given);
}

// Clips the gradients to a global norm of 1.
function clipped(gradients) {
  const squares = Object.values(gradients).map((g) => tf.sum(tf.square(g)));
  const factor = tf.minimum(1, tf.div(1, tf.sqrt(tf.addN(squares))));
  return Object.fromEntries(Object.entries(gradients).map(([name, g]) => [name, tf.mul(g, factor)]));
}

// values: the inputs, then the parameters.
export function train(workload, values) {
  const { inputs, shapes, oneHotRows, logits } = workloads[workload];
  const rows = inputs.map((shape, i) => tf.tidy(() => oneHotRows(tf.tensor(values[i], shape, 'int32'))));
  const p = tf.tidy(() =>
    Object.fromEntries(
      Object.entries(shapes).map(([name, shape], i) => [name, variable(name, shape, values[inputs.length + i])]),
    ),
  );
  const optimiser = tf.train.adam(0.001, 0.9, 0.999, 1e-8);
  const step = () =>
    tf.tidy(() => {
      const { value, grads } = tf.variableGrads(() => tf.losses.softmaxCrossEntropy(rows.at(-1), logits(p, ...rows)));
      optimiser.applyGradients(clipped(grads));
      return value.dataSync()[0];
    });
  const losses = firstLosses(step);
  return { run: () => void step(), result: () => losses };
}
