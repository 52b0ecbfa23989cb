// The worker: whatever kills it, the learner is back where they were within half a second.
import { chooseCell, editTo, enter } from './hands';
import {
  benchOf,
  expect,
  open,
  place,
  press,
  rested,
  settled,
  test,
  wholeRun,
  type Place,
  type WithLab,
} from './pages';
import { linkTo } from './links';
import { keptBeyond } from './storage';
import { begin, ended, panel, REVERSE, SMALL, stepsTrained } from './trainings';
import type { JSHandle, Page, Worker } from '@playwright/test';

// One after another: timed tests must not share the machine with one that fills its memory.
test.describe.configure({ mode: 'default' });

const RESTARTED = 'The engine stopped and was restarted: your work is unchanged.';

interface Work {
  numbers: string;
  where: Place;
}

async function work(page: Page, toTheEnd = true, address = 'workbench/'): Promise<Work> {
  await open(page, address);
  await enter(page.getByRole('textbox', { name: 'Seed' }), '21');
  await rested(page);
  for (let i = 0; i < 3; i++) await press(page, 'Step forward');
  await chooseCell(page);
  await editTo(page, '3');
  if (toTheEnd) await press(page, 'Last step');
  return { numbers: await settled(page), where: await place(page) };
}

/** Expects the learner back where they were, with the same numbers. */
async function expectWork(page: Page, { numbers, where }: Work): Promise<void> {
  expect(await place(page)).toEqual(where);
  expect(await settled(page)).toBe(numbers);
}

/** Expects that they can go on from there. */
async function expectGoingOn(page: Page, before: Work): Promise<void> {
  await expectWork(page, before);
  await press(page, 'Step back');
  await expect.poll(async () => (await place(page)).step).toBeLessThan(before.where.step);
}

const kill = (worker: Worker): Promise<void> => worker.evaluate(() => self.close()).catch(() => undefined);

/** Milliseconds until the page says this and its bench is at rest, checked in every frame. */
const timeUntil = (page: Page, said: string): Promise<number> =>
  page.evaluate(
    (text) =>
      new Promise<number>((done) => {
        const from = performance.now();
        const rest = (): boolean => document.querySelector('u-bench')!.getAttribute('aria-busy') === 'false';
        const look = (): void => {
          if (document.body.innerText.includes(text) && rest()) done(performance.now() - from);
          else requestAnimationFrame(look);
        };
        look();
      }),
    said,
  );

test('a killed worker is replaced in under 500 ms, again and again, and nothing is lost', async ({ page }) => {
  const before = await work(page);
  for (let i = 0; i < 3; i++) {
    const took = timeUntil(page, RESTARTED);
    await kill(page.workers().at(-1)!);
    expect(await took).toBeLessThan(500);
    await expectWork(page, before);
    await press(page, 'Dismiss');
    await expect(page.getByText(RESTARTED)).toHaveCount(0);
  }
  await expectGoingOn(page, before);
});

test('a worker that traps is replaced in under 500 ms, and nothing is lost', async ({ page }) => {
  const before = await work(page);
  await page.workers()[0]!.evaluate(() => {
    Map.prototype.get = () => {
      throw new WebAssembly.RuntimeError('memory access out of bounds');
    };
  });
  const took = timeUntil(page, RESTARTED);
  await press(page, 'New seed');
  expect(await took).toBeLessThan(500);
  await expectGoingOn(page, before);
});

interface Resumed {
  /** Milliseconds until training takes its next step after a crash. */
  took: number;
  /** The step that it restarted from. */
  from: number;
}

/** Returns once the page watches for the crash: a crash before that would be waited for without end. */
const watchForCrash = (page: Page): Promise<JSHandle<{ resumed: Promise<Resumed> }>> =>
  benchOf(page).evaluateHandle(({ lab }: WithLab) => {
    const began = performance.now();
    const after = async (step: number): Promise<number> => {
      while (lab.training.step === step) await new Promise((later) => setTimeout(later, 1));
      return lab.training.step;
    };
    const resumes = async (): Promise<Resumed> => {
      let before = 0;
      let from = lab.training.step;
      while (from >= before) from = await after((before = from));
      await after(from);
      return { took: performance.now() - began, from };
    };
    return { resumed: resumes() };
  });

test('killed during training: resumes from the last checkpoint in under 500 ms and catches up', async ({ page }) => {
  await begin(page, SMALL);
  await press(page, 'Last step');
  const where = await place(page);
  await press(page, 'Train');
  const kept = await keptBeyond(page, 0);
  await expect.poll(() => stepsTrained(page)).toBeGreaterThan(kept + 50);
  const steps = await stepsTrained(page);
  const watch = await watchForCrash(page);
  await kill(page.workers().at(-1)!);
  const { took, from } = await watch.evaluate(({ resumed }) => resumed);
  expect(took).toBeLessThan(500);
  expect(from).toBe(kept);
  await expect(page.getByText(RESTARTED)).toBeVisible();
  await ended(page);
  await rested(page);
  expect(await stepsTrained(page)).toBeGreaterThanOrEqual(steps);
  expect(await place(page)).toEqual(where);
  const reached = await stepsTrained(page);
  await press(page, 'Continue training'); // the rest, which it no longer trains by itself
  await expect.poll(() => stepsTrained(page)).toBeGreaterThan(reached);
});

