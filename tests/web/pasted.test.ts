// Which joining lines of a pasted file are offered for which kind of model.
import { expect, test } from 'vitest';
import { joiningsFor } from '../../web/src/bench/code/pasted';

const GPT = { model: 'GPT', text: 'model = GPT()\n', takesPairs: false };
const SEQ2SEQ = { model: 'Seq2Seq', text: 'model = Seq2Seq()\n', takesPairs: true };

test('lines are offered that call the model as the chosen kind does', () => {
  const joinings = [GPT, SEQ2SEQ];
  expect(joiningsFor('program_lm', { joinings, makesModel: false })).toEqual({ joinings: [GPT], lacks: null });
  expect(joiningsFor('program_seq2seq', { joinings, makesModel: false })).toEqual({ joinings: [SEQ2SEQ], lacks: null });
});

test('a file that makes its model needs none', () => {
  expect(joiningsFor('program_lm', { joinings: [GPT], makesModel: true })).toEqual({ joinings: [], lacks: null });
});

test('where none fits, the page says which kind would, or what to write', () => {
  expect(joiningsFor('program_lm', { joinings: [SEQ2SEQ], makesModel: false }).lacks).toContain(
    'Seq2Seq reads a source',
  );
  expect(joiningsFor('program', { joinings: [GPT], makesModel: false }).lacks).toContain('language model');
  expect(joiningsFor('program_lm', { joinings: [], makesModel: false }).lacks).toContain('function forward');
});
