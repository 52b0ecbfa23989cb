// Grading distinguishes answers without a value, wrong numbers and several numbers; goals; hidden cases; the learner's
// own run.
import { afterAll, describe, expect, it } from 'vitest';
import type { Verdict } from '../../web/src/lesson/task/answer';
import { grade, rightOption, ownRun } from '../../web/src/lesson/task/grade';
import { listedSolution } from '../../web/src/lesson/task/feedback';
import type { Changes } from '../../web/src/lesson/changes';
import type { TaskOf } from '../../web/src/lesson/format/tasks';
import type { Config } from '../../web/src/engine/types';
import { htmlOf } from './html-of';
import { openWasm } from './sessions';
import { runOf } from '../web/views-engine';
import type { Lab } from '../../web/src/lab/lab';
import type { SessionLike, Work } from '../../web/src/lesson/run';

const base = { config: { kind: 'softmax', scores: [1, 5, 2], seed: 1 }, inputs: [], pair: null, steps: 0, edits: [] };
const write = {
  kind: 'write',
  answer: 'e[0] / 2',
  using: ['e'],
  cases: [{ e: [3, 1, 1] }],
  solution: ['e[0] / 2'],
  wrong: [{ try: 'e / 2', why: 'These are three numbers.' }],
} as unknown as TaskOf<'write'>;
const number = {
  kind: 'number',
  answer: 'e[0]',
  tolerance: 0,
  solution: [1],
  wrong: [{ try: 0.5, why: 'This is half of it.' }],
} as unknown as TaskOf<'number'>;

/** A goal, with whatever of it matters. */
const goalOf = (part: object): TaskOf<'goal'> =>
  ({ kind: 'goal', cases: [], solution: [], wrong: [], ...part }) as unknown as TaskOf<'goal'>;

const session = await openWasm();
afterAll(() => session.close());

describe('an expression', () => {
  const message = async (text: string): Promise<string> => htmlOf((await grade(session, base, write, text)).message);
  it('without a value is called not a number, and gets no other answer’s explanation', async () => {
    expect(await message('log(-e[0])')).toMatch(/^<code>log\(-e\[0\]\)<\/code> is not a number/);
    await expect(message('0 / 0')).rejects.toThrow(/^At character 3: /);
  });
  it('with several numbers gets a sentence that says so', async () => {
    expect(await message('e / 2')).toBe('These are three numbers.');
    expect(await message('e * 2')).toMatch(/gives several values, while the engine computes 0\.5/);
  });
  it('with one wrong number is compared with the right one', async () => {
    expect(await message('e[0]')).toBe('Here it gives 1, while the engine computes 0.5.');
  });
});

it('an expression is refused if it uses a function that is not allowed, and would give the answer at once', async () => {
  const weight = { ...write, answer: 'α[0]', functions: ['exp', 'sum'], cases: [] };
  await expect(grade(session, base, weight, 'softmax(e, dim=-1)[0]')).rejects.toThrow(
    'At character 1: "softmax" may not be used here; use exp or sum.',
  );
  expect((await grade(session, base, weight, 'exp(e[0]) / sum(exp(e))')).right).toBe(true);
});

describe('a choice', () => {
  const choice = {
    kind: 'choose',
    given: {},
    options: [
      { text: 'The first', when: 'argmax(α) == 0', why: 'It would need the largest score.' },
      { text: 'The second', when: 'argmax(α) == 1', why: 'It has the largest score.' },
    ],
  } as unknown as TaskOf<'choose'>;
  it('that is wrong says what it would be right for, and not which is right', async () => {
    const { right, message } = await grade(session, base, choice, [0]);
    expect([right, htmlOf(message)]).toEqual([false, 'It would need the largest score.']);
  });
  it('has one right answer, which can be shown', async () => expect(await rightOption(session, base, choice)).toBe(1));
});

describe('a number', () => {
  const message = async (text: string): Promise<string> => htmlOf((await grade(session, base, number, text)).message);
  it('without a value is called not a number', async () => {
    await expect(message('0/0')).rejects.toThrow('"0/0" is not a number; write one like 0.25 or 10 / sqrt(3).');
    expect(await message('log(−1)')).toMatch(/^<code>log\(−1\)<\/code> is not a number/);
  });
  it('can have a decimal point or comma', async () => {
    expect(await message('0,5')).toBe('This is half of it.');
    expect(await message('0.5')).toBe('This is half of it.');
    expect((await grade(session, base, number, '1,0')).right).toBe(true);
    expect(await message('∞')).toBe('∞ is too large.');
    expect((await grade(session, base, number, '2 − 10 · 0.1')).right).toBe(true);
  });
});

