// Sentences of the figures whose grammar depends on what they tell.
import { expect, it } from 'vitest';
import { agreement } from '../../web/src/messages/en/figures/alignment';
import { tree } from '../../web/src/messages/en/figures/beam';
import { box } from '../../web/src/messages/en/figures/blocks';
import { layer } from '../../web/src/messages/en/figures/dataflow';
import { attendsInAll, attendsMost } from '../../web/src/messages/en/figures/heads';
import { gradientNorms, reads } from '../../web/src/messages/en/figures/unrolled';

it('a verb agrees with its count', () => {
  expect(agreement(1, 2)).toBe('1 of 2 words attend most to a true link.');
  expect(agreement(0, 1)).toBe('0 of 1 word attends most to a true link.');
  const boxOf = (operations: number, run: number): string => box({ title: 'norm', parameters: 1, operations, run });
  expect(boxOf(12, 4)).toBe('norm: 1 parameter; 12 operations, 4 of which have run');
  expect(boxOf(12, 1)).toBe('norm: 1 parameter; 12 operations, 1 of which has run');
  expect(boxOf(12, 0)).toBe('norm: 1 parameter; 12 operations, none of which have run');
  expect(boxOf(1, 1)).toBe('norm: 1 parameter; 1 operation, which has run');
  expect(tree(1, 0, [{ words: 'je', logP: '−1' }])).toBe(
    'A tree of 1 prefix, 0 of them dropped. Hypotheses, best first: je, log p −1.',
  );
});
it('a list ends with "and" where nothing is left out', () => {
  expect(attendsInAll('it', 'animal', ['0.1', '0.2', '0.3'])).toBe(
    'it attends to animal with weights 0.1, 0.2 and 0.3 in heads 0 to 2',
  );
  const rest = [
    { words: ['c', 'h'], isOwn: false },
    { words: ['e'], isOwn: true },
  ];
  expect(reads('<bos>', rest)).toBe('It reads <bos>, then the teacher’s c and h, then its own e.');
  expect(reads('<bos>', [])).toBe('It reads <bos>.');
  expect(gradientNorms('encoder', ['I 0.2', 'am 0.3'])).toBe('Gradient norms, encoder: I 0.2 and am 0.3.');
  expect(gradientNorms('encoder', [])).toBe('Gradient norms, encoder: not reached yet.');
});
it('a sentence ends once', () => {
  expect(layer(['q: Largest 2 at [0, 1].', 'k: not reached yet'])).toBe(
    '2 tensors. q: Largest 2 at [0, 1]. k: not reached yet.',
  );
});
it('a row without weights attends to nothing', () => {
  expect(attendsMost('it', { column: 'animal', weight: '0.62', entropy: '1' })).toBe(
    'it attends most to animal, 0.62, entropy 1 bit',
  );
  expect(attendsMost('it', undefined)).toBe('it attends to nothing');
});
