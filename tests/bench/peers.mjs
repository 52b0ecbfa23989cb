// Peers in the browser other than in training: single products, and W4 in onnxruntime-web.
import * as tf from '@tensorflow/tfjs-core';
import * as ort from 'onnxruntime-web/wasm';
import { matmulModel } from './onnx.mjs';
import * as gpt2 from './onnx-gpt2.mjs';

// The shapes in memory.
function shapesOf({ batch, m, k, n, transposed_a, transposed_b }) {
  const lead = batch > 1 ? [batch] : [];
  return {
    a: [...lead, ...(transposed_a ? [k, m] : [m, k])],
    b: [...lead, ...(transposed_b ? [n, k] : [k, n])],
    c: [...lead, m, n],
  };
}

export const gemm = async (sizes, a, b) => ({
  tfjs: tfjsProduct(sizes, a, b),
  // Both operands are inputs, as in training, where neither is known beforehand. (An output tensor given by the caller
  // is not filled here, so there is none.)
  ort: await ortProduct(sizes, a, b, false),
  // Both operands are constants of the model: no call copies them, and b is packed once, when loading.
  ort_constant: await ortProduct(sizes, a, b, true),
});

// The tensors stay in the backend; its calls are synchronous.
function tfjsProduct(sizes, a, b) {
  const shapes = shapesOf(sizes);
  const left = tf.tensor(a, shapes.a);
  const right = tf.tensor(b, shapes.b);
  const product = () => tf.matMul(left, right, sizes.transposed_a, sizes.transposed_b);
  tf.dispose(product()); // uploads the operands
  return {
    run: () => product().dispose(),
    result: () => tf.tidy(() => product().dataSync()),
  };
}

async function ortProduct(sizes, a, b, constant) {
  const shapes = shapesOf(sizes);
  const model = matmulModel(shapes, sizes, constant ? { a, b } : {});
  // Without optimisation the product of constants is not computed when loading.
  const session = await ort.InferenceSession.create(model, {
    executionProviders: ['wasm'],
    graphOptimizationLevel: constant ? 'disabled' : 'all',
  });
  const inputs = constant
    ? {}
    : { a: new ort.Tensor('float32', a, shapes.a), b: new ort.Tensor('float32', b, shapes.b) };
  return {
    run: () => session.run(inputs),
    result: async () => (await session.run(inputs)).c.data,
  };
}

const tokens = (values) => new ort.Tensor('int64', BigInt64Array.from(values, BigInt), [values.length]);
const loaded = (model) =>
  ort.InferenceSession.create(model, { executionProviders: ['wasm'], graphOptimizationLevel: 'all' });

// Both passes through one graph, whose cache is empty in the first: keys and values are inputs and outputs.
export async function write({ one_token }, [first, prompt, token, ...parameters]) {
  const session = await loaded(gpt2.model(parameters));
  let inputs = { ids: tokens([...first, ...prompt]), ...gpt2.emptyCache(ort.Tensor) };
  if (one_token) inputs = { ids: tokens(token), ...gpt2.nextCache(await session.run(inputs)) };
  return {
    run: () => session.run(inputs),
    result: async () => (await session.run(inputs)).logits.data,
  };
}
