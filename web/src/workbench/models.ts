// The models that the workbench offers, with their settings and initial values.
import { CAPTIONS, OWN, recipe, STORIES, TASKS, withPart, withTask } from './settings';
import type { Choice, Group, Recipes, Setting } from './settings';
import { kindOf, type Kind } from '../engine/kinds';
import { GROUPS, MODELS } from '#messages/workbench';
import type { Config } from '../engine/types';

export const ATTENTION = ['none', 'bahdanau', 'luong'];
const PROJECTIONS = ['none', 'linear', 'tanh', 'sigmoid', 'relu'];

const CELLS = ['rnn', 'rnn_relu', 'gru', 'gru_reset_before', 'lstm'];
export const SCORES = 'scaled_dot,dot,cosine,content,general,biased_general,additive,concat,linear,location'.split(',');
/** Scores that need query and key of the same size. */
const EQUAL_SIZES = ['scaled_dot', 'dot', 'cosine', 'content'];

/** Settings that differ in their start alone. */
const startingAt = (starts: Config): Setting[] => Object.entries(starts).map(([key, start]) => ({ key, start }));

const isAdam = ({ optimiser }: Config): boolean => optimiser === 'adam' || optimiser === 'adamw';
const hasWords = ({ task }: Config): boolean => ['reverse', 'copy', 'sort', 'rotate'].includes(String(task));

const layers: Setting = { key: 'layers', start: 1 };
const forgetBias: Setting = { key: 'forget_bias', start: 0, when: ({ cell }) => cell === 'lstm' };

const pairTasks: readonly Setting[] = [
  { key: 'task', start: OWN, options: [...TASKS, OWN] },
  { key: 'length', start: 10, when: hasWords },
  { key: 'lag', start: 10, when: ({ task }) => task === 'recall' },
  { key: 'digits', start: 2, when: ({ task }) => task === 'addition' },
];
const textTasks: readonly Setting[] = [
  { key: 'task', start: OWN, options: [STORIES, OWN] },
  { key: 'tokens', start: 'characters', options: ['characters', 'words'], when: ({ text }) => text !== undefined },
];

const trainingBudget = startingAt({ learning_rate: 0.1, batch: 64, steps: 1000 });

const forcing: Setting = { key: 'forcing', start: 1 };

const samples = ({ writing }: Config): boolean => writing === 'sample';
const searches = ({ writing }: Config): boolean => writing === 'beam';

/** How the model writes, step by step in its trace. */
const writing: Group = {
  title: GROUPS.writing,
  settings: [
    { key: 'writing', start: 'none', options: ['none', 'greedy', 'sample', 'beam'] },
    { key: 'writing_temperature', start: 1, when: samples },
    { key: 'writing_top_k', start: 32768, when: samples },
    { key: 'writing_top_p', start: 1, when: samples },
    { key: 'writing_draw', start: 1, when: samples },
    { key: 'writing_width', start: 4, when: searches },
    { key: 'writing_length_normalisation', start: 0, when: searches },
    { key: 'writing_measure', start: 'none', options: ['none', 'bleu', 'alignment'] },
  ],
};

const optimiserSettings: readonly Setting[] = [
  { key: 'optimiser', start: 'sgd', options: ['sgd', 'momentum', 'nesterov', 'adam', 'adamw', 'rmsprop', 'adagrad'] },
  { key: 'schedule', start: 'constant', options: ['constant', 'linear', 'cosine', 'noam'] },
  ...startingAt({ warmup: 0, clip_norm: 1 }),
  { key: 'weight_decay', start: 0.01, when: ({ optimiser }) => optimiser === 'adamw' },
  { key: 'beta2', start: 0.999, when: isAdam },
];

/** What a model that takes a few steps has no use for. */
const SCHEDULE = ['schedule', 'warmup'];

/** Which part of a model of this kind is the learner's: none, unless chosen. */
const ownPart = (kind: string): Setting => ({
  key: 'part',
  start: 'none',
  options: ['none', ...(kindOf(kind).parts ?? [])],
});

const attends = ({ attention }: Config): boolean => attention !== 'none';
const projection = (key: string): Setting => ({ key, start: 'none', options: PROJECTIONS, when: attends });

const bidirectional: Setting = { key: 'bidirectional', start: false };

