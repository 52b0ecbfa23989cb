// The attention layer, Transformers and the captioner, as the workbench offers them.
import {
  CAPTIONS,
  CELLS,
  EQUAL_SIZES,
  forcing,
  forgetBias,
  optimiserSettings,
  trainingBudget,
  layers,
  withTask,
  OWN,
  pairTasks,
  recipe,
  SCORES,
  STORIES,
  type Choice,
  type Setting,
} from './settings';
import type { Config } from '../engine/types';

const POSITIONS = ['none', 'index', 'sinusoidal', 'learned', 'alibi', 'rotary'];

const keyHeads: Setting = { key: 'key_value_heads', label: 'Key/value heads', start: 0 };
const longest: Setting = {
  key: 'longest',
  label: 'Longest text',
  start: 64,
  when: ({ positions }) => positions === 'learned',
};

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

export const attentionLayer: Choice = {
  kind: 'attention_layer',
  title: 'Attention layer',
  about: 'Words attend to each other in several heads, or to the words of a source if there is one.',
  settings: [
    { key: 'words', label: 'Words', start: 4 },
    { key: 'source_words', label: 'Source words', start: 0 },
    { key: 'size', label: 'Numbers per word', start: 4 },
    { key: 'heads', label: 'Heads', start: 1 },
    { key: 'positions', label: 'Positions', start: 'none', options: POSITIONS },
    { ...longest, start: 16 },
    { key: 'mask', label: 'Mask', start: 'none', options: ['none', 'causal', 'window'] },
    { key: 'window', label: 'Window', start: 2, when: inWindow },
    { key: 'sinks', label: 'Sinks', start: 0, when: inWindow },
    { key: 'form', label: 'Computation', start: 'plain', options: ['plain', 'linear', 'blocks'] },
    { key: 'block', label: 'Keys per block', start: 2, when: ({ form }) => form === 'blocks' },
  ],
  more: [
    {
      title: 'Model',
      settings: [
        { key: 'projections', label: 'Projections', start: 'all', options: ['all', 'keys_values', 'none'] },
        keyHeads,
        { key: 'key_size', label: 'Size of q, k', start: 0 },
        { key: 'value_size', label: 'Size of v', start: 0 },
        { key: 'bias', label: 'Biases', start: false },
        { key: 'output_projection', label: 'Output projection W_O', start: false },
        { key: 'padding', label: 'Padded words', start: 0, when: ({ form }) => form !== 'linear' },
      ],
    },
  ],
  begin: () =>
    Promise.resolve({ words: 4, size: 8, heads: 2, ...parts({ size: 8, heads: 2 }), output_projection: true }),
  dependents(key, value, now) {
    const divides = ['size', 'heads', 'projections'].includes(key);
    const linear = key === 'form' && value === 'linear';
    return Promise.resolve(divides ? parts({ ...now, [key]: value }) : linear ? scoreless(now) : {});
  },
};

const sizes: readonly Setting[] = [
  { key: 'model_size', label: 'Model size', start: 32 },
  { key: 'heads', label: 'Heads', start: 4 },
  { key: 'feed_forward', label: 'Feed-forward', start: 128 },
  layers,
  { key: 'positions', label: 'Positions', start: 'sinusoidal', options: POSITIONS },
  longest,
];

const more = (tied: boolean): Choice['more'] => [
  {
    title: 'Model',
    settings: [
      keyHeads,
      { key: 'activation', label: 'Activation', start: 'relu', options: ['relu', 'gelu', 'gelu_tanh', 'swiglu'] },
      { key: 'norm', label: 'Norm', start: 'layer', options: ['layer', 'rms'] },
      { key: 'norm_place', label: 'Norm placement', start: 'pre', options: ['pre', 'post'] },
      { key: 'tied_embedding', label: 'Tied embedding', start: tied },
    ],
  },
  {
    title: 'Training',
    settings: [
      ...optimiserSettings,
      { key: 'batch_tokens', label: 'Max. tokens per step', start: 0 },
      { key: 'dropout', label: 'Dropout', start: 0 },
      { key: 'label_smoothing', label: 'Label smoothing', start: 0 },
    ],
  },
];

/** Begins with the recipe of `task`; another task brings its own recipe. */
const withRecipe = (kind: string, task: string): Required<Pick<Choice, 'kind' | 'begin' | 'dependents'>> => ({
  kind,
  begin: async (recipes) => ({ task, ...(await recipe(recipes, task, { kind })) }),
  async dependents(key, value, now, recipes) {
    if (key === 'task') return withTask({ task: String(value) }, now, recipes);
    return key === 'heads' ? { key_value_heads: value } : {};
  },
});

export const transformer: Choice = {
  ...withRecipe('transformer', 'reverse'),
  title: 'Transformer',
  about:
    'An encoder and a decoder built on attention alone: all words of a text at once. It learns a task from pairs of texts.',
  settings: [...pairTasks, ...sizes, ...trainingBudget()],
  more: more(false),
};

export const languageModel: Choice = {
  ...withRecipe('transformer_lm', STORIES),
  title: 'Transformer language model',
  about: 'Only a decoder: it learns to continue texts, word by word.',
  settings: [
    { key: 'task', label: 'Task', start: OWN, options: [STORIES, OWN] },
    {
      key: 'tokens',
      label: 'Read as',
      start: 'characters',
      options: ['characters', 'words'],
      when: ({ text }) => text !== undefined,
    },
    ...sizes,
    ...trainingBudget('Texts'),
  ],
  more: more(true),
};

export const captioner: Choice = {
  ...withRecipe('captioner', CAPTIONS),
  title: 'Captioner',
  about: 'Convolutions read a picture; a decoder attends to its regions and describes what is there.',
  settings: [
    { key: 'task', label: 'Task', start: CAPTIONS, options: [CAPTIONS] },
    { key: 'cell', label: 'Cell', start: 'gru', options: CELLS },
    { key: 'score', label: 'Score', start: 'additive', options: SCORES },
    { key: 'channels', label: 'Channels', start: 32 },
    { key: 'embedding', label: 'Embedding size', start: 32 },
    { key: 'hidden', label: 'Hidden size', start: 64 },
    ...trainingBudget('Pictures'),
  ],
  more: [
    {
      title: 'Model',
      settings: [
        { key: 'attention_size', label: 'Attention size', start: 64 },
        forgetBias,
        { key: 'grid_attention', label: 'Grid attention', start: false },
      ],
    },
    { title: 'Training', settings: [...optimiserSettings, forcing] },
  ],
  /** A grid position, which is a key, has the size `channels`; some scores need queries of the same size. */
  dependents(key, value, now) {
    const { score = '', channels = 32 }: Config = { ...now, [key]: value };
    const equal = EQUAL_SIZES.includes(String(score)) && (key === 'score' || key === 'channels');
    return Promise.resolve<Config>(equal ? { hidden: channels } : {});
  },
};