describe('a goal', () => {
  const goal = goalOf({
    goal: 'e[0] > e[1]',
    change: ['e'],
    cases: [{ e: [1, 9, 1] }],
    solution: [{ 'e[0]': 20 }],
    wrong: [{ try: { e: [6, 5, 2] }, why: 'Six is enough for these scores only.' }],
    elsewhere: 'It fails elsewhere.',
  });
  const named = { ...goal, cases: [], wrong: [] };
  const work = { ...base, inputs: [{ name: 'e', values: [6, 5, 2], at: 0 }] };

  it('that fails only on a hidden case is explained by the learner’s work, not by the case', async () => {
    expect(htmlOf((await grade(session, base, goal, work)).message)).toBe('Six is enough for these scores only.');
  });

  it('that is not reached is explained in words, with the numbers', async () => {
    const [unchanged, labels] = [{ ...base, inputs: [] }, { α: { columns: ['red', 'green', 'blue'] } }];
    const sentence = async (goal: string | string[], unmet?: string[]): Promise<string> =>
      htmlOf((await grade(session, base, { ...named, goal, unmet }, unchanged, labels)).message);
    for (const [goal, words] of [
      ['e[0] > e[1]', /^Item 0 of <code>e<\/code> should be above 5, and is 1\.$/],
      ['α[2] > 0.9', /^Item blue of <code>α<\/code> should be above 0.9, and is 0.0466/],
      ['max(abs(e)) < 2', /^The largest size of a value of <code>e<\/code> should be below 2, and is 5\.$/],
      ['e == 2', /^Every value of <code>e<\/code> should be 2\.$/],
      ['abs(α[2] - 0.5) < 0.001', /^Item blue of <code>α<\/code> should be about 0.5, and is/],
      ['max(abs(e - 0.5)) < 0.001', /^Every value of <code>e<\/code> should be about 0.5\.$/],
      ['max(abs(e.grad)) > 2', /^The largest size of a value of <code>∂e<\/code> should be/],
      ['abs(sum(square(trace["softmax/exp"])) - 7) < 0.001', /^The goal is not reached yet\.$/],
    ] as const)
      expect(await sentence(goal)).toMatch(words);
    expect(await sentence(['e[1] == 5', 'sum(e * 0 + 1) == 4'], ['', '{now} scores are there, not {wanted}.'])).toBe(
      '3 scores are there, not 4.',
    );
  });

  it('that changes something forbidden is refused, naming it', async () => {
    const message = async (answer: Work): Promise<string> => htmlOf((await grade(session, base, goal, answer)).message);
    expect(await message({ ...work, steps: 3 })).toMatch(/^<code>steps<\/code> was changed too/);
    const config = { ...work.config, temperature: 2 };
    expect(await message({ ...work, config })).toMatch(/^<code>temperature<\/code> was changed too/);
  });
});

describe('changes made by a step of the text', () => {
  const own = { ...base, config: { kind: 'attention', words: 3, size: 2, seed: 1 } };
  const stepChanges: Changes[] = [{ mask: 'causal', steps: 3 }, { X: [1, 2, 3, 4, 5, '-6'] }];
  const goal = goalOf({ goal: 'abs(sum(trace["attention/α"][0]) - 1) < 0.001', change: ['W_Q'] });
  const message = async (settings: Config, steps = 0, X?: number[]): Promise<string> => {
    const work = { ...own, steps, config: { ...own.config, ...settings } };
    const inputs = X ? [{ name: 'X', values: X, at: 0 }] : [];
    return htmlOf((await grade(session, { ...own, stepChanges }, goal, { ...work, inputs })).message);
  };

  it('are allowed', async () => {
    expect(await message({ mask: 'causal' })).toBe('It holds.');
    expect(await message({ mask: 'causal' }, 3)).toBe('It holds.');
    expect(await message({}, 0, [1, 2, 3, 4, 5, -6])).toBe('It holds.');
  });

  it('and no others', async () => {
    expect(await message({ mask: 'none' })).toMatch(/^<code>mask<\/code> was changed too/);
    expect(await message({ mask: 'causal' }, 4)).toMatch(/^<code>steps<\/code> was changed too/);
    expect(await message({ score: 'dot' })).toMatch(/^<code>score<\/code> was changed too/);
    expect(await message({}, 0, [1, 2, 3, 4, 5, 6])).toMatch(/^<code>X<\/code> was changed too/);
  });

  it('are not allowed if they are the answer', async () => {
    const asked = { ...goal, change: ['mask'] };
    const dotted = { ...own, config: { ...own.config, score: 'dot' } };
    const steps = [{ mask: 'causal', score: 'scaled_dot' }];
    const graded = (mask: string): Promise<Verdict> =>
      grade(session, { ...dotted, stepChanges: steps }, asked, {
        ...own,
        config: { ...own.config, score: 'scaled_dot', mask },
      });
    expect(htmlOf((await graded('causal')).message)).toMatch(/^<code>score<\/code> was changed too/);
    expect(htmlOf((await graded('none')).message)).toBe('It holds.');
  });
});

