// The views of the sequence lessons on a real page: chart, alignment, beam tree, unrolled network, two runs.
import type { Page } from '@playwright/test';
import type { Point } from '../../web/src/figures/charts/curves-layout';
import { enter } from './hands';
import { expect, open, openBench, press, test } from './pages';
import { expectClean, expectExports, summaryOf } from './views-bench';
import { BAHDANAU, numberIn, points, runOf, sentences, type Run } from './views-engine';

const TAGS = ['u-curves', 'u-alignment', 'u-beam-tree', 'u-unrolled', 'u-runs'];
const WORDS = { source: ['I', 'am', 'student', '<eos>'], target: ['suis', 'étudiant', '<eos>'] };

/** The workbench with model `config`, and views in place of its settings. */
async function zoo(page: Page, config?: object): Promise<void> {
  const views = TAGS.map((tag) => `<${tag}></${tag}>`).join('');
  await openBench(page, config ? { config } : {}, `<div id="zoo">${views}</div>`);
  await page.waitForFunction((tags) => tags.every((tag) => customElements.get(tag)), TAGS);
}

const give = (page: Page, tag: string, data: object): Promise<void> =>
  page.locator(tag).evaluate((element, given) => void Object.assign(element, { data: given }), data);

const chart = (points: Point[]): object => ({
  title: 'Loss while training',
  x: { label: 'step' },
  y: { label: 'loss' },
  curves: [
    { name: 'with attention', role: 'weight', points },
    { name: 'without', role: 'state', points: points.map(([x, y]) => [x, y + 1]), dashed: true },
  ],
});
const POINTS = points('0 4, 100 2, 200 0.5');
const RUNS = {
  title: 'Two runs',
  x: { label: 'step' },
  y: { label: 'loss', log: true },
  runs: ['additive', 'dot'].map((name, i) => ({
    name,
    seed: 7,
    curves: [{ name: 'loss', points: POINTS.map(([x, y]) => [x, y * (i + 1)]) }],
    results: [{ label: 'exact match', value: 0.5 + i / 4 }],
  })),
};
const hypothesis = (parent: number, token: string, logProbability: number, score: number, state: string) => ({
  ...{ parent, token, logProbability, score, state },
  ...{ probability: Math.exp(logProbability), sequenceProbability: Math.exp(score) },
});
const TREE = {
  nodes: [
    hypothesis(-1, '<bos>', 0, 0, 'kept'),
    hypothesis(0, 'je', -0.5, -0.5, 'kept'),
    hypothesis(0, 'il', -1.5, -1.5, 'pruned'),
    hypothesis(1, 'suis', -0.25, -0.75, 'kept'),
    hypothesis(3, '<eos>', -0.25, -1, 'finished'),
  ],
  best: 4,
};

async function giveAlignment(page: Page): Promise<void> {
  await page.locator('u-alignment').evaluate((element) => {
    const weights = new Float32Array([0.7, 0.2, 0.05, 0.05, 0.03, 0.03, 0.91, 0.03]);
    const truth = [1, 2].map((source, target) => [source, target]);
    const words = { source: ['I', 'am', 'student', '<eos>'], target: ['suis', 'étudiant'] };
    Object.assign(element, { data: { ...words, weights, truth, name: 'attention/α' } });
  });
}

/** A real trace, with the values of a finished run. */
async function giveTrace(page: Page, { trace, values }: Run): Promise<void> {
  const all = [...values].map(([id, list]): [number, number[]] => [id, [...list]]);
  await page.locator('u-unrolled').evaluate(
    (element, given) => {
      const held = new Map(given.all.map(([id, list]) => [id, new Float32Array(list)]));
      const read = (node: { id: number }): Float32Array | undefined => held.get(node.id);
      Object.assign(element, { trace: given.trace, values: read, words: given.words });
    },
    { trace, all, words: WORDS },
  );
}

