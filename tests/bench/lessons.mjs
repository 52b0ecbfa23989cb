// What a learner waits for in the built pages, in Chromium: training to its bar, and the rerun after an edit.
import { deflateRawSync } from 'node:zlib';
import { inChromium } from '../in-chromium.mjs';
import { programCases } from './programs.mjs';
import { fileFor, lessonsOfSite } from '../site.mjs';

/** Trained with their recipes: the fraction of 200 test pairs to be written exactly, and the most seconds. */
const TRAININGS = [
  { task: 'reverse', exact: 0.99, seconds: 2.5 },
  { task: 'dates', exact: 0.99, seconds: 4 },
  { task: 'translate-en-fr', exact: 0.95, seconds: 25 },
];
const SEEDS = [1, 2, 3];
/** Milliseconds of a frame, in which 99 of 100 edits should be done. */
const FRAME = 16;

/** Each: { name, run(page, site) → { words, row, met } }. */
export const lessonCases = () => [
  ...TRAININGS.flatMap((bar) => SEEDS.map((seed) => training(bar, seed))),
  ...lessonsOfSite().map(edits),
  ...programCases(),
];

const training = ({ task, exact, seconds }, seed) => ({
  name: `page, train ${task} with seed ${seed}`,
  async run(page, site) {
    await open(page, `${site}workbench/`);
    const recipe = await page.evaluate(recipeOf, task);
    await open(page, `${site}workbench/${linkTo({ ...recipe.value, seed })}`);
    const row = await page.evaluate(trainThere);
    const words = `${row.seconds.toFixed(1)} s on ${row.threads} threads, ${(100 * row.exact).toFixed(1)} % exact`;
    return { row, words, met: row.seconds <= seconds && row.exact >= exact, wanted: `${seconds} s, ${100 * exact} %` };
  },
});

const edits = (lesson) => ({
  name: `page, edit in ${lesson}`,
  async run(page, site) {
    await open(page, `${site}lessons/${lesson}/`);
    const times = await page.evaluate(editThere);
    const row = { edits: times.length, half: times[times.length >> 1], most: times[Math.floor(times.length * 0.99)] };
    const words = `half of ${row.edits} within ${row.half.toFixed(1)} ms, 99 % within ${row.most.toFixed(1)} ms`;
    return { row, words, met: row.most < FRAME, wanted: `99 % within ${FRAME} ms` };
  },
});

const linkTo = (config) => `#v1.${deflateRawSync(JSON.stringify({ lesson: '', config })).toString('base64url')}`;

async function open(page, address) {
  await page.goto('about:blank');
  await page.goto(address);
  await page.waitForFunction(() => document.querySelector('u-transport')?.textContent.includes(' of '));
}

/** In the page. */
const recipeOf = (task) =>
  document.querySelector('u-bench').lab.probe((session) => session.recipe(task, 'gru-attention'));

/** In the page: presses Train, and waits for the end of training and of the test after it. */
async function trainThere() {
  const panel = document.querySelector('u-train');
  const until = async (holds) => {
    while (!holds()) await new Promise((later) => setTimeout(later, 5));
  };
  const button = () =>
    [...panel.querySelectorAll('button:enabled')].find((each) => each.textContent.trim() === 'Train');
  await until(button);
  const began = performance.now();
  button().click();
  await until(() => panel.lab.training.status === 'done');
  const seconds = (performance.now() - began) / 1000;
  const { atWork } = panel.lab.trainer.threads;
  const evaluation = () => panel.lab.training.evaluation;
  await until(() => evaluation() && evaluation().done === evaluation().pairs);
  return { seconds, threads: atWork, exact: evaluation().exactMatch };
}

/** In the page: the milliseconds of each of a hundred edits of tensors all over the forward pass, from a page at rest. */
async function editThere() {
  const bench = document.querySelector('u-bench');
  const { lab } = bench;
  const frame = () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
  const rest = async () => {
    for (let still = 0; still < 3; still = bench.ariaBusy === 'true' ? 0 : still + 1) await frame();
  };
  const nodes = lab.trace.nodes.filter(({ phase }) => phase === 'leaf' || phase === 'forward');
  const times = [];
  for (let i = 0; times.length < 100 && i < 400; i++) {
    const { name } = nodes[(i * 37) % nodes.length];
    await rest();
    const began = performance.now();
    const reply = await lab.edit(name, 0, 0.25 + i / 1000, true);
    if (reply.ok) times.push(performance.now() - began);
    if (i % 10 === 9) while (await lab.undoEdit());
  }
  return times.sort((a, b) => a - b);
}

/** Calls use(run) with run(case) → its result. */
export const inLessons = (use) =>
  inChromium(
    (path) => fileFor(path),
    (page, site) => use((one) => one.run(page, site)),
  );
