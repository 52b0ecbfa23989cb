// Runs in a worker of a page: our engine and its peers, in turns, on the same numbers. One case per worker, whose
// end frees everything.
import * as tf from '@tensorflow/tfjs-core';
import { getThreadsCount, setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import * as ort from 'onnxruntime-web/wasm';
import { compare, measure } from './measure.mjs';
import * as ours from './ours.mjs';
import * as peers from './peers.mjs';
import * as tfjs from './tfjs-train.mjs';

const cores = navigator.hardwareConcurrency;
const instance = async (name) => (await import(`/bench/${name}.mjs`)).default();

// With threads it takes half of the cores that it sees, whatever one asks for, so it is shown twice as many.
async function startTfjs({ threads }) {
  if (threads) Object.defineProperty(navigator, 'hardwareConcurrency', { value: 2 * cores });
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', threads);
  setWasmPaths('/tfjs/');
  await tf.setBackend('wasm');
  if (!(await tf.env().getAsync('WASM_HAS_SIMD_SUPPORT'))) throw new Error('tfjs has no SIMD here');
  if (threads !== getThreadsCount() > 1) throw new Error(`tfjs has ${getThreadsCount()} threads`);
}

function startOrt() {
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = '/ort/';
}

const numbers = (n) => Float32Array.from({ length: n }, (_, i) => ((i * 7919) % 2003) / 1001 - 1);

// The contenders of each kind; each: { run (once), result, scale }, where run may be asynchronous.
const kinds = {
  async gemm({ sizes }) {
    const { batch, m, k, n } = sizes;
    const given = [sizes, numbers(batch * m * k), numbers(batch * k * n)];
    await startTfjs({ threads: false });
    startOrt();
    return { ours: ours.gemm(await instance('bench'), ...given), ...(await peers.gemm(...given)) };
  },

  async exp({ sizes }) {
    const [engine, x] = [await instance('bench'), numbers(sizes.n)];
    return { ours: ours.exp(engine, sizes, x), libm: ours.expLibm(engine, sizes, x) };
  },

  async train(one) {
    await startTfjs({ threads: false });
    const engine = await instance('bench');
    return { ...(await ourRuns(engine, one)), tfjs: tfjs.train(one.sizes.workload, ours.values(engine, one)) };
  },

  async write(one) {
    startOrt();
    const engine = await instance('bench');
    return { ...(await ourRuns(engine, one)), ort: await peers.write(one.sizes, ours.values(engine, one)) };
  },
};

// On one thread in a fresh instance, to measure its memory.
async function ourRuns(engine, one) {
  const counts = ours.threadCounts(cores);
  const alone = ours[one.kind](await instance('bench'), one.sizes);
  const shared = counts.length ? await ours.onThreads(await instance('bench_threads'), one, counts) : {};
  return { ours: alone, ...ours.bound(engine, one), ...shared };
}

// → { ours: seconds, peer: seconds, … } for one run of the case, and the bytes that ours took, if known.
async function measureAll(one) {
  const ready = await kinds[one.kind](one);
  const seconds = await measure(ready);
  const results = {};
  for (const [who, { result }] of Object.entries(ready)) if (result) results[who] = await result();
  compare(one.name, results);
  return { ...seconds, bytes: ready.ours.bytes?.() };
}

// A worker of its own, since tfjs has either build for the life of a worker.
async function measureTfjsThreads(one) {
  await startTfjs({ threads: true });
  const engine = await instance('bench');
  const tfjs_threads = tfjs.train(one.sizes.workload, ours.values(engine, one));
  const seconds = await measure({ tfjs_threads });
  compare(one.name, { ours: ours.train(engine, one.sizes).result(), tfjs_threads: tfjs_threads.result() });
  return seconds;
}

onmessage = async ({ data: { one, tfjsThreads } }) => {
  try {
    postMessage({ seconds: await (tfjsThreads ? measureTfjsThreads(one) : measureAll(one)) });
  } catch (error) {
    postMessage({ error: `${one.name}: ${error?.stack ?? error}` });
  }
};
