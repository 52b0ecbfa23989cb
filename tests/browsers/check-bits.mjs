// 200 training steps in the engine of an open page give the same weights, bit for bit, as in Node.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { open } from './hands.mjs';

const STEPS = 200;
const THREADS = [1, 2, 3, 4, 7];
const wasm = (name) => new URL(`../../build/wasm/${name}`, import.meta.url);

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
  ['captions', 'captioner', { ...recurrent, channels: 12, grid_attention: true }],
];

export async function bits(browser, host) {
  const expected = await inNode();
  await open(browser, `${host.address}workbench/`);
  const wrong = [];
  const isolated = await browser.evaluate(() => crossOriginIsolated);
  const counts = isolated ? THREADS : [1];
  for (const [i, run] of RUNS.entries())
    for (const threads of counts) {
      const found = await browser.evaluate(inPage, run, STEPS, threads);
      if (found !== expected[i])
        wrong.push(`${run.slice(0, 2).join('/')} on ${threads}: ${found}, in Node ${expected[i]}`);
    }
  const on = `on ${counts.join(', ')} threads${isolated ? '' : ', as the page is not isolated'}`;
  return { done: `${RUNS.length} models trained ${STEPS} steps ${on}, SHA-256 of what they save as in Node`, wrong };
}

let known;
/** Trained once for all browsers. */
const inNode = () => (known ??= trainHere());

async function trainHere() {
  const { default: createEngine } = await import(wasm('engine.mjs'));
  const engine = await createEngine({ wasmBinary: await readFile(wasm('engine.wasm')) });
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
  if (!reply.ok) throw new Error(reply.message);
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
