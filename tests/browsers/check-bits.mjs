// In the engine of an open page, 200 training steps give the same weights, and random programs the same values and
// gradients, bit for bit, as in Node.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
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
  const wrong = [];
  const isolated = await browser.evaluate(() => crossOriginIsolated && !!globalThis.SharedArrayBuffer);
  const counts = isolated ? THREADS : [1];
  for (const [i, run] of RUNS.entries())
    for (const threads of counts) {
      const found = await browser.evaluate(inPage, run, STEPS, threads);
      if (found !== expected[i])
        wrong.push(`${run.slice(0, 2).join('/')} on ${threads}: ${found}, in Node ${expected[i]}`);
    }
  const { texts, bits: known } = await randomPrograms();
  const found = await browser.evaluate(programsThere, texts);
  found.forEach((each, i) => each === known[i] || wrong.push(`random program ${i + 1}: ${each}, in Node ${known[i]}`));
  const on = `on ${counts.join(', ')} threads${isolated ? '' : ', as the page has no shared memory'}`;
  const done = `${RUNS.length} models trained ${STEPS} steps ${on}, and ${texts.length} random programs: SHA-256 as in Node`;
  return { done, wrong };
}

let random;
/** Their texts, and the bits of each in Node. */
async function randomPrograms() {
  if (random) return random;
  const write = fileURLToPath(fromRoot('build/native/tests/unroll_same_bits'));
  const seeds = Array.from({ length: PROGRAMS }, (_, i) => String(i + 1));
  const texts = seeds.map((seed) => execFileSync(write, ['program', seed], { encoding: 'utf8' }));
  const session = new (await engineHere()).Session();
  globalThis.lab = { probe: (use) => use(session) };
  return (random = { texts, bits: await programsThere(texts) });
}

async function engineHere() {
  const { default: createEngine } = await import(wasm('engine.mjs'));
  return createEngine({ wasmBinary: await readFile(wasm('engine.wasm')) });
}

let known;
/** Trained once for all browsers. */
const inNode = () => (known ??= trainHere());

async function trainHere() {
  const engine = await engineHere();
  return RUNS.map(([task, model, settings]) => {
    const session = new engine.Session();
    valueOf(session.load({ ...valueOf(engine.recipe(task, model)), ...settings, seed: 1 }));
    valueOf(session.train(STEPS));
    const hash = createHash('sha256').update(valueOf(session.save())).digest('hex');
    session.delete();
    return hash;
  });
}

function valueOf(reply) {
  if (!reply.ok) throw new Error(reply.id);
  return reply.value;
}

/** Runs in the page, through its own workers, in a session beside the learner's. */
function inPage([task, model, settings], steps, threads) {
  const valueOf = (reply) => {
    if (!reply.ok) throw new Error(`${reply.message} ${reply.detail}`);
    return reply.value;
  };
  const { lab } = document.querySelector('u-bench');
  return lab.probe(async (session) => {
    session.threads = threads;
    valueOf(await session.load({ ...valueOf(await session.recipe(task, model)), ...settings, seed: 1 }));
    for (let step = 0; step < steps; step += 20) valueOf(await session.train(20, { deadline: 60_000 }));
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', valueOf(await session.save())));
    return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  });
}

/** In the page, or here with a `lab`: the SHA-256 of the output and of all gradients that each program makes. */
function programsThere(programs) {
  const valueOf = (reply) => {
    if (!reply.ok) throw new Error(`${reply.message} ${reply.detail}`);
    return reply.value;
  };
  const hexadecimal = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const lab = globalThis.lab ?? document.querySelector('u-bench').lab;
  return lab.probe(async (session) => {
    const all = [];
    for (const program of programs) {
      valueOf(await session.load({ kind: 'program', program }));
      const { output } = valueOf(await session.run([]));
      const leaves = valueOf(await session.trace()).nodes.filter(
        ({ phase, gradient }) => phase === 'leaf' && gradient >= 0,
      );
      const numbers = [];
      for (const id of [output, ...leaves.map(({ gradient }) => gradient)])
        numbers.push(...valueOf(await session.values(id)));
      all.push(hexadecimal(await crypto.subtle.digest('SHA-256', Float32Array.from(numbers))));
    }
    return all;
  });
}