interface Fall {
  /** The steps that training had taken, and those it restarted from. */
  at: number;
  from: number;
  /** Milliseconds that the steps in between took the first time. */
  lost: number;
}

/** Kills the worker during training; how far that set it back, once it has caught up. */
const nextFall = (page: Page): Promise<Fall> =>
  benchOf(page).evaluate(async ({ lab }: WithLab, said) => {
    const [began, first] = [performance.now(), lab.training.step];
    let [at, from, took, fallen] = [first, Infinity, 0, false];
    while (!fallen || lab.training.status !== 'idle') {
      await new Promise((later) => setTimeout(later, 1));
      fallen ||= lab.problem?.message === said;
      const { step } = lab.training;
      if (fallen) from = Math.min(from, step);
      else if (step > at) [at, took] = [step, performance.now() - began];
    }
    return { at, from, lost: ((at - from) * took) / Math.max(at - first, 1) };
  }, RESTARTED);

/** For more: UNROLL_FALLS=100 ./lab test all tests/web/worker.timed.spec.ts */
const FALLS = Number(process.env.UNROLL_FALLS ?? 20);

if (wholeRun)
  test(`killed ${FALLS} times during training: it always catches up from its checkpoint`, async ({ page }) => {
    test.setTimeout(3_600_000);
    await begin(page, { ...REVERSE, steps: 20_000 });
    const falls: Fall[] = [];
    for (let i = 0; i < FALLS; i++) {
      await panel(page).getByRole('textbox', { name: 'Steps to train' }).fill('10000');
      await press(page, 'Train');
      const falling = nextFall(page);
      await page.waitForTimeout(300 + (4000 * i) / FALLS); // at different times before and after a checkpoint
      await kill(page.workers().at(-1)!);
      falls.push(await falling);
      await expect(page.getByText(RESTARTED)).toBeVisible();
      await press(page, 'Dismiss');
      expect(await stepsTrained(page)).toBeGreaterThanOrEqual(falls[i]!.at);
    }
    const most = (of: (fall: Fall) => number): number => Math.round(Math.max(...falls.map(of)));
    const [steps, lost] = [most(({ at, from }) => at - from), most((fall) => fall.lost)];
    const words = `${FALLS} falls in ${falls.at(-1)!.at} steps: at most ${steps} taken again, ${lost} ms of training`;
    test.info().annotations.push({ type: 'falls', description: words });
    expect(lost, words).toBeLessThan(5_000);
  });

/** Fills the module's memory with sessions until there is no room for another. */
async function exhaust(worker: Worker): Promise<string> {
  return worker.evaluate((config) => {
    const scope = self as unknown as DedicatedWorkerGlobalScope & { onmessage: (event: { data: unknown }) => void };
    const say = scope.postMessage.bind(scope);
    let code = '';
    scope.postMessage = ((answer: { reply?: { ok: boolean; code?: string } }) => {
      if (answer.reply?.ok === false) code ||= answer.reply.code ?? '';
    }) as typeof scope.postMessage;
    for (let session = 1_000; !code && session < 100_000; session++)
      scope.onmessage({ data: { id: -1, session, method: 'load', args: [config] } });
    scope.postMessage = say;
    return code;
  }, SMALL);
}

/** Freeing gigabytes takes a core from its successor: 0.5 to 0.8 s on machines on which a killed one takes 0.3 to 0.5. */
test('a worker that runs out of memory is replaced in under two seconds, and nothing is lost', async ({ page }) => {
  test.slow();
  const before = await work(page, true, `workbench/${linkTo({ lesson: '', config: SMALL })}`);
  expect(await exhaust(page.workers()[0]!)).toBe('E_OOM');
  const successor = page.waitForEvent('worker');
  const took = timeUntil(page, 'There is not enough memory: use smaller sizes.');
  await benchOf(page).evaluate(({ lab }: WithLab) => void lab.configure({ hidden: 256 }));
  await successor;
  expect(await took).toBeLessThan(2000);
  await expectGoingOn(page, before);
});

test('a looping worker is replaced in under 500 ms after its deadline, and nothing is lost', async ({ page }) => {
  test.slow();
  const before = await work(page, false);
  const successor = page.waitForEvent('worker', { timeout: 15_000 });
  void page
    .workers()[0]!
    .evaluate(() => {
      for (;;);
    })
    .catch(() => undefined);
  await page.waitForTimeout(100); // the loop has begun
  await press(page, 'Undo change'); // a short call: loading a model has a longer deadline
  await successor;
  const from = Date.now();
  await expect(page.getByText(RESTARTED)).toBeVisible();
  await rested(page);
  expect(Date.now() - from).toBeLessThan(500);
  await expectGoingOn(page, before);
});
