// The notices that say what a new seed or a reset kept and dropped.
import { describe, expect, it } from 'vitest';
import { keptWords, replacedWords, resetWords, seedWords } from '../../web/src/lab/notice';
import { emptyState } from '../../web/src/lab/link/table';
import { editsDropped, trainingAt } from '../../web/src/messages/en/lab';
import type { State } from '../../web/src/engine/types';

const edit = { name: 'X', index: 0, value: 1 };
const input = { name: 'X', values: [1, 2], at: 0 };
const state = (part: Partial<State>): State => ({ ...emptyState(''), seed: 7, ...part });

describe('a new seed', () => {
  it('is named, on its own if nothing else changed', () => {
    expect(seedWords(state({}), 0)).toBe('New seed 7.');
  });

  it('says what was kept and what was dropped', () => {
    const after = state({ edits: [edit, { ...edit, index: 1 }], inputs: [input] });
    expect(seedWords(after, 30)).toBe('New seed 7: 2 edits and 1 changed input kept, 30 training steps dropped.');
    expect(seedWords(state({}), 1)).toBe('New seed 7: 1 training step dropped.');
  });
});

describe('a reset', () => {
  it('says what was dropped, or nothing', () => {
    const after = state({});
    expect(resetWords(after, after, 0)).toBe('');
    expect(resetWords(state({ edits: [edit] }), after, 2)).toBe('Reset: 1 edit and 2 training steps dropped.');
    expect(resetWords({ ...after, seed: 71 }, { ...after, seed: null }, -500)).toBe('Reset: seed 71 dropped.');
  });
});

describe('a replaced input', () => {
  it('is named if it had been changed, cell by cell or as a whole', () => {
    const before = state({ edits: [edit], inputs: [{ ...input, name: 'mask' }] });
    expect(replacedWords(before, ['mask', 'padding'])).toBe('Your changed mask was replaced.');
    expect(replacedWords(before, ['X', 'mask'])).toBe('Your changed X and mask were replaced.');
    expect(replacedWords(before, ['source'])).toBe('');
  });
});

describe('dropped work', () => {
  it('names edits of tensors that the new model lacks', () => {
    expect(editsDropped(1)).toBe('An edit was dropped: this model does not have that tensor.');
    expect(editsDropped(3)).toBe('3 edits were dropped: this model does not have those tensors.');
  });

  it.each([
    [0.2, 'a minute ago'],
    [5, '5 minutes ago'],
    [60 * 3, '3 hours ago'],
    [60 * 24 * 4, '4 days ago'],
  ])('training of %d minutes before: %s', (minutes, words) => {
    expect(keptWords(412, Date.now() - minutes * 60_000)).toBe(`You trained a model here for 412 steps, ${words}.`);
  });

  it.each([
    [0.4, '.'],
    [1.4, ': the rest will take about 1 second on this device.'],
    [89, ': the rest will take about 89 seconds on this device.'],
    [420, ': the rest will take about 7 minutes on this device.'],
  ])('training that was stopped %d seconds before its end', (seconds, rest) => {
    expect(trainingAt(412, 100_000, seconds)).toBe(`Training is at step 412 of 100,000${rest}`);
  });
});
