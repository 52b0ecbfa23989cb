// What the workbench offers: each model with its settings and where they start.
import type { Config } from '../types';

/** The engine's settings that learn a task with a model of its own names; none where it did not answer. */
export type Recipes = (task: string, model: string) => Promise<Config>;

export interface Setting {
  key: string;
  label: string;
  /** What the engine takes where the configuration says nothing; true and false are a box to tick. */
  start: Config[string];
  /** A closed list of values; without it the value is typed. */
  options?: readonly string[];
  /** False where it would change nothing, or be refused. */
  when?: (config: Config) => boolean;
}

export interface Group {
  title: string;
  settings: readonly Setting[];
}

export interface Choice {
  kind: string;
  title: string;
  about: string;
  settings: readonly Setting[];
  /** Behind "More settings". */
  more?: readonly Group[];
  /** The configuration it starts with; all settings if it is not given. */
  begin?: (recipes: Recipes) => Promise<Config>;
  /** What else changes with a setting. */
  follow?: (key: string, value: Config[string], now: Config, recipes: Recipes) => Promise<Config>;
}

/** The value of `task` that stands for pairs of the learner's own. */
export const OWN = 'own';

export const TASKS = ['reverse', 'copy', 'sort', 'addition', 'dates', 'translate-en-fr'];
export const ATTENTION = ['none', 'bahdanau', 'luong'];
const CELLS = ['rnn', 'rnn_relu', 'gru', 'gru_reset_before', 'lstm'];
const SCORES = [
  'scaled_dot',
  'dot',
  'cosine',
  'content',
  'general',
  'biased_general',
  'additive',
  'concat',
  'linear',
  'location',
];
/** Of these, query and key must have equally many numbers: an encoder of both directions has twice as many. */
const EQUAL_SIZES = ['scaled_dot', 'dot', 'cosine', 'content'];
const PROJECTIONS = ['none', 'linear', 'tanh'];

const attends = ({ attention }: Config): boolean => attention !== 'none';
const isLstm = ({ cell }: Config): boolean => cell === 'lstm';
const hasWords = ({ task }: Config): boolean => ['reverse', 'copy', 'sort'].includes(String(task));

const layers: Setting = { key: 'layers', label: 'Layers', start: 1 };
const bidirectional: Setting = { key: 'bidirectional', label: 'Both directions', start: false };
const forgetBias: Setting = { key: 'forget_bias', label: 'Forget bias', start: 0, when: isLstm };

