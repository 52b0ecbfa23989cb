// Grading distinguishes answers without a value, wrong numbers and several numbers; goals; hidden cases.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Verdict } from '../../web/src/lesson/task/answer';
import { grade } from '../../web/src/lesson/task/grade';
import { solutionOf } from '../../web/src/lesson/task/solution';
import type { TaskOf } from '../../web/src/lesson/format/tasks';
import type { Config } from '../../web/src/engine/types';
import { htmlOf } from './said';
import { openWasm, type Opened } from './sessions';

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

let session: Opened;
beforeAll(async () => {
  session = await openWasm();
});
afterAll(() => session.close());

describe('an expression', () => {
  const said = async (text: string): Promise<string> => htmlOf((await grade(session, base, write, text)).said);
  it('without a value is called not a number, and gets no other answer’s explanation', async () => {
    expect(await said('0 / 0')).toMatch(/^<code>0 \/ 0<\/code> is not a number/);
    expect(await said('log(-e[0])')).toMatch(/is not a number/);
  });
  it('with several numbers is told so', async () => {
    expect(await said('e / 2')).toBe('These are three numbers.');
    expect(await said('e * 2')).toMatch(/gives several values, while the engine computes 0\.5/);
  });
  it('with one wrong number is compared with the right one', async () => {
    expect(await said('e[0]')).toBe('Here it gives 1, while the engine computes 0.5.');
  });
});

describe('a number', () => {
  const said = async (text: string): Promise<string> => htmlOf((await grade(session, base, number, text)).said);
  it('without a value is called not a number', async () => {
    expect(await said('0/0')).toMatch(/^<code>0\/0<\/code> is not a number/);
  });
  it('can have a decimal point or comma', async () => {
    expect(await said('0,5')).toBe('This is half of it.');
    expect(await said('0.5')).toBe('This is half of it.');
    expect((await grade(session, base, number, '1,0')).right).toBe(true);
    expect(await said('1/0')).toBe('∞ is too large.');
  });
});

describe('a goal', () => {
  const goal = {
    kind: 'goal',
    goal: 'e[0] > e[1]',
    change: ['e'],
    cases: [{ e: [1, 9, 1] }],
    solution: [{ 'e[0]': 20 }],
    wrong: [{ try: { e: [6, 5, 2] }, why: 'Six is enough for these scores only.' }],
    elsewhere: 'It fails elsewhere.',
  } as unknown as TaskOf<'goal'>;
  const work = { ...base, inputs: [{ name: 'e', values: [6, 5, 2], at: 0 }] };

  it('that fails only on a hidden case is explained by the learner’s work, not by the case', async () => {
    expect(htmlOf((await grade(session, base, goal, work)).said)).toBe('Six is enough for these scores only.');
  });

  it('that changes something forbidden is refused, naming it', async () => {
    expect(htmlOf((await grade(session, base, goal, { ...work, steps: 3 })).said)).toMatch(
      /^<code>steps<\/code> was changed too/,
    );
    expect(
      htmlOf((await grade(session, base, goal, { ...work, config: { ...work.config, temperature: 2 } })).said),
    ).toMatch(/^<code>temperature<\/code> was changed too/);
  });
});

describe('changes made by a step of the text', () => {
  const own = { ...base, config: { kind: 'attention', words: 3, size: 2, seed: 1 } };
  const stepChanges = [{ mask: 'causal', steps: 3 }, { X: [1, 2, 3, 4, 5, '-6'] }];
  const goal = {
    kind: 'goal',
    goal: 'sum("attention/α"[0]) ~ 1',
    change: ['W_Q'],
    cases: [],
    solution: [],
    wrong: [],
  } as unknown as TaskOf<'goal'>;
  const said = async (settings: Config, steps = 0, X?: number[]): Promise<string> => {
    const work = { ...own, steps, config: { ...own.config, ...settings } };
    const inputs = X ? [{ name: 'X', values: X, at: 0 }] : [];
    return htmlOf((await grade(session, { ...own, stepChanges }, goal, { ...work, inputs })).said);
  };

  it('are allowed', async () => {
    expect(await said({ mask: 'causal' })).toBe('It holds.');
    expect(await said({ mask: 'causal' }, 3)).toBe('It holds.');
    expect(await said({}, 0, [1, 2, 3, 4, 5, -6])).toBe('It holds.');
  });

  it('and no others', async () => {
    expect(await said({ mask: 'none' })).toMatch(/^<code>mask<\/code> was changed too/);
    expect(await said({ mask: 'causal' }, 4)).toMatch(/^<code>steps<\/code> was changed too/);
    expect(await said({ score: 'dot' })).toMatch(/^<code>score<\/code> was changed too/);
    expect(await said({}, 0, [1, 2, 3, 4, 5, 6])).toMatch(/^<code>X<\/code> was changed too/);
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
    expect(htmlOf((await graded('causal')).said)).toMatch(/^<code>score<\/code> was changed too/);
    expect(htmlOf((await graded('none')).said)).toBe('It holds.');
  });
});

describe('a model with a task', () => {
  const config = { kind: 'seq2seq', task: 'copy', length: 2, hidden: 8, embedding: 4, batch: 8, seed: 1 };
  const own = { ...base, config, pair: ['ab', 'ab'] as [string, string] };
  const goal = {
    kind: 'goal',
    goal: 'written == "c" and L < 9',
    change: ['steps'],
    cases: [],
    solution: [],
    wrong: [],
  } as unknown as TaskOf<'goal'>;

  it('reports what it writes, and which pair it should read', async () => {
    expect(htmlOf((await grade(session, own, goal, own)).said)).toMatch(
      /^<code>written == "c"<\/code> does not hold yet: <code>written<\/code> is (<code>[a-j]+<\/code>|empty)\.$/,
    );
    const verdict = await grade(session, own, goal, { ...own, pair: ['cd', ''] });
    expect(htmlOf(verdict.said)).toMatch(/^<code>pair<\/code> was changed/);
    expect(verdict.offerReset).toBe(true);
  });

  it('that lacks the tensors of the goal is told so, by a listed mistake if there is one', async () => {
    const where = { ...goal, goal: 'sum("decoder.t0.attention/α") ~ 2', change: ['attention', 'steps'] };
    const without = { ...own, config: { ...config, attention: 'none' } };
    expect(await grade(session, own, where, without)).toEqual({
      right: false,
      said: 'That cannot be checked on the model as it is now. There is no tensor "decoder.t0.attention/α" in this run. Undo your changes, or start again.',
      offerReset: true,
    });
    const listed = { ...where, wrong: [{ try: { attention: 'none' }, why: 'Then it looks nowhere.' }] };
    expect(htmlOf((await grade(session, own, listed, without)).said)).toBe('Then it looks nowhere.');
  });

  it('has solutions described in words', () => {
    const solution = [{ cell: 'lstm', hidden: 9, steps: 50, pair: ['ab', ''] as [string, string] }];
    expect(htmlOf(solutionOf({ ...goal, solution }, null as unknown as HTMLElement))).toBe(
      'Set <code>cell = lstm</code>, <code>hidden = 9</code>, train 50 steps, have it read <code>ab</code>.',
    );
  });
});
