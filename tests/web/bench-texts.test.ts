// Sentences of the bench whose grammar depends on counts and lists.
import { expect, test } from 'vitest';
import { standsOut } from '../../web/src/messages/en/bench/board';
import { onUnseenPairs, scheduleEnded, stepsAhead, whatItWrites } from '../../web/src/messages/en/bench/training';
import { headsLookedBack, previousWas } from '../../web/src/messages/en/bench/views';

test('steps and pairs are counted', () => {
  expect([1, 2000].map(scheduleEnded)).toEqual([
    'The schedule of 1 step has ended: further training restarts it.',
    'The schedule of 2,000 steps has ended: further training restarts it.',
  ]);
  expect([stepsAhead(1, false), stepsAhead(200, false), stepsAhead(1, true)]).toEqual(['step', 'steps', 'step more']);
  expect([0, 1, 20].map(whatItWrites)).toEqual([
    'What it writes before training',
    'What it writes after 1 step',
    'What it writes after 20 steps',
  ]);
});

test('pairs are described during a test and before it', () => {
  expect([null, { done: 64, pairs: 200 }, { done: 200, pairs: 200 }, { done: 1, pairs: 1 }].map(onUnseenPairs)).toEqual(
    [
      'On pairs it has not seen in training',
      'On 64 of 200 pairs it has not seen in training',
      'On 200 pairs it has not seen in training',
      'On 1 pair it has not seen in training',
    ],
  );
});

test('a sentence with a link is one message', () => {
  const link = (text: string): string => `[${text}]`;
  expect(previousWas(link, 'je').join('')).toBe('[The previous word] was je.');
  expect(headsLookedBack(link, ['je', 'vais', 'bien']).join('')).toBe(
    '[Self-attention] in the last block looked back: head 0 at je, head 1 at vais and head 2 at bien.',
  );
});

test('salient values are described for a tensor or one of its rows', () => {
  expect(standsOut('c', null, 'largest 2 at [2].').join('')).toBe('c: largest 2 at [2].');
  expect(standsOut('α', 'je', 'largest at I, 0.9').join('')).toBe('α, row je: largest at I, 0.9');
});
