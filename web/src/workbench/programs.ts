// Models that the learner writes, as the workbench offers them.
import { GROUPS, MODELS } from '#messages/workbench';
import average from '../../../lessons/programs/average.py?raw';
import attention from '../../../lessons/programs/attention.py?raw';
import neighbours from '../../../lessons/programs/neighbours.py?raw';
import { optimiserSettings, OWN, pairTasks, recipe, STORIES, trainingBudget, withTask, type Choice } from './settings';

const training = [{ title: GROUPS.training, settings: optimiserSettings }];

/** Begins with the recipe of `task`; another task brings its own recipe, and the program stays. */
const learning = (kind: 'program_lm' | 'program_seq2seq', task: string, program: string): Omit<Choice, 'settings'> => ({
  kind,
  ...MODELS[kind],
  more: training,
  begin: async (recipes) => ({ task, ...(await recipe(recipes, task, { kind })), program }),
  dependents: async (key, value, now, recipes) =>
    key === 'task' ? withTask({ task: String(value) }, now, recipes) : {},
});

export const ownFunction: Choice = {
  kind: 'program',
  ...MODELS.program,
  settings: [],
  begin: () => Promise.resolve({ program: attention }),
};

export const ownLanguageModel: Choice = {
  ...learning('program_lm', STORIES, neighbours),
  settings: [{ key: 'task', start: OWN, options: [STORIES, OWN] }, ...trainingBudget],
};

export const ownTranslator: Choice = {
  ...learning('program_seq2seq', 'reverse', average),
  settings: [...pairTasks, ...trainingBudget],
};
