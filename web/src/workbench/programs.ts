// Models and parts of models that the learner writes, as the workbench offers them.
import { placeIn, ranAt } from '../editor/draft';
import { kindOf } from '../engine/kinds';
import { GROUPS, MODELS } from '#messages/workbench';
import {
  optimiserSettings,
  OWN,
  pairTasks,
  STORIES,
  trainingBudget,
  unset,
  type Choice,
  type Setting,
} from './settings';
import type { Config } from '../engine/types';

const training = [{ title: GROUPS.training, settings: optimiserSettings }];

export const ownFunction: Choice = {
  kind: 'program',
  ...MODELS.program,
  settings: [],
  program: 'attention',
};

export const ownLanguageModel: Choice = {
  kind: 'program_lm',
  ...MODELS.program_lm,
  settings: [{ key: 'task', start: OWN, options: [STORIES, OWN] }, ...trainingBudget],
  more: training,
  task: STORIES,
  program: 'neighbours',
};

export const ownTranslator: Choice = {
  kind: 'program_seq2seq',
  ...MODELS.program_seq2seq,
  settings: [...pairTasks, ...trainingBudget],
  more: training,
  task: 'reverse',
  program: 'average',
};

/** Which part of a model of this kind is the learner's: none, unless chosen. */
export const ownPart = (kind: string): Setting => ({
  key: 'part',
  start: 'none',
  options: ['none', ...(kindOf(kind).parts ?? [])],
});

/** The part, with the program that was run last; the first does what the lab's own does. */
export async function withPart(kind: string, part: string): Promise<Config> {
  if (part === 'none') return unset('part', 'program');
  const { partText } = await import('../bench/code/programs');
  return { part, program: ranAt(placeIn('', kind, part)) ?? (await partText(kind, part)) };
}
