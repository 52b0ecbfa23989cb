// What the workbench offers: each model with its settings and where they start.
import { ATTENTION, recipe, TASKS, wiring } from './recipes';
import type { Config } from '../types';

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
  begin?: Config;
  /** What else changes with a setting. */
  follow?: (key: string, value: Config[string], now: Config) => Config;
}

/** The value of `task` that stands for pairs of the learner's own. */
export const OWN = 'own';

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
  begin: { task: 'reverse', ...recipe('reverse', 'gru', 'bahdanau'), score: 'additive' },
  follow(key, value, now) {
    if (key === 'task') return learning({ task: String(value) }, now);
    if (key === 'score') return EQUAL_SIZES.includes(String(value)) ? { bidirectional: false } : {};
    if (key !== 'attention') return {};
    const context: Config = now.context === undefined ? {} : { context: 'first_state' };
    return {
      ...wiring(String(now.task), String(value)),
      ...context,
      score: value === 'luong' ? 'general' : 'additive',
    };
  },
};

/** A field that is undefined is no longer in the configuration. */
const gone = (...keys: string[]): Config =>
  Object.fromEntries(keys.map((key) => [key, undefined as unknown as string]));

/** The configuration for another task, by name or by pairs: its recipe, with the model as it is chosen now. */
export function learning(what: { task: string } | { pairs: string }, now: Config): Config {
  const task = 'task' in what ? what.task : OWN;
  const { seed: _, ...kept } = now;
  return {
    ...kept,
    ...gone('task', 'pairs', 'length', 'digits'),
    ...recipe(task, String(now.cell ?? 'gru'), String(now.attention ?? 'bahdanau')),
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
  begin: { cell: 'rnn', positions: 5, size: 3, hidden: 4 },
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

export const startOf = ({ kind, settings, begin }: Choice): Config => ({
  kind,
  ...(begin ?? Object.fromEntries(settings.map(({ key, start }) => [key, start]))),
});

export const settingsOf = ({ settings, more = [] }: Choice): Setting[] => [
  ...settings,
  ...more.flatMap((group) => group.settings),
];
