// Models and parts of models that the learner writes, as the workbench offers them.
import { placeIn, ranAt } from '../editor/draft';
import { kindOf } from '../engine/kinds';
import { GROUPS, MODELS } from '#messages/workbench';
import {
  optimiserSettings,
  OWN,
  pairTasks,
  recipe,
  STORIES,
  trainingBudget,
  unset,
  withTask,
  type Choice,
  type Setting,
} from './settings';
import type { Config } from '../engine/types';

/** The texts are fetched with the first program. */
async function textOf(name: string): Promise<string> {
  const { programText } = await import('../bench/code/programs');
  return programText(name)!;
}

const training = [{ title: GROUPS.training, settings: optimiserSettings }];

/** Begins with the recipe of `task`; another task brings its own recipe, and the program stays. */
const learning = (kind: 'program_lm' | 'program_seq2seq', task: string, program: string): Omit<Choice, 'settings'> => ({
  kind,
  ...MODELS[kind],
  more: training,
  begin: async (recipes) => ({
    task,
    ...(await recipe(recipes, task, { kind })),
    program: await textOf(program),
  }),
  dependents: async (key, value, now, recipes) =>
    key === 'task' ? withTask({ task: String(value) }, now, recipes) : {},
});

export const ownFunction: Choice = {
  kind: 'program',
  ...MODELS.program,
  settings: [],
  begin: async () => ({ program: await textOf('attention') }),
};

export const ownLanguageModel: Choice = {
  ...learning('program_lm', STORIES, 'neighbours'),
  settings: [{ key: 'task', start: OWN, options: [STORIES, OWN] }, ...trainingBudget],
};

export const ownTranslator: Choice = {
  ...learning('program_seq2seq', 'reverse', 'average'),
  settings: [...pairTasks, ...trainingBudget],
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
