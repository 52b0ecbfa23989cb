// The sentences that say what a new seed or a reset kept and dropped.
import { describe, expect, it } from 'vitest';
import { resetWords, seedWords } from '../../web/src/state/notice';
import { emptyState } from '../../web/src/state/table';
import type { State } from '../../web/src/types';

const edit = { name: 'X', index: 0, value: 1 };
const input = { name: 'X', values: [1, 2], at: 0 };
const state = (part: Partial<State>): State => ({ ...emptyState(''), seed: 7, ...part });

describe('a new seed', () => {
  it('is named, alone if there was nothing else', () => {
    expect(seedWords(state({}), state({}))).toBe('New seed 7.');
  });

  it('says what was kept and what was dropped', () => {
    const before = state({ edits: [edit, { ...edit, index: 1 }], inputs: [input], steps: 30, seed: 1 });
    expect(seedWords(before, { ...before, seed: 7, steps: 0 })).toBe(
      'New seed 7: 2 edits, 1 changed input kept, 30 training steps dropped.',
    );
    expect(seedWords(state({ steps: 1 }), state({}))).toBe('New seed 7: 1 training step dropped.');
  });
});

describe('a reset', () => {
  it('says what was dropped, or nothing', () => {
    expect(resetWords(state({}))).toBe('');
    expect(resetWords(state({ edits: [edit], steps: 2 }))).toBe('Reset: 1 edit, 2 training steps dropped.');
  });
});
