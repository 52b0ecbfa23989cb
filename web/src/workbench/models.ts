// The models that the workbench offers, with their settings and initial values.
import {
  CELLS,
  EQUAL_SIZES,
  forcing,
  forgetBias,
  optimiserSettings,
  trainingBudget,
  layers,
  withTask,
  pairTasks,
  recipe,
  SCORES,
  type Choice,
  type Recipes,
  type Setting,
} from './settings';
import { attentionLayer, captioner, languageModel, transformer } from './transformers';
import type { Config } from '../engine/types';

export const ATTENTION = ['none', 'bahdanau', 'luong'];
const PROJECTIONS = ['none', 'linear', 'tanh'];

const attends = ({ attention }: Config): boolean => attention !== 'none';

const bidirectional: Setting = { key: 'bidirectional', label: 'Bidirectional', start: false };

const seq2seq: Choice = {
  kind: 'seq2seq',
  title: 'Sequence to sequence',
  about: 'An encoder reads one text, a decoder writes another. It learns a task from pairs of texts.',
  settings: [
    ...pairTasks,
    { key: 'cell', label: 'Cell', start: 'gru', options: CELLS },
    { key: 'attention', label: 'Attention', start: 'bahdanau', options: ATTENTION },
    { key: 'score', label: 'Score', start: 'additive', options: SCORES, when: attends },
    { key: 'embedding', label: 'Embedding size', start: 32 },
    { key: 'hidden', label: 'Hidden size', start: 64 },
    ...trainingBudget(),
  ],
  more: [
    {
      title: 'Model',
      settings: [
        layers,
        bidirectional,
        forgetBias,
        {
          key: 'context',
          label: 'Context goes to',
          start: 'first_state',
          options: ['first_state', 'every_step'],
          when: (config) => !attends(config),
        },
        { key: 'reverse_source', label: 'Reverse the source', start: false, when: (config) => !attends(config) },
        { key: 'attention_size', label: 'Attention size', start: 64, when: attends },
        {
          key: 'input_feeding',
          label: 'Input feeding',
          start: true,
          when: ({ attention }) => attention === 'luong',
        },
        { key: 'project_queries', label: 'Query projection', start: 'none', options: PROJECTIONS, when: attends },
        { key: 'project_keys', label: 'Key projection', start: 'none', options: PROJECTIONS, when: attends },
        { key: 'project_values', label: 'Value projection', start: 'none', options: PROJECTIONS, when: attends },
        { key: 'window', label: 'Window', start: 'global', options: ['global', 'local_m', 'local_p'], when: attends },
        {
          key: 'half_width',
          label: 'Half width',
          start: 4,
          when: (config) => attends(config) && (config.window ?? 'global') !== 'global',
        },
        { key: 'hard', label: 'Hard attention when writing', start: false, when: attends },
      ],
    },
    {
      title: 'Training',
      settings: [...optimiserSettings, forcing],
    },
  ],
  begin: async (recipes) => ({
    task: 'reverse',
    ...(await recipe(recipes, 'reverse', {})),
    score: 'additive',
  }),
  async dependents(key, value, now, recipes) {
    if (key === 'task') return withTask({ task: String(value) }, now, recipes);
    // A bidirectional encoder has states of twice the size.
    if (key === 'score') return EQUAL_SIZES.includes(String(value)) ? { bidirectional: false } : {};
    if (key !== 'attention') return {};
    const context: Config = now.context === undefined ? {} : { context: 'first_state' };
    return {
      ...(await wiring(recipes, String(now.task), String(value))),
      ...context,
      score: value === 'luong' ? 'general' : 'additive',
    };
  },
};

/** Settings that follow from how the decoder attends to the source. */
async function wiring(recipes: Recipes, task: string, attention: string): Promise<Config> {
  const settings = await recipe(recipes, task, { attention });
  const wires = ['bidirectional', 'input_feeding', 'reverse_source'];
  return { attention, ...Object.fromEntries(wires.flatMap((key) => (key in settings ? [[key, settings[key]!]] : []))) };
}

const recurrent: Choice = {
  kind: 'recurrent',
  title: 'Recurrent cell',
  about: 'One cell reads a short sequence step by step: follow every gate, and see how far back a gradient reaches.',
  settings: [
    { key: 'cell', label: 'Cell', start: 'rnn', options: CELLS },
    { key: 'positions', label: 'Positions', start: 5 },
    { key: 'size', label: 'Input size', start: 3 },
    { key: 'hidden', label: 'Hidden size', start: 4 },
    layers,
  ],
  more: [
    {
      title: 'Model',
      settings: [bidirectional, { key: 'attention', label: 'Attention', start: false }, forgetBias],
    },
    {
      title: 'Initialisation',
      settings: [
        { key: 'input_scale', label: 'Spread of X', start: 1 },
        { key: 'scale', label: 'Scale of U', start: 1 },
        { key: 'orthogonal', label: 'U orthogonal', start: false },
        { key: 'bias', label: 'Random biases', start: true },
      ],
    },
  ],
  begin: () => Promise.resolve({ cell: 'rnn', positions: 5, size: 3, hidden: 4 }),
};

export const CHOICES: readonly Choice[] = [
  {
    kind: 'attention',
    title: 'Self-attention',
    about: 'Words attend to each other: queries, keys and values of a few numbers each.',
    settings: [
      { key: 'score', label: 'Score', start: 'scaled_dot', options: SCORES },
      { key: 'mask', label: 'Mask', start: 'none', options: ['none', 'causal'] },
      { key: 'words', label: 'Words', start: 4 },
      { key: 'size', label: 'Numbers per word', start: 3 },
    ],
  },
  attentionLayer,
  seq2seq,
  transformer,
  languageModel,
  captioner,
  recurrent,
  {
    kind: 'softmax',
    title: 'Softmax',
    about: 'Scores in, weights out, and the loss of picking one of them.',
    settings: [
      { key: 'scores', label: 'Scores', start: [1, 5, 2, 1, 1] },
      { key: 'temperature', label: 'Temperature', start: 1 },
      { key: 'target', label: 'Target', start: 1 },
    ],
  },
];

export const startOf = async ({ kind, settings, begin }: Choice, recipes: Recipes): Promise<Config> => ({
  kind,
  ...(begin ? await begin(recipes) : Object.fromEntries(settings.map(({ key, start }) => [key, start]))),
});

export const settingsOf = ({ settings, more = [] }: Choice): Setting[] => [
  ...settings,
  ...more.flatMap((group) => group.settings),
];