type Offer = Omit<Choice, 'kind' | 'title' | 'about'>;

const seq2seq: Offer = {
  settings: [
    ...pairTasks,
    { key: 'cell', start: 'gru', options: CELLS },
    { key: 'attention', start: 'bahdanau', options: ATTENTION },
    { key: 'score', start: 'additive', options: SCORES, when: attends },
    ...startingAt({ embedding: 32, hidden: 64 }),
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
        { key: 'input_feeding', start: true, when: ({ attention }) => attention === 'luong' },
        ...['project_queries', 'project_keys', 'project_values'].map(projection),
        { key: 'window', start: 'global', options: ['global', 'local_m', 'local_p'], when: attends },
        { key: 'half_width', start: 4, when: (config) => attends(config) && (config.window ?? 'global') !== 'global' },
        { key: 'hard', start: false, when: attends },
        { key: 'attention_temperature', start: 1, when: (config) => attends(config) && config.hard !== true },
      ],
    },
    { title: GROUPS.training, settings: [...optimiserSettings, forcing] },
    writing,
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

const recurrent: Offer = {
  settings: [
    { key: 'cell', start: 'rnn', options: CELLS },
    ...startingAt({ positions: 5, size: 3, hidden: 4 }),
    layers,
    ownPart('recurrent'),
  ],
  more: [
    { title: GROUPS.model, settings: [bidirectional, { key: 'attention', start: false }, forgetBias] },
    {
      title: GROUPS.initialisation,
      settings: startingAt({ input_scale: 1, scale: 1, orthogonal: false, bias: true }),
    },
  ],
  begin: { cell: 'rnn', positions: 5, size: 3, hidden: 4 },
};

const POSITIONS = ['none', 'index', 'sinusoidal', 'learned', 'alibi', 'rotary'];

const keyHeads: Setting = { key: 'key_value_heads', start: 0 };
const longest: Setting = { key: 'longest', start: 64, when: ({ positions }) => positions === 'learned' };

/** Splits the size of a word evenly over the heads, each with its own keys and values. */
function parts({ size, heads }: Config): Config {
  const part = Math.max(1, Math.floor(Number(size ?? 4) / Number(heads ?? 1)));
  return { key_value_heads: heads ?? 1, key_size: part, value_size: part };
}

/** Settings reset to what linear attention supports: no ALiBi, no padding, only a causal mask without a source. */
const scoreless = ({ mask = 'none', positions = 'none', source_words: cross }: Config): Config => ({
  mask: mask === 'causal' && !cross ? mask : 'none',
  positions: positions === 'alibi' ? 'none' : positions,
  padding: 0,
});

const inWindow = ({ mask }: Config): boolean => mask === 'window';

const attentionLayer: Offer = {
  settings: [
    ...startingAt({ words: 4, source_words: 0, size: 4, heads: 1 }),
    { key: 'positions', start: 'none', options: POSITIONS },
    { ...longest, start: 16 },
    { key: 'mask', start: 'none', options: ['none', 'causal', 'window'] },
    { key: 'window', start: 2, when: inWindow },
    { key: 'sinks', start: 0, when: inWindow },
    { key: 'form', start: 'plain', options: ['plain', 'linear', 'blocks'] },
    { key: 'block', start: 2, when: ({ form }) => form === 'blocks' },
    ownPart('attention_layer'),
  ],
  more: [
    {
      title: GROUPS.model,
      settings: [
        { key: 'projections', start: 'all', options: ['all', 'keys_values', 'none'] },
        keyHeads,
        ...startingAt({ key_size: 0, value_size: 0, bias: false, output_projection: false }),
        { key: 'padding', start: 0, when: ({ form }) => form !== 'linear' },
      ],
    },
  ],
  begin: { words: 4, size: 8, heads: 2, ...parts({ size: 8, heads: 2 }), output_projection: true },
  dependents(key, value, now) {
    if (['size', 'heads', 'projections'].includes(key)) return parts({ ...now, [key]: value });
    return key === 'form' && value === 'linear' ? scoreless(now) : {};
  },
};

const sizes: readonly Setting[] = [
  ...startingAt({ model_size: 32, heads: 4, feed_forward: 128 }),
  layers,
  { key: 'positions', start: 'sinusoidal', options: POSITIONS },
  longest,
  ownPart('transformer'),
];

