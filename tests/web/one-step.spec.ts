// One step of learning, pressed by the reader: the scores and the loss move as the formula says, the state is in the link, and
// the chart shows where the next step lands.
import { enter, taskOn } from './hands';
import { benchOf, expect, open, press, type Page, test, type WithLab } from './pages';

const LESSON = 'lessons/one-step-of-learning/';

interface State {
  steps: number;
  loss: number;
  e: number[];
}

const stateOf = (page: Page): Promise<State> =>
  benchOf(page).evaluate(async ({ lab }: WithLab) => {
    await lab.settled();
    const { id } = lab.node('e')!;
    const reply = await lab.engine.values(id);
    const e = reply.ok ? Array.from(reply.value) : [];
    return { steps: lab.state.steps ?? 0, loss: lab.run!.loss, e };
  });

/** Of −log softmax(e) at cat, the first word. */
function slopesAt(e: readonly number[]): number[] {
  const total = e.reduce((sum, score) => sum + Math.exp(score), 0);
  return e.map((score, i) => Math.exp(score) / total - (i === 0 ? 1 : 0));
}

const after = (page: Page, steps: number): Promise<void> =>
  expect.poll(async () => (await stateOf(page)).steps).toBe(steps);

const read = (page: Page, text: string): Promise<void> =>
  page
    .locator('u-step', { hasText: text })
    .evaluate((step) => scrollBy(0, step.getBoundingClientRect().top - innerHeight * 0.31));

test('what was trained with a button of the text, or measured by hand, is gone with the next step', async ({
  page,
}) => {
  const settings = () =>
    benchOf(page).evaluate(({ lab }: WithLab) => {
      const { temperature, loss } = lab.config();
      return { temperature, loss, steps: lab.state.steps ?? 0, edits: lab.state.edits.length };
    });
  const own = { temperature: 1, loss: 'cross_entropy', steps: 0, edits: 0 };
  const flat = { temperature: 0, loss: 'zero_one', steps: 0, edits: 0 };
  await open(page, LESSON);
  await page.waitForTimeout(700); // while the browser may still scroll, nothing follows
  await page.locator('#apple + details.after summary').click();
  await press(page.locator('u-training').first(), 'Take a step');
  await after(page, 1);
  await page.locator('h1').click();
  await read(page, 'Nothing moves');
  await expect.poll(settings).toEqual(flat);
  await press(page.locator('u-training').nth(1), 'Take a step');
  await after(page, 1);
  await page.locator('h1').click();
  await read(page, 'a small change does change the loss');
  await expect.poll(settings).toEqual(own);
  await benchOf(page).evaluate(({ lab }: WithLab) => lab.edit('e', 0, 1.01));
  const task = await taskOn(page, 'difference');
  await enter(task.getByRole('textbox'), '-0.98');
  await expect(task.getByRole('status')).toContainText('Right.');
  await expect.poll(settings).toEqual({ ...own, edits: 1 });
  await page.locator('h1').click();
  await read(page, 'From the loss to the weights');
  await expect.poll(settings).toEqual(own);
  await read(page, 'Nothing moves');
  await expect.poll(settings).toEqual(flat);
  await read(page, 'At the end of a run');
  await expect.poll(settings).toEqual(own);
});

test('each press takes one step against the gradient; the link keeps it, and another button goes back', async ({
  page,
}) => {
  await open(page, LESSON);
  await page.locator('#apple + details.after summary').click();
  const first = page.locator('u-training').first();
  const step = first.getByRole('button', { name: 'Take a step' });
  const start = await stateOf(page);
  expect(start.loss).toBeCloseTo(4.0996, 3);
  await step.focus();
  await page.keyboard.press('Enter');
  await after(page, 1);
  await expect(step).toBeFocused();
  await expect.poll(async () => (await stateOf(page)).loss).toBeLessThan(start.loss);
  const next = await stateOf(page);
  slopesAt(start.e).forEach((slope, i) => expect(next.e[i]).toBeCloseTo(start.e[i]! - slope, 5));
  await page.keyboard.press('Enter');
  await after(page, 2);
  await expect.poll(async () => (await stateOf(page)).loss).toBeLessThan(next.loss);
  const { loss } = await stateOf(page);
  await expect(first.getByRole('status').first()).toContainText(`${loss.toPrecision(4)} after 2 steps`);
  await expect(first.locator('u-curves')).toBeVisible();
  await expect.poll(() => new URL(page.url()).hash).toMatch(/^#v1\./);
  await page.reload();
  await after(page, 2);
  expect((await stateOf(page)).loss).toBe(loss);
  await page.locator('#apple + details.after summary').click();
  await press(first, 'Back to step 0');
  await after(page, 0);
  expect((await stateOf(page)).e).toEqual(start.e);
});

test('the chart marks where a step of the chosen rate lands, and the step lands there', async ({ page }) => {
  await open(page, LESSON);
  const last = page.locator('u-training[data-along]');
  await last.scrollIntoViewIfNeeded();
  await benchOf(page).evaluate(({ lab }: WithLab) => lab.configure({ learning_rate: 8 }, { inputs: { y: [0, 2] } }));
  const chart = last.locator('u-curves', { hasText: 'The loss after the next step' });
  await expect(chart).toContainText('η = 8');
  const data = await chart.evaluate(
    (figure) => (figure as HTMLElement & { data: { curves: { points: [number, number][] }[] } }).data,
  );
  const [[rate, landing]] = data.curves[1]!.points as [[number, number]];
  expect(rate).toBe(8);
  await press(last, 'Take a step');
  await after(page, 1);
  await expect.poll(async () => (await stateOf(page)).loss).toBeCloseTo(landing, 5);
});
