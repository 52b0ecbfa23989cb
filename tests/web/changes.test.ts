// How the learner's actions change the state table.
import { describe, expect, it } from 'vitest';
import {
  resetState,
  configOf,
  editOf,
  experimentOf,
  withConfig,
  withEdit,
  stepsOf,
  withInput,
  withInputs,
  withPair,
  withoutEdit,
} from '../../web/src/lab/changes';
import { readPage, type Page } from '../../web/src/lab/page';
import { emptyState } from '../../web/src/lab/link/table';

const given = (name: string, value: number, at = 0) => ({ name, values: [value], at });

const page: Page = {
  ...readPage({ lesson: 'four-words' }),
  config: { kind: 'attention', mask: 'none', X: [1, 0] },
  seed: 7,
  inputs: [given('mask', 0)],
};
const start = emptyState('four-words');

describe('configuration', () => {
  it('is the page’s own, overlaid with the learner’s changes', () => {
    const state = withConfig(page, start, { mask: 'causal' });
    expect(state.config).toEqual({ mask: 'causal' });
    expect(configOf(page, state)).toEqual({ kind: 'attention', mask: 'causal', X: [1, 0], seed: 7 });
  });

  it('drops a setting that is back at the page’s own value', () => {
    const changed = withConfig(page, start, { mask: 'causal', X: [2] });
    expect(withConfig(page, changed, { mask: 'none', X: [1, 0] }).config).toEqual({});
  });

  it('drops the old kind’s settings for another kind, and restores them on the way back', () => {
    const worked = withEdit(withInput(page, start, 'X', [3, 3]), 'attention/α', 0, 1);
    const other = withConfig(page, worked, { kind: 'softmax', scores: [1, 2], mask: 'none' });
    expect(configOf(page, other)).toEqual({ kind: 'softmax', scores: [1, 2], mask: 'none', seed: 7 });
    expect(experimentOf(page, other)).toMatchObject({ inputs: [], edits: [], steps: 0 });
    const again = withConfig(page, other, { kind: 'attention' });
    expect(configOf(page, again)).toEqual({ ...page.config, seed: 7 });
  });

  it('keeps the trained model under settings of how it writes, which change nothing that it learns', () => {
    const trained = { ...page, trained: { steps: 9, weights: '' } };
    const writing = withConfig(trained, start, { writing: 'sample', writing_top_k: 3 });
    expect(experimentOf(trained, writing)).toMatchObject({ steps: 9, config: { writing: 'sample', writing_top_k: 3 } });
    const further = withConfig(trained, { ...start, steps: 12 }, { writing: 'beam' });
    expect(experimentOf(trained, further).steps).toBe(12);
    expect(experimentOf(trained, withConfig(trained, further, { mask: 'causal' })).steps).toBe(0);
  });

  it('stores a seed only if the learner chose it', () => {
    expect(start.seed).toBeNull();
    expect(configOf(page, withConfig(page, start, { seed: 9 })).seed).toBe(9);
  });
});

describe('edits and inputs', () => {
  it('the latest change to a place wins, and can be undone', () => {
    const twice = withEdit(withEdit(start, 'X', 1, 2), 'X', 1, 3);
    expect(twice.edits).toEqual([{ name: 'X', index: 1, value: 3 }]);
    expect(withoutEdit(twice, 'X', 1).edits).toEqual([]);
    expect(withoutEdit(twice, 'X', 0).edits).toEqual(twice.edits);
  });

  it('undo takes back the latest change of the named tensor', () => {
    const some = withEdit(withEdit(withEdit(start, 'X', 1, 2), 'X', 0, 5), 'W', 4, 1);
    expect(editOf(some)).toEqual({ name: 'W', index: 4, value: 1 });
    expect(editOf(some, 'X')).toEqual({ name: 'X', index: 0, value: 5 });
    expect(editOf(some, 'X', 1)).toEqual({ name: 'X', index: 1, value: 2 });
    expect(editOf(some, 'X', 4)).toBeUndefined();
  });

  it('an input given after training does not discard one given before', () => {
    const later = withInput(page, { ...withInput(page, start, 'X', [1]), steps: 5 }, 'X', [2]);
    expect(later.inputs).toEqual([given('X', 1), given('X', 2, 5)]);
    expect(experimentOf(page, later).inputs[0]).toEqual(page.inputs[0]);
  });

  it('reset keeps the model, the seed and the position in the text', () => {
    const edited = withEdit(withConfig(page, start, { mask: 'causal', seed: 3 }), 'X', 0, 1);
    const worked = { ...edited, section: 'weights', steps: 4 };
    const reset = { ...start, section: 'weights', config: { mask: 'causal' }, seed: 3 };
    expect(resetState(page, worked)).toEqual(reset);
    const trained = { ...page, trained: { steps: 9, weights: '' } };
    expect(resetState(trained, worked), 'its trained model comes back').toEqual({ ...reset, seed: null });
  });
});

describe('inputs set as a whole', () => {
  const painted = withEdit(withInput(page, withInput(page, start, 'mask', [1]), 'X', [3]), 'mask', 0, 2);

  it('replace earlier changes to them, and nothing else', () => {
    const brought = withInputs(page, painted, { mask: [4] });
    expect(brought.inputs).toEqual([given('X', 3), given('mask', 4)]);
    expect(brought.edits).toEqual([]);
  });

  it('can be reset to the model’s own', () => {
    const { inputs, edits } = withInputs(page, painted, { mask: null });
    expect(inputs).toEqual([given('X', 3)]);
    expect(edits).toEqual([]);
    expect(withInputs(page, painted, { X: null }).edits).toEqual(painted.edits);
  });
});

describe('a task', () => {
  const taught: Page = {
    ...page,
    config: { kind: 'seq2seq', task: 'reverse' },
    pair: ['abc', 'cba'],
    trained: { steps: 300, weights: 'weights.safetensors' },
  };

  it('is trained as far as the page says, until a setting or the seed changes', () => {
    expect(stepsOf(taught, start)).toBe(300);
    expect(stepsOf(taught, { ...start, steps: 0 })).toBe(0);
    expect(stepsOf(taught, withConfig(taught, start, { hidden: 8 }))).toBe(0);
    expect(stepsOf(taught, withConfig(taught, start, { seed: 8 }))).toBe(0);
    expect(stepsOf(taught, withConfig(taught, start, { seed: 7 }))).toBe(300);
  });

  it('reads the page’s pair, or the learner’s; edits belong to the pair they were made on', () => {
    expect(experimentOf(taught, start).pair).toEqual(['abc', 'cba']);
    const read = withPair(withEdit(start, 'encoder.0.t0/h', 0, 1), ['ab', '']);
    expect(experimentOf(taught, read)).toMatchObject({ pair: ['ab', ''], edits: [] });
  });

  it('with other words keeps the settings and nothing else', () => {
    const worked = withPair({ ...withConfig(taught, start, { hidden: 8 }), steps: 9 }, ['ab', 'ba']);
    const other = withConfig(taught, worked, { task: 'copy' });
    expect(configOf(taught, other)).toEqual({ kind: 'seq2seq', task: 'copy', hidden: 8, seed: 7 });
    expect(experimentOf(taught, other)).toMatchObject({ pair: null, steps: 0 });
  });
});