const more = (tied: boolean): Choice['more'] => [
  {
    title: GROUPS.model,
    settings: [
      keyHeads,
      { key: 'activation', start: 'relu', options: ['relu', 'gelu', 'gelu_tanh', 'swiglu'] },
      { key: 'norm', start: 'layer', options: ['layer', 'rms'] },
      { key: 'norm_place', start: 'pre', options: ['pre', 'post'] },
      { key: 'tied_embedding', start: tied },
    ],
  },
  {
    title: GROUPS.training,
    settings: [...optimiserSettings, ...startingAt({ batch_tokens: 0, dropout: 0, label_smoothing: 0 })],
  },
  writing,
];

/** Each head gets its own keys and values; the number of key heads can then be changed. */
const ownKeys: Choice['dependents'] = (key, value): Config => (key === 'heads' ? { key_value_heads: value } : {});

const transformer: Offer = {
  task: 'reverse',
  dependents: ownKeys,
  settings: [...pairTasks, ...sizes, ...trainingBudget],
  more: more(false),
};

const languageModel: Offer = {
  task: STORIES,
  dependents: ownKeys,
  settings: [...textTasks, ...sizes, ...trainingBudget],
  more: more(true),
};

const captioner: Offer = {
  task: CAPTIONS,
  settings: [
    { key: 'task', start: CAPTIONS, options: [CAPTIONS] },
    { key: 'cell', start: 'gru', options: CELLS },
    { key: 'score', start: 'additive', options: SCORES },
    ...startingAt({ channels: 32, embedding: 32, hidden: 64 }),
    ...trainingBudget,
  ],
  more: [
    {
      title: GROUPS.model,
      settings: [{ key: 'attention_size', start: 64 }, forgetBias, { key: 'grid_attention', start: false }],
    },
    { title: GROUPS.training, settings: [...optimiserSettings, forcing] },
  ],
  /** A grid position, which is a key, has the size `channels`; some scores need queries of the same size. */
  dependents(key, value, now): Config {
    const { score = '', channels = 32 }: Config = { ...now, [key]: value };
    const equal = EQUAL_SIZES.includes(String(score)) && (key === 'score' || key === 'channels');
    return equal ? { hidden: channels } : {};
  },
};

/** By kind; others are in kinds.json. */
const OFFERS: Readonly<Record<string, Offer>> = {
  attention: {
    settings: [
      { key: 'score', start: 'scaled_dot', options: SCORES },
      { key: 'mask', start: 'none', options: ['none', 'causal'] },
      ...startingAt({ words: 4, size: 3 }),
      ownPart('attention'),
    ],
  },
  attention_layer: attentionLayer,
  lookup: {
    settings: [
      { key: 'score', start: 'dot', options: SCORES },
      ...startingAt({ queries: 1, keys: 3, key_size: 2, value_size: 2 }),
    ],
  },
  seq2seq,
  transformer,
  transformer_lm: languageModel,
  captioner,
  recurrent,
  unigram: {
    settings: [
      ...startingAt({ scores: [1, 5, 2, 1, 1], examples: [0], temperature: 1 }),
      { key: 'loss', start: 'cross_entropy', options: ['cross_entropy', 'zero_one'] },
      ...startingAt({ learning_rate: 0.1, batch: 0 }),
    ],
    more: [{ title: GROUPS.training, settings: optimiserSettings.filter(({ key }) => !SCHEDULE.includes(key)) }],
  },
};

/** An offer made of a row of kinds.json: its settings, and those of learning its task. */
function rowOffer({ texts, workbench: { settings = {}, ...begin } = {} }: Kind): Offer {
  const own = startingAt(settings);
  if (!begin.task) return { settings: own, ...begin };
  return {
    settings: [...(texts ? textTasks : pairTasks), ...own, ...trainingBudget],
    more: [{ title: GROUPS.training, settings: optimiserSettings }],
    ...begin,
  };
}

export const CHOICES: readonly Choice[] = Object.entries(MODELS).map(([kind, words]) => ({
  kind,
  ...words,
  ...(OFFERS[kind] ?? rowOffer(kindOf(kind))),
}));

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
