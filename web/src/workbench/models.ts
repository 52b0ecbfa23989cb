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
import { GROUPS, MODELS } from '#messages/workbench';
import { ownFunction, ownLanguageModel, ownPart, ownTranslator, withPart } from './programs';
import { attentionLayer, captioner, languageModel, transformer } from './transformers';
import type { Config } from '../engine/types';

export const ATTENTION = ['none', 'bahdanau', 'luong'];
const PROJECTIONS = ['none', 'linear', 'tanh'];

const attends = ({ attention }: Config): boolean => attention !== 'none';

const bidirectional: Setting = { key: 'bidirectional', start: false };

const seq2seq: Choice = {
  kind: 'seq2seq',
  ...MODELS.seq2seq,
  settings: [
    ...pairTasks,
    { key: 'cell', start: 'gru', options: CELLS },
    { key: 'attention', start: 'bahdanau', options: ATTENTION },
    { key: 'score', start: 'additive', options: SCORES, when: attends },
    { key: 'embedding', start: 32 },
    { key: 'hidden', start: 64 },
    ownPart('seq2seq'),
    ...trainingBudget,
  ],
  more: [
    {
      title: GROUPS.model,
      settings: [
        layers,
        bidirectional,
        forgetBias,
        {
          key: 'context',
          start: 'first_state',
          options: ['first_state', 'every_step'],
          when: (config) => !attends(config),
        },
        { key: 'reverse_source', start: false, when: (config) => !attends(config) },
        { key: 'attention_size', start: 64, when: attends },
        {
          key: 'input_feeding',
          start: true,
          when: ({ attention }) => attention === 'luong',
        },
        { key: 'project_queries', start: 'none', options: PROJECTIONS, when: attends },
        { key: 'project_keys', start: 'none', options: PROJECTIONS, when: attends },
        { key: 'project_values', start: 'none', options: PROJECTIONS, when: attends },
        { key: 'window', start: 'global', options: ['global', 'local_m', 'local_p'], when: attends },
        {
          key: 'half_width',
          start: 4,
          when: (config) => attends(config) && (config.window ?? 'global') !== 'global',
        },
        { key: 'hard', start: false, when: attends },
      ],
    },
    {
      title: GROUPS.training,
      settings: [...optimiserSettings, forcing],
    },
  ],
  task: 'reverse',
  begin: { score: 'additive' },
  async dependents(key, value, now, recipes): Promise<Config> {
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
  ...MODELS.recurrent,
  settings: [
    { key: 'cell', start: 'rnn', options: CELLS },
    { key: 'positions', start: 5 },
    { key: 'size', start: 3 },
    { key: 'hidden', start: 4 },
    layers,
    ownPart('recurrent'),
  ],
  more: [
    {
      title: GROUPS.model,
      settings: [bidirectional, { key: 'attention', start: false }, forgetBias],
    },
    {
      title: GROUPS.initialisation,
      settings: [
        { key: 'input_scale', start: 1 },
        { key: 'scale', start: 1 },
        { key: 'orthogonal', start: false },
        { key: 'bias', start: true },
      ],
    },
  ],
  begin: { cell: 'rnn', positions: 5, size: 3, hidden: 4 },
};

export const CHOICES: readonly Choice[] = [
  {
    kind: 'attention',
    ...MODELS.attention,
    settings: [
      { key: 'score', start: 'scaled_dot', options: SCORES },
      { key: 'mask', start: 'none', options: ['none', 'causal'] },
      { key: 'words', start: 4 },
      { key: 'size', start: 3 },
      ownPart('attention'),
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
    ...MODELS.softmax,
    settings: [
      { key: 'scores', start: [1, 5, 2, 1, 1] },
      { key: 'temperature', start: 1 },
      { key: 'target', start: 1 },
    ],
  },
  ownFunction,
  ownLanguageModel,
  ownTranslator,
];

export async function startOf(choice: Choice, recipes: Recipes): Promise<Config> {
  const { kind, task, program, begin, settings } = choice;
  const learnt = task === undefined ? {} : { task, ...(await recipe(recipes, task, { kind })) };
  const own = begin ?? ((task ?? program) ? {} : startsOf(settings));
  return { kind, ...learnt, ...own, ...(program !== undefined && { program: await textOf(program) }) };
}

/** The texts are fetched with the first program. */
async function textOf(name: string): Promise<string> {
  const { programText } = await import('../bench/code/programs');
  return programText(name)!;
}

/** No part is written by the learner at the start. */
const startsOf = (settings: readonly Setting[]): Config =>
  Object.fromEntries(settings.filter(({ key }) => key !== 'part').map(({ key, start }) => [key, start]));

/** A setting with the changes that follow from it; none follow from a value of the wrong type. */
export async function changesOf(choice: Choice, changed: Config, now: Config, recipes: Recipes): Promise<Config> {
  const [[key, value]] = Object.entries(changed) as [[string, Config[string]]];
  const start = settingsOf(choice).find((setting) => setting.key === key)?.start;
  if (start !== undefined && typeof value !== typeof start) return changed;
  if (key === 'part') return withPart(choice.kind, String(value));
  if (key === 'task') return withTask({ task: String(value) }, now, recipes);
  return { ...changed, ...(await choice.dependents?.(key, value, now, recipes)) };
}

export const settingsOf = ({ settings, more = [] }: Choice): Setting[] => [
  ...settings,
  ...more.flatMap((group) => group.settings),
];