it('a mask that the learner is to set does not count if a button sets it as a whole', async () => {
  const own = { ...base, config: { kind: 'attention', words: 2, size: 2, seed: 1, mask: 'none' } };
  const goal = goalOf({ goal: 'α[0,1] == 0', change: ['mask'], by_cell: true });
  const pressed = { ...own, config: { ...own.config, mask: 'causal' } };
  const { right, message } = await grade(session, own, goal, pressed);
  const reason = 'A button set all of <code>mask</code> at once. Start again, and change its cells yourself.';
  expect([right, htmlOf(message)]).toEqual([false, reason]);
  const edits = [{ name: 'mask', index: 1, value: -Infinity }];
  expect((await grade(session, own, goal, { ...own, edits })).right).toBe(true);
});

describe('a model with a task', () => {
  const config = { kind: 'seq2seq', task: 'copy', length: 2, hidden: 8, embedding: 4, batch: 8, seed: 1 };
  const own = { ...base, config, pair: ['ab', 'ab'] as [string, string] };
  const goal = goalOf({ goal: ['written == "c"', 'L < 9'], change: ['steps'] });

  it('reports what it writes, and which pair it should read', async () => {
    expect(htmlOf((await grade(session, own, goal, own)).message)).toMatch(
      /^The model should write <code>c<\/code>, and writes (<code>[a-j]+<\/code>|nothing)\.$/,
    );
    const verdict = await grade(session, own, goal, { ...own, pair: ['cd', ''] });
    expect(htmlOf(verdict.message)).toMatch(/^<code>pair<\/code> was changed/);
    expect(verdict.offerReset).toBe(true);
  });

  it('may have its target cleared, to see what it writes, and is judged with its own', async () => {
    const first = { ...goal, goal: ['target_out[0,0] == 5', 'L < 0'], change: ['out.bias'] };
    const { message } = await grade(session, own, first, { ...own, pair: ['ab', ''] });
    expect(htmlOf(message)).not.toMatch(/was changed too/);
    const withOwn = await grade(session, own, first, own);
    expect(htmlOf(message)).toBe(htmlOf(withOwn.message));
  });

  it('that lacks the tensors of the goal gets a sentence that says so, from a listed mistake if there is one', async () => {
    const where = {
      ...goal,
      goal: 'abs(sum(trace["decoder.t0.attention/α"]) - 2) < 0.001',
      change: ['attention', 'steps'],
    };
    const without = { ...own, config: { ...config, attention: 'none' } };
    expect(await grade(session, own, where, without)).toEqual({
      right: false,
      message: 'The model as it is now lacks what this exercise asks about. Undo your changes, or start again.',
      offerReset: true,
    });
    const listed = { ...where, wrong: [{ try: { attention: 'none' }, why: 'Then it looks nowhere.' }] };
    expect(htmlOf((await grade(session, own, listed, without)).message)).toBe('Then it looks nowhere.');
  });

  it('has solutions described in words', () => {
    const solution = [{ cell: 'lstm', hidden: 9, steps: 50, pair: ['ab', ''] as [string, string] }];
    expect(htmlOf(listedSolution({ ...goal, solution }, null as unknown as HTMLElement))).toBe(
      'Set <code>cell = lstm</code>, <code>hidden = 9</code>, train 50 steps, have it read <code>ab</code>.',
    );
  });
});

// A goal about the tensors of the learner's own run is graded on that run, without replaying it in a hidden session.

const work = { ...base, config: { kind: 'attention', seed: 7 } };
const goal = (text: string): TaskOf<'goal'> => goalOf({ goal: text, change: ['X'] });

/** The learner's lab after a run. */
async function labOf(part: Partial<Lab> = {}): Promise<Lab> {
  const { trace, values } = await runOf(work.config);
  const engine = { values: async (id: number) => ({ ok: true, value: values.get(id)! }) as const };
  return { info: {}, trace, run: { loss: 1 }, busy: null, engine, ...part } as unknown as Lab;
}

/** A hidden session that refuses everything, and counts how often a model is loaded. */
function counted() {
  let loads = 0;
  const refused = { ok: false, code: 'E_CONFIG', message: 'loaded', detail: '' } as const;
  const load = async () => (++loads, refused);
  const { calculate } = session;
  return { session: { load, calculate } as unknown as SessionLike, loads: () => loads };
}

it('the goal is graded right or wrong without a replay', async () => {
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

it('a goal about more than its tensors, or checked while the model works, is replayed once', async () => {
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