async function giveAll(page: Page): Promise<void> {
  await give(page, 'u-curves >> nth=0', chart(POINTS));
  await give(page, 'u-beam-tree', TREE);
  await give(page, 'u-runs', RUNS);
  await giveAlignment(page);
  await giveTrace(page, await runOf(BAHDANAU, sentences(4, 3)));
}

test('a chart can be read at one x by keys and by pointer, and as a whole in a table', async ({ page }) => {
  await zoo(page);
  await give(page, 'u-curves >> nth=0', chart(POINTS));
  const view = page.locator('u-curves').first();
  const slider = view.getByRole('slider', { name: 'Loss while training, by step' });
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(slider).toHaveAttribute('aria-valuetext', 'step 100: with attention 2, without 3');
  await expect(summaryOf(view)).toHaveText('step 100: with attention 2, without 3');
  await page.keyboard.press('Home');
  await expect(summaryOf(view)).toHaveText('step 0: with attention 4, without 5');
  const box = (await view.locator('.end').first().boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + 20);
  await expect(summaryOf(view)).toHaveText('step 200: with attention 0.5, without 1.5');
  await press(view, 'Show as table');
  await expect(view.locator('tbody tr')).toHaveText([/^\s*0\s*45\s*$/, /^\s*100\s*23\s*$/, /^\s*200\s*0\.51\.5\s*$/]);
});

test('a cell of the alignment is described in words, and true links can be hidden', async ({ page }) => {
  await zoo(page);
  await giveAlignment(page);
  const view = page.locator('u-alignment');
  await expect(summaryOf(view)).toHaveText('1 of 2 words attend most to a true link.');
  await view.getByRole('grid', { name: 'Cells of attention/α' }).focus();
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await expect(summaryOf(view)).toHaveText('étudiant attends to student with weight 0.91 (true link)');
  await expect(view.getByRole('gridcell')).toHaveText('étudiant attends to student with weight 0.91 (true link): 0.91');
  await expect(view.locator('figcaption')).toContainText(
    'suis attends most to I, 0.70. étudiant attends most to student',
  );
  await expect(view.locator('.truth')).toHaveCount(2);
  await view.getByRole('button', { name: 'Hide true links' }).click();
  await expect(view.locator('.truth')).toHaveCount(0);
  await press(view, 'Show as table');
  const cells = await view.locator('td[data-index]').allTextContents();
  expect(cells.map((text) => Math.fround(numberIn(text)))).toEqual(
    [0.7, 0.2, 0.05, 0.05, 0.03, 0.03, 0.91, 0.03].map(Math.fround),
  );
});

