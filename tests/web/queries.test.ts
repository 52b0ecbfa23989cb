// Questions about the loaded model, asked of a session alone.
import { beforeEach, expect, it, vi } from 'vitest';
import { refusal, resultWith, sessionThat, storeWith } from './lab-parts';
import { JobQueue } from '../../web/src/lab/job-queue';
import { Queries } from '../../web/src/lab/queries';
import type { TaskInfo } from '../../web/src/engine/types';

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', () => 0);
  return () => vi.unstubAllGlobals();
});

function queries(answers: Parameters<typeof sessionThat>[0]) {
  const { session } = sessionThat(answers);
  const store = storeWith(session);
  return { store, ask: new Queries(store, session, new JobQueue(() => undefined)) };
}

it('a refused question has an empty answer, and is reported', async () => {
  const { store, ask } = queries({ checkGradient: () => refusal('X is no parameter.'), recipe: () => refusal('no') });
  expect(await ask.checkGradient('X', 0)).toBeNull();
  expect(store.problem?.message).toBe('X is no parameter.');
  expect(await ask.recipe('reverse', 'gru')).toEqual({});
});

it('a gradient is checked in its turn', async () => {
  const check = { analytic: 1, numeric: 1, difference: 0 };
  expect(await queries({ checkGradient: () => check }).ask.checkGradient('X', 0)).toEqual(check);
});

it('a program is checked with the sizes of the vocabularies in place of the task', () => {
  const { store, ask } = queries({});
  const task = { sourceWords: ['a', 'b'], targetWords: ['c'] } as unknown as TaskInfo;
  store.accept({ ...store.state, config: { kind: 'program_lm', task: 'stories', size: 8 } }, { ...resultWith(), task });
  expect(ask.withProgram('y = x')).toEqual({
    kind: 'program_lm',
    size: 8,
    seed: 1,
    source_vocabulary: 2,
    target_vocabulary: 1,
    vocabulary: 1,
    program: 'y = x',
  });
});
