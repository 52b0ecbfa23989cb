// A training step of the whole models in lessons/programs beside one of the lab's own models with the same sizes, in
// the built workbench and natively.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(new URL('../..', import.meta.url)));
const trainer = process.env.UNROLL_TRAIN ?? join(root, 'build/release/tests/unroll_train');
/** The fastest of so many rounds of so many seconds each, in turns. */
const ROUNDS = 5;
const SECONDS = 3;
/** Times the step of the lab's own, which has the fused kernels of nn/; without these it would be 1.15. */
const MOST = 1.25;

const PAIRS = [
  { name: 'bahdanau', task: 'reverse', own: 'gru-attention' },
  { name: 'gpt', task: 'stories', own: 'lm' },
];

const fileOf = (name) => join(root, `lessons/programs/${name}.py`);

/** As lessonCases. */
export const programCases = () => PAIRS.flatMap((pair) => [inPage(pair), natively(pair)]);

const inPage = ({ name, task, own }) => ({
  name: `page, step of the program ${name}`,
  async run(page, site) {
    await page.goto(`${site}workbench/`);
    await page.waitForFunction(() => document.querySelector('u-transport')?.textContent.includes(' of '));
    const program = readFileSync(fileOf(name), 'utf8');
    return compared(
      () => page.evaluate(stepThere, [task, 'program', program, SECONDS]),
      () => page.evaluate(stepThere, [task, own, null, SECONDS]),
    );
  },
});

const natively = ({ name, task, own }) => ({
  name: `native, step of the program ${name}`,
  run: () =>
    compared(
      () => stepHere(task, 'program', '--program', fileOf(name)),
      () => stepHere(task, own),
    ),
});

async function compared(program, own) {
  const best = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; ++round)
    for (const [i, step] of [program, own].entries()) best[i] = Math.min(best[i], await step());
  const ratio = best[0] / best[1];
  const [mine, labs] = best.map((milliseconds) => milliseconds.toFixed(2));
  const words = `${mine} ms, ${ratio.toFixed(3)} times the lab's own, ${labs} ms`;
  return { words, row: { program: best[0], own: best[1], ratio }, met: ratio <= MOST, wanted: `${MOST} times` };
}

/** Milliseconds a step. */
function stepHere(...words) {
  const json = join(mkdtempSync(join(tmpdir(), 'unroll-steps-')), 'report.json');
  execFileSync(trainer, [...words, '--seconds', String(SECONDS), '--json', json], { stdio: 'ignore' });
  const { steps, seconds } = JSON.parse(readFileSync(json, 'utf8'));
  return (1000 * seconds) / steps;
}

/** In the page: milliseconds a step, in a session of its own. */
function stepThere([task, model, program, seconds]) {
  const valueOf = (reply) => {
    if (!reply.ok) throw new Error(reply.message);
    return reply.value;
  };
  const { lab } = document.querySelector('u-bench');
  return lab.probe(async (session) => {
    const config = { ...valueOf(await session.recipe(task, model)), seed: 1, ...(program && { program }) };
    valueOf(await session.load(config));
    const train = async () => valueOf(await session.train(5, { deadline: 60_000 }));
    await train();
    await train();
    const began = performance.now();
    let steps = 0;
    for (; performance.now() - began < 1000 * seconds; steps += 5) await train();
    return (performance.now() - began) / steps;
  });
}
