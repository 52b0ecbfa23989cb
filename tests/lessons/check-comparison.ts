// Runs a comparison as the page does, but shorter: every run must load, and its results must be finite numbers.
import { expect } from 'vitest';
import type { Comparison, LengthsAxis } from '../../web/src/lesson/format/comparisons';
import { perform, type Run, type Work } from '../../web/src/lesson/run';
import { type Changes, variantOf } from '../../web/src/lesson/changes';
import { linesOf, normsOf, type Part } from '../../web/src/lesson/compare/charts';
import { evaluateAll, newRunner, trainTogether, trialsOf } from '../../web/src/lesson/compare/trials';
import type { Runner, Trial } from '../../web/src/lesson/compare/trials';
import type { Tensor } from '../../web/src/lesson/facts';
import type { Config } from '../../web/src/engine/types';
import type { Opened } from './sessions';

/** Enough steps to see that training works. */
const STEPS = 2;
const PAIRS = 2;

const yes = (): boolean => true;

function expectNumbers(values: readonly number[], what: string): void {
  expect(values.length, what).toBeGreaterThan(0);
  expect(values.every(Number.isFinite), what).toBe(true);
}

export async function checkComparison(session: Opened, base: Work, compared: Comparison): Promise<void> {
  const widths = new Set<number>();
  const runs: readonly Trial[] = compared.kind === 'lengths' ? trialsOf(compared) : compared.runs;
  for (const { label, with: changes } of runs)
    if (compared.kind === 'training' || compared.kind === 'lengths') {
      const runner = await newRunner({ label }, variantOf(base.config, changes as Config), session);
      await checkTraining(runner);
      if (compared.kind === 'lengths') await checkLengths(runner, compared);
    } else {
      const run = await perform(session, base, changes as Changes);
      if (compared.kind === 'lags')
        expectNumbers((await normsOf(run, compared.of)).slice(1), `${label}: ${compared.of}`);
      else widths.add(await checkLines(run, label, compared));
    }
  expect(widths.size, 'runs have as many columns as each other').toBeLessThanOrEqual(1);
}

async function checkTraining(runner: Runner): Promise<void> {
  await trainTogether([runner], STEPS, yes);
  expect(runner.problem).toBeUndefined();
  expect(runner.curve.map(({ step }) => step)).toEqual([1, STEPS]);
  expectNumbers(
    runner.curve.flatMap(({ loss, accuracy }) => [loss, accuracy]),
    runner.label,
  );
}

async function checkLengths(runner: Runner, { lengths, over }: LengthsAxis): Promise<void> {
  for (const length of lengths) {
    const { session, label } =
      over === 'lag' ? await newRunner(runner, { ...runner.config, lag: length }, runner.session) : runner;
    const reply = await evaluateAll(session, PAIRS, over === 'lag' ? 0 : length, yes);
    if (!reply.ok) throw new Error(`${label}: ${reply.message}`);
    expect(reply.value.done, `${label}: pairs of length ${length}`).toBeGreaterThan(0);
    expectNumbers([reply.value.exactMatch], `${label} at length ${length}`);
  }
}

/** The number of columns of the lines. */
async function checkLines(run: Run, label: string, { of, slice, row }: Part): Promise<number> {
  const lines = linesOf(label, (await run.lookup([of]))(of) as Tensor, { of, slice, row });
  for (const { values } of lines) expectNumbers(values, `${label}: ${of}`);
  expect(lines.length, `${label}: rows of ${of}`).toBeGreaterThan(0);
  return lines[0]!.values.length;
}