test('the cursor moves along the beam tree, whose table lists the hypotheses', async ({ page }) => {
  await zoo(page);
  await give(page, 'u-beam-tree', TREE);
  const view = page.locator('u-beam-tree');
  await view.getByRole('tree').focus();
  for (const key of ['Home', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
  await expect(view.getByRole('treeitem')).toHaveText('il: p 0.22, log p of the whole sequence −1.50, dropped');
  await page.keyboard.press('End');
  await expect(summaryOf(view)).toHaveText(
    'je suis <eos>: p 0.78, log p of the whole sequence −1.00, finished, the best',
  );
  await press(view, 'Show as table');
  await expect(view.locator('tbody tr')).toHaveText([/1\s*je suis <eos>\s*−1\.0000\s*0\.368\s*finished/]);
});

test('every strip of the network is the engine’s tensor, bit for bit: values and gradients', async ({ page }) => {
  const run = await runOf(BAHDANAU, sentences(4, 3));
  await zoo(page);
  await giveTrace(page, run);
  const view = page.locator('u-unrolled');
  await press(view, 'Show as table');
  for (const what of ['Values', 'Gradients']) {
    await view.getByRole('button', { name: what }).click();
    const rows = await view
      .locator('tr[data-tensor]')
      .evaluateAll((list) =>
        list.map((row): [string, string[]] => [
          (row as HTMLElement).dataset.tensor!,
          [...row.querySelectorAll('td[data-index]')].map((cell) => cell.textContent!),
        ]),
      );
    expect(rows).toHaveLength(11);
    for (const [name, texts] of rows) {
      const node = run.trace.nodes.find((each) => each.name === name)!;
      expect(node.phase).toBe(what === 'Values' ? 'forward' : 'backward');
      expect(texts.map((text) => Math.fround(numberIn(text)))).toEqual([...run.values.get(node.id)!]);
    }
  }
});

test('a decoder position shows what it attends to, and a cell opens to show its gates', async ({ page }) => {
  const run = await runOf(BAHDANAU, sentences(4, 3));
  await zoo(page);
  await giveTrace(page, run);
  const view = page.locator('u-unrolled');
  await view.getByRole('grid', { name: 'States of the network' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(summaryOf(view)).toHaveText(/^étudiant attends to (I|am|student|<eos>) 0\.\d+, /);
  const weights = run.values.get(run.trace.nodes.find(({ name }) => name === 'decoder.t1.attention/α')!.id)!;
  const arcs = await view.locator('.arc').evaluateAll((list) => list.map((arc) => arc.getAttribute('stroke-width')));
  expect(arcs.map(Number)).toEqual([...weights].map((weight) => expect.closeTo(weight * 7, 4)));
  await page.keyboard.press('Enter');
  const inside = view.getByRole('group', { name: 'Inside the cell: decoder, étudiant' });
  await expect(inside.locator('.gate')).toHaveCount(4);
  await expect(inside.locator('.gate').last()).toContainText(/= \(1 − z1\) · n1 \+ z1 · s0/);
});

test('a pressed output fades what it does not depend on, until Escape; so does the menu, for keys', async ({
  page,
}) => {
  await open(page, 'lessons/bottleneck/');
  const view = page.locator('u-unrolled');
  const faded = view.locator('.strip.off');
  const [states, wanted] = [view.locator('.strip'), 'The output of decoder, h depends on'];
  await expect(states.first()).toBeAttached();
  await expect(faded).toHaveCount(0);
  await view.locator('.token-word:not(.read)', { hasText: 'h' }).first().click({ force: true });
  await expect(summaryOf(view)).toContainText(wanted);
  const encoder = await view.locator('.strip[data-tensor^=encoder]').count();
  const decoder = (await states.count()) - encoder;
  await expect(faded, 'the decoder after its second position').toHaveCount(decoder - 2);
  const grid = view.getByRole('grid');
  await grid.focus();
  await page.keyboard.press('Escape');
  await expect(faded).toHaveCount(0);
  await page.keyboard.press('Home');
  await view.getByRole('button', { name: 'More of this figure' }).press('Enter');
  await view.getByRole('button', { name: 'What this state depends on' }).press('Enter');
  await expect(faded).toHaveCount(decoder - 1);
  await view.getByRole('button', { name: 'More of this figure' }).press('Enter');
  await view.getByRole('button', { name: 'Show all states' }).press('Enter');
  await expect(faded).toHaveCount(0);
});

test('asked for gradients, the network goes on to where they are, and its arrows lead back', async ({ page }) => {
  await open(page, 'lessons/bottleneck/');
  const view = page.locator('u-unrolled');
  await expect(view.locator('.flow').first()).toBeAttached();
  await view.getByRole('button', { name: 'More of this figure' }).click();
  await view.getByRole('button', { name: 'Gradients' }).click();
  await expect(view.locator('.flow')).toHaveCount(0);
  const widths = await view
    .locator('.back[stroke-width]')
    .evaluateAll((all) => all.map((each) => Number(each.getAttribute('stroke-width'))));
  expect(Math.max(...widths)).toBe(5);
  await expect(view.locator('.norm')).toHaveCount(await view.locator('.strip').count());
});

test('any sequence of a batch can be chosen, by keys too, and the link keeps it', async ({ page }) => {
  await open(page, 'lessons/recurrent-language-model/');
  const view = page.locator('u-unrolled');
  const words = view.locator('.token-word');
  await expect(words).toHaveText(['bos', 'sky', 'sea', 'day', 'sun', 'bis', 'sky', 'sea', 'day']);
  await expect(view.getByRole('button', { name: 'Sequence before' })).toBeDisabled();
  await view.getByRole('button', { name: 'Next sequence' }).press('Enter');
  await expect(words).toHaveText(['bos', 'sun', 'bee', 'sun', 'sky', 'bis', 'sun', 'bee', 'sun']);
  await expect(view.getByRole('status')).toHaveText(''); // none of its words counts in the loss
  await view.getByRole('combobox', { name: 'Sequence of the batch' }).selectOption('Sequence 52 of 52');
  await expect(view.getByRole('button', { name: 'Next sequence' })).toBeDisabled();
  await expect(view.getByRole('status')).toHaveText(/^Its own loss is \d\.\d+$/);
  const last = await words.allTextContents();
  await expect.poll(() => new URL(page.url()).hash).toMatch(/^#v1\./);
  await page.reload();
  await expect(words).toHaveText(last);
});

test('Vanishing gradients opens with its bars, the first the lowest', async ({ page }) => {
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 740 });
    await open(page, 'lessons/vanishing-gradients/');
    const bars = page.locator('u-unrolled .norm');
    await expect(bars).toHaveCount(20);
    const heights = await bars.evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().height));
    heights.slice(1).forEach((height, i) => expect(height / heights[i]!).toBeCloseTo(1 / 0.9, 1));
    await expect(bars.first()).toBeInViewport();
    await expect(bars.last()).toBeInViewport();
  }
});

