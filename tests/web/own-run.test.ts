// A goal about the tensors of the learner's own run is graded on that run, without replaying it in a hidden session.
import { expect, test } from 'vitest';
import { grade, ownRun } from '../../web/src/lesson/task/grade';
import { openWasm } from '../lessons/sessions';
import { runOf } from './views-engine';
import type { Lab } from '../../web/src/lab/lab';
import type { SessionLike } from '../../web/src/lesson/run';
import type { TaskOf } from '../../web/src/lesson/format/tasks';

const config = { kind: 'attention', seed: 7 };
const work = { config, inputs: [], pair: null, steps: 0, edits: [] };
const goal = (text: string): TaskOf<'goal'> =>
  ({ kind: 'goal', goal: text, change: ['X'], cases: [], solution: [], wrong: [] }) as unknown as TaskOf<'goal'>;

/** The learner's lab after a run. */
async function labOf(part: Partial<Lab> = {}): Promise<Lab> {
  const { trace, values } = await runOf(config);
  const engine = { values: async (id: number) => ({ ok: true, value: values.get(id)! }) as const };
  return { info: {}, trace, run: { loss: 1 }, busy: null, engine, ...part } as unknown as Lab;
}

const language = await openWasm();

/** A hidden session that refuses everything, and counts how often a model is loaded. */
function counted() {
  let loads = 0;
  const refused = { ok: false, code: 'E_CONFIG', message: 'loaded', detail: '' } as const;
  const load = async () => (++loads, refused);
  const { calculate } = language;
  return { session: { load, calculate } as unknown as SessionLike, loads: () => loads };
}

test('the goal is graded right or wrong without a replay', async () => {
  const lab = await labOf();
  const { session, loads } = counted();
  for (const [text, right] of [
    ['abs(sum(trace["attention/α"][0]) - 1) < 0.001', true],
    ['abs(sum(trace["attention/α"][0]) - 2) < 0.001', false],
  ] as const) {
    const verdict = await grade(session, work, goal(text), { ...work, run: ownRun(lab, [text]) });
    expect(verdict.right).toBe(right);
  }
  expect(loads()).toBe(0);
});

test('a goal about more than its tensors, or checked while the model works, is replayed once', async () => {
  for (const [lab, text] of [
    [await labOf(), 'exact_match > 0.5'],
    [await labOf({ busy: 'train' }), 'abs(sum(trace["attention/α"][0]) - 1) < 0.001'],
  ] as const) {
    const { session, loads } = counted();
    const run = ownRun(lab, [text]);
    expect(run).toBeUndefined();
    await expect(grade(session, work, goal(text), { ...work, run })).rejects.toThrow('loaded');
    expect(loads()).toBe(1);
  }
});
