// Runs in the browser: our engine and its peers, in turns, on the same numbers.
import * as tf from '@tensorflow/tfjs-core';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import * as ort from 'onnxruntime-web/wasm';
import { matmulModel } from './onnx.mjs';
import { compare, measure } from './measure.mjs';
import * as ours from './ours.mjs';
import * as tfjs from './tfjs-train.mjs';

let load;
let engine;

async function start() {
  ({ default: load } = await import('/bench/bench.mjs'));
  engine = await load();
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  setWasmPaths('/tfjs/');
  await tf.setBackend('wasm');
  if (!(await tf.env().getAsync('WASM_HAS_SIMD_SUPPORT'))) throw new Error('tfjs has no SIMD here');
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = '/ort/';
}

const numbers = (n) => Float32Array.from({ length: n }, (_, i) => ((i * 7919) % 2003) / 1001 - 1);

// The shapes in memory.
function shapesOf({ batch, m, k, n, transposed_a, transposed_b }) {
  const lead = batch > 1 ? [batch] : [];
  return {
    a: [...lead, ...(transposed_a ? [k, m] : [m, k])],
    b: [...lead, ...(transposed_b ? [n, k] : [k, n])],
    c: [...lead, m, n],
  };
}

// Each contender: { run (one product), result, dispose }; run may be asynchronous.
const gemm = {
  ours: (sizes, a, b) => ours.gemm(engine, sizes, a, b),
  // The tensors stay in the backend; its calls are synchronous.
  tfjs(sizes, a, b) {
    const shapes = shapesOf(sizes);
    const left = tf.tensor(a, shapes.a);
    const right = tf.tensor(b, shapes.b);
    const product = () => tf.matMul(left, right, sizes.transposed_a, sizes.transposed_b);
    tf.dispose(product()); // uploads the operands
    return {
      run: () => product().dispose(),
      result: () => tf.tidy(() => product().dataSync()),
      dispose: () => tf.dispose([left, right]),
    };
  },
  // Both operands are inputs, as in training, where neither is known beforehand. (An output tensor given by the caller
  // is not filled here, so there is none.)
  ort: (sizes, a, b) => ortProduct(sizes, a, b, false),
  // Both operands are constants of the model: no call copies them, and b is packed once, when loading.
  ort_constant: (sizes, a, b) => ortProduct(sizes, a, b, true),
};

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
    dispose: () => session.release(),
  };
}

const exp = { ours: (sizes, x) => ours.exp(engine, sizes, x), libm: (sizes, x) => ours.expLibm(engine, sizes, x) };

const train = {
  ours: async (sizes) => ours.train(await load(), sizes), // in a fresh instance, to measure its memory
  tfjs: ({ workload }, ...values) => tfjs.train(workload, values),
  floor: (sizes) => ours.floor(engine, sizes),
};

const kinds = {
  gemm: { contenders: gemm, inputs: ({ batch, m, k, n }) => [numbers(batch * m * k), numbers(batch * k * n)] },
  exp: { contenders: exp, inputs: ({ n }) => [numbers(n)] },
  train: { contenders: train, inputs: ({ workload }) => ours.trainValues(engine, workload) },
};

// → { ours: seconds, peer: seconds, … } for one run of the case, and the bytes that ours took, if known.
async function runCase({ name, kind, sizes }) {
  const { contenders, inputs } = kinds[kind];
  const values = inputs(sizes);
  const ready = {};
  for (const [who, prepare] of Object.entries(contenders)) ready[who] = await prepare(sizes, ...values);
  const seconds = await measure(ready);
  const results = {};
  for (const [who, { result }] of Object.entries(ready)) if (result) results[who] = await result();
  compare(name, results);
  const bytes = ready.ours.bytes?.();
  for (const { dispose } of Object.values(ready)) await dispose?.();
  return { ...seconds, bytes };
}

globalThis.bench = { start, runCase };
