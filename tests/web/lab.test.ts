// What the learner does with a lab: each action makes a new state of the one before, and can be undone.
import { beforeEach, expect, it, vi } from 'vitest';
import { refusal, RUN, sessionThat, traceWith } from './lab-parts';
import { UNDO } from '../../web/src/messages/en/lab';
import { Lab } from '../../web/src/lab/lab';
import { readPage } from '../../web/src/lab/page';
import type { Workers } from '../../web/src/engine/workers';

/** The workers of hidden sessions, which get no model. */
const WORKERS = { of: () => ({ call: async () => refusal('none', 'E_WORKER'), close: () => undefined }) };

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw));
  vi.stubGlobal('window', globalThis);
  return () => vi.unstubAllGlobals();
});

/** A lab beside the page's main one, with its model loaded. */
async function lab(answers: Parameters<typeof sessionThat>[0] = {}) {
  const values = () => Float32Array.of(1, 2);
  const { session, calls } = sessionThat({ values, ...answers });
  const lab = new Lab(readPage({ lesson: 'here' }), false, WORKERS as unknown as Workers, session);
  await lab.start();
  calls.length = 0;
  return { lab, calls, methods: () => calls.map(([method]) => method) };
}

it('the latest edit is undone first, until there is none', async () => {
  const { lab: bench, methods } = await lab();
  await bench.edit('X', 0, 2);
  await bench.edit('X', 1, 3);
  expect(await bench.undoEdit()).toBe(true);
  expect(bench.state.edits).toEqual([{ name: 'X', index: 0, value: 2 }]);
  expect(await bench.undoEdit('X')).toBe(true);
  expect(await bench.undoEdit()).toBe(false);
  expect(methods().filter((method) => method !== 'trace')).toEqual(['edit', 'edit', 'undoEdit', 'undoEdit']);
});

it('a reset says what it dropped, and brings it back', async () => {
  const { lab: bench } = await lab();
  await bench.edit('X', 0, 2);
  await bench.reset();
  expect(bench.state.edits).toEqual([]);
  expect(bench.notice?.action?.label).toBe(UNDO);
  bench.notice!.action!.run();
  await bench.settled();
  expect(bench.state.edits).toEqual([{ name: 'X', index: 0, value: 2 }]);
});

it('a function of an input takes the values in force once earlier changes are made', async () => {
  const { lab: bench } = await lab();
  void bench.setInput('X', [3, 4]);
  await bench.setInput('X', (now) => now.map((value) => 2 * value));
  expect(bench.state.inputs).toEqual([{ name: 'X', values: [6, 8], at: 0 }]);
  await bench.setInput('X', Promise.resolve([5, 6]));
  expect(bench.state.inputs[0]!.values).toEqual([5, 6]);
});

it('the cursor stays where the learner moves it while a change is made', async () => {
  const { lab: bench } = await lab({ trace: () => traceWith('Y', 'Z') });
  const edited = bench.edit('X', 0, 2);
  bench.focus({ at: 'Z' });
  await edited;
  expect(bench.cursor.node).toBe(2);
});

it('training first runs the program that was typed, and is not begun if that is refused', async () => {
  const load = vi.fn((config: object) => ('program' in config ? refusal('line 1: no colon.') : { inputs: [] }));
  const { lab: bench, methods } = await lab({ load, run: () => ({ ...RUN }) });
  bench.written = 'def f(x)';
  expect(await bench.train(() => 5)).toBe(false);
  expect(bench.problem?.message).toBe('line 1: no colon.');
  expect(bench.written).toBe('def f(x)');
  expect(methods()).not.toContain('train');
  bench.written = null;
  expect(await bench.train(() => 5)).toBe(true);
});
