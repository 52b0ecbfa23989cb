// In the engine of an open page, 200 training steps give the same weights, and random programs the same values and
// gradients, bit for bit, as in Node.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { withLibrary } from '../../web/plugin/library-files.mjs';
import { open } from './hands.mjs';

const STEPS = 200;
const THREADS = [1, 2, 3, 4, 7];
const fromRoot = (path) => new URL(`../../${path}`, import.meta.url);
const wasm = (name) => fromRoot(`build/wasm/${name}`);
const program = (name) => ({ program: readFileSync(fromRoot(`lessons/programs/${name}.py`), 'utf8') });
/** The random programs of tests/bindings/same-bits.test.ts. */
const PROGRAMS = 200;

const recurrent = { embedding: 38, hidden: 66, attention_size: 50, batch: 45 };
const transformer = { feed_forward: 130, dropout: 0.1 };
/** One model per kind with a task, in sizes that several threads share, and that are no multiple of a kernel's block. */
const RUNS = [
  ['reverse', 'gru-attention', recurrent],
  ['addition', 'lstm', recurrent],
  [
    ...['reverse', 'transformer'],
    { ...transformer, model_size: 66, heads: 3, layers: 2, positions: 'rotary', activation: 'swiglu', batch: 45 },
  ],
  [
    ...['stories', 'lm'],
    { ...transformer, model_size: 60, heads: 6, key_value_heads: 2, positions: 'learned', norm: 'rms', batch: 9 },
  ],
  ['reverse', 'program', { ...program('bahdanau'), batch: 13 }],
  ['stories', 'program', { ...program('gpt'), batch: 5 }],
  ['captions', 'captioner', { ...recurrent, channels: 12, grid_attention: true }],
];

export async function bits(browser, host) {
  const expected = await inNode();
  await open(browser, `${host.address}workbench/`);
  const isolated = await browser.evaluate(() => crossOriginIsolated && !!globalThis.SharedArrayBuffer);
  const counts = isolated ? THREADS : [1];
  const wrong = [];
  for (const [work, { name, hash }] of expected)
    for (const threads of work.task ? counts : [1]) {
      const found = await browser.evaluate(hashThere, work, threads);
      if (found !== hash) wrong.push(`${name} on ${threads}: ${found}, in Node ${hash}`);
    }
  const on = `on ${counts.join(', ')} threads${isolated ? '' : ', as the page has no shared memory'}`;
  const done = `${RUNS.length} models trained ${STEPS} steps ${on}, and ${PROGRAMS} random programs: SHA-256 as in Node`;
  return { done, wrong };
}

let known;
/** Of each piece of work its name and its bits in Node; computed once for all browsers. */
const inNode = () => (known ??= hashesHere());

async function hashesHere() {
  const runs = RUNS.map(([task, model, settings]) => ({ task, model, settings, steps: STEPS }));
  const write = fileURLToPath(fromRoot('build/native/tests/unroll_same_bits'));
  const programs = Array.from({ length: PROGRAMS }, (_, i) => ({
    program: execFileSync(write, ['program', String(i + 1)], { encoding: 'utf8' }),
  }));
  const named = [
    ...runs.map((run) => [run, `${run.task}/${run.model}`]),
    ...programs.map((program, i) => [program, `random program ${i + 1}`]),
  ];
  globalThis.lab = await labHere();
  const hashes = new Map();
  for (const [work, name] of named) hashes.set(work, { name, hash: await hashThere(work, 1) });
  return hashes;
}

/** The whole engine in Node, as the page's lab offers its own. */
async function labHere() {
  const { default: createEngine } = await import(wasm('engine.mjs'));
  const { Session } = withLibrary(await createEngine({ wasmBinary: await readFile(wasm('engine.wasm')) }));
  const { code } = await transform(await readFile(fromRoot('web/src/engine/trace.ts')), { loader: 'ts' });
  const { traceOf } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return {
    async probe(use) {
      const session = new Session();
      const here = Object.assign(Object.create(session), {
        train: (steps) => session.train(steps),
        trace: () => ({ ok: true, value: traceOf(session.trace().value) }),
      });
      return Promise.resolve(use(here)).finally(() => session.delete());
    },
  };
}

/**
 * In the page, or here with a `lab`, in a session beside the learner's: the SHA-256 of a run's checkpoint, or of the
 * output and all gradients of a program.
 */
function hashThere({ task, model, settings, steps, program }, threads) {
  const valueOf = (reply) => {
    if (!reply.ok) throw new Error(`${reply.message ?? reply.id} ${reply.detail}`);
    return reply.value;
  };
  const trained = async (session) => {
    session.threads = threads;
    valueOf(await session.load({ ...valueOf(await session.recipe(task, model)), ...settings, seed: 1 }));
    for (let step = 0; step < steps; step += 20) valueOf(await session.train(20, { deadline: 60_000 }));
    return valueOf(await session.save());
  };
  const computed = async (session) => {
    valueOf(await session.load({ kind: 'program', program }));
    const { output } = valueOf(await session.run([]));
    const leaves = valueOf(await session.trace()).nodes.filter((node) => node.phase === 'leaf' && node.gradient >= 0);
    const numbers = [];
    for (const id of [output, ...leaves.map(({ gradient }) => gradient)])
      numbers.push(...valueOf(await session.values(id)));
    return Float32Array.from(numbers);
  };
  const lab = globalThis.lab ?? document.querySelector('u-bench').lab;
  return lab.probe(async (session) => {
    const bytes = await (task ? trained(session) : computed(session));
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  });
}