test('a decoder shows its inputs: the teacher’s words, or its own fed back', async ({ page }) => {
  await open(page, 'lessons/bottleneck/'); // the model generates its target
  const view = page.locator('u-unrolled');
  await expect(view.locator('.read')).toHaveText(['<bos>', ...'ehcadahe']);
  await expect(view.locator('svg.drawn .fed-back')).toHaveCount(8);
  await expect(view.locator('.thead')).toContainText('its own word, fed back');
  await expect(view.locator('figcaption')).toContainText('It reads <bos>, then its own e, h, c, a, d, a, h and e.');
  await press(page, 'Change what the model reads');
  await enter(page.getByRole('textbox', { name: 'Target' }), 'ehcadahh');
  await expect(view.locator('.read')).toHaveText(['<bos>', ...'ehcadahh']);
  await expect(view.locator('svg.drawn .fed-back')).toHaveCount(0);
  await expect(view.locator('.thead')).toContainText('the words that it is given');
  await press(view, 'Show as table');
  await expect(view.locator('td.reads').last()).toHaveText('h, the teacher’s');
});

test('clicking a strip selects its tensor in the lab', async ({ page }) => {
  await zoo(page, { kind: 'recurrent', cell: 'gru', positions: 5, hidden: 4, size: 3 });
  await press(page, 'Last step');
  const strip = page.locator('#zoo u-unrolled [data-tensor="cell.0.t2/h"] .target');
  await strip.click();
  await expect(page.locator('u-inspector')).toContainText('cell.0.t2/h');
});

test('drawings can be exported in three formats; axe finds no violations, and nothing overflows', async ({ page }) => {
  await zoo(page);
  await giveAll(page);
  for (const tag of ['u-curves', 'u-alignment', 'u-beam-tree', 'u-unrolled'])
    await expectExports(page, page.locator(tag).first(), 2);
  await page.locator('u-unrolled').evaluate((element) => void Object.assign(element, { opened: 0 }));
  await expectClean(page, '#zoo');
});

test('a decoder with a teacher shows the word that it would write, beside the one that is right', async ({ page }) => {
  await open(page, 'lessons/teacher-forcing/#the-teacher');
  const view = page.locator('u-unrolled');
  await expect(view.locator('.missed')).toHaveText('f');
  await expect(view.locator('.wanted')).toHaveText('d');
  await expect(view.locator('.legend').filter({ hasText: 'underlined: differs' })).toBeVisible();
});