const seq2seq: Choice = {
  kind: 'seq2seq',
  title: 'Sequence to sequence',
  about: 'An encoder reads a text, a decoder writes another. It learns a task from pairs of texts.',
  settings: [
    { key: 'task', label: 'Task', start: OWN, options: [...TASKS, OWN] },
    { key: 'length', label: 'Longest word', start: 10, when: hasWords },
    { key: 'digits', label: 'Digits', start: 2, when: ({ task }) => task === 'addition' },
    { key: 'cell', label: 'Cell', start: 'gru', options: CELLS },
    { key: 'attention', label: 'Attention', start: 'bahdanau', options: ATTENTION },
    { key: 'score', label: 'Score', start: 'additive', options: SCORES, when: attends },
    { key: 'embedding', label: 'Embedding size', start: 32 },
    { key: 'hidden', label: 'Hidden size', start: 64 },
    { key: 'learning_rate', label: 'Learning rate', start: 0.1 },
    { key: 'batch', label: 'Pairs a step', start: 64 },
    { key: 'steps', label: 'Training steps', start: 1000 },
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
        { key: 'reverse_source', label: 'Read backwards', start: false, when: (config) => !attends(config) },
        { key: 'attention_size', label: 'Attention size', start: 64, when: attends },
        {
          key: 'input_feeding',
          label: 'Input feeding',
          start: true,
          when: ({ attention }) => attention === 'luong',
        },
        { key: 'project_queries', label: 'Queries through', start: 'none', options: PROJECTIONS, when: attends },
        { key: 'project_keys', label: 'Keys through', start: 'none', options: PROJECTIONS, when: attends },
        { key: 'project_values', label: 'Values through', start: 'none', options: PROJECTIONS, when: attends },
        { key: 'window', label: 'Window', start: 'global', options: ['global', 'local_m', 'local_p'], when: attends },
        {
          key: 'half_width',
          label: 'Half width',
          start: 4,
          when: (config) => attends(config) && (config.window ?? 'global') !== 'global',
        },
        { key: 'hard', label: 'Writes by argmax', start: false, when: attends },
      ],
    },
    {
      title: 'Training',
      settings: [
        {
          key: 'optimiser',
          label: 'Optimiser',
          start: 'sgd',
          options: ['sgd', 'momentum', 'nesterov', 'adam', 'adamw', 'rmsprop', 'adagrad'],
        },
        {
          key: 'schedule',
          label: 'Schedule',
          start: 'constant',
          options: ['constant', 'linear', 'cosine', 'noam'],
        },
        { key: 'warmup', label: 'Warm-up steps', start: 0 },
        { key: 'clip_norm', label: 'Clip norm at', start: 1 },
        { key: 'forcing', label: 'Teacher forcing', start: 1 },
      ],
    },
  ],
  begin: async (recipes) => ({
    task: 'reverse',
    ...(await recipe(recipes, 'reverse', 'gru', 'bahdanau')),
    score: 'additive',
  }),
  async follow(key, value, now, recipes) {
    if (key === 'task') return learning({ task: String(value) }, now, recipes);
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

/** What the engine calls a model that attends so. */
const MODELS: Record<string, string> = { none: 'gru', bahdanau: 'gru-attention', luong: 'gru-luong' };

/** Settings that learn the task; those of reverse for a task of the learner's own. */
async function recipe(recipes: Recipes, task: string, cell: string, attention: string): Promise<Config> {
  const { kind: _, task: __, ...settings } = await recipes(TASKS.includes(task) ? task : 'reverse', MODELS[attention]!);
  return { ...settings, cell };
}

/** What follows from how the decoder looks at the source. */
async function wiring(recipes: Recipes, task: string, attention: string): Promise<Config> {
  const settings = await recipe(recipes, task, 'gru', attention);
  const wires = ['bidirectional', 'input_feeding', 'reverse_source'];
  return { attention, ...Object.fromEntries(wires.flatMap((key) => (key in settings ? [[key, settings[key]!]] : []))) };
}

/** A field that is undefined is no longer in the configuration. */
const gone = (...keys: string[]): Config =>
  Object.fromEntries(keys.map((key) => [key, undefined as unknown as string]));

/** The configuration for another task, by name or by pairs: its recipe, with the model as it is chosen now. */
export async function learning(
  what: { task: string } | { pairs: string },
  now: Config,
  recipes: Recipes,
): Promise<Config> {
  const task = 'task' in what ? what.task : OWN;
  const { seed: _, ...kept } = now;
  return {
    ...kept,
    ...gone('task', 'pairs', 'length', 'digits'),
    ...(await recipe(recipes, task, String(now.cell ?? 'gru'), String(now.attention ?? 'bahdanau'))),
    ...what,
  };
}

const recurrent: Choice = {
  kind: 'recurrent',
  title: 'Recurrent cell',
  about: 'One cell reads a short sequence, number by number: every gate to follow, and how far a gradient gets back.',
  settings: [
    { key: 'cell', label: 'Cell', start: 'rnn', options: CELLS },
    { key: 'positions', label: 'Positions', start: 5 },
    { key: 'size', label: 'Numbers a position', start: 3 },
    { key: 'hidden', label: 'Hidden size', start: 4 },
    layers,
  ],
  more: [
    {
      title: 'Model',
      settings: [bidirectional, { key: 'attention', label: 'Looks back', start: false }, forgetBias],
    },
    {
      title: 'Where it starts',
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
    about: 'Words look at each other: queries, keys and values of a few numbers each.',
    settings: [
      { key: 'score', label: 'Score', start: 'scaled_dot', options: SCORES },
      { key: 'mask', label: 'Mask', start: 'none', options: ['none', 'causal'] },
      { key: 'words', label: 'Words', start: 4 },
      { key: 'size', label: 'Numbers a word', start: 3 },
    ],
  },
  seq2seq,
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
