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
  OWN,
  pairTasks,
  SCORES,
  STORIES,
  type Choice,
  type Setting,
} from './settings';
import { ownPart } from './programs';
import { GROUPS, MODELS } from '#messages/workbench';
import type { Config } from '../engine/types';

const POSITIONS = ['none', 'index', 'sinusoidal', 'learned', 'alibi', 'rotary'];

const keyHeads: Setting = { key: 'key_value_heads', start: 0 };
const longest: Setting = {
  key: 'longest',
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
  ...MODELS.attention_layer,
  settings: [
    { key: 'words', start: 4 },
    { key: 'source_words', start: 0 },
    { key: 'size', start: 4 },
    { key: 'heads', start: 1 },
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
        { key: 'key_size', start: 0 },
        { key: 'value_size', start: 0 },
        { key: 'bias', start: false },
        { key: 'output_projection', start: false },
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
  { key: 'model_size', start: 32 },
  { key: 'heads', start: 4 },
  { key: 'feed_forward', start: 128 },
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
    settings: [
      ...optimiserSettings,
      { key: 'batch_tokens', start: 0 },
      { key: 'dropout', start: 0 },
      { key: 'label_smoothing', start: 0 },
    ],
  },
];

/** Each head gets its own keys and values; the number of key heads can then be changed. */
const ownKeys: Choice['dependents'] = (key, value): Config => (key === 'heads' ? { key_value_heads: value } : {});

export const transformer: Choice = {
  kind: 'transformer',
  ...MODELS.transformer,
  task: 'reverse',
  dependents: ownKeys,
  settings: [...pairTasks, ...sizes, ...trainingBudget],
  more: more(false),
};

export const languageModel: Choice = {
  kind: 'transformer_lm',
  ...MODELS.transformer_lm,
  task: STORIES,
  dependents: ownKeys,
  settings: [
    { key: 'task', start: OWN, options: [STORIES, OWN] },
    {
      key: 'tokens',
      start: 'characters',
      options: ['characters', 'words'],
      when: ({ text }) => text !== undefined,
    },
    ...sizes,
    ...trainingBudget,
  ],
  more: more(true),
};

export const captioner: Choice = {
  kind: 'captioner',
  ...MODELS.captioner,
  task: CAPTIONS,
  settings: [
    { key: 'task', start: CAPTIONS, options: [CAPTIONS] },
    { key: 'cell', start: 'gru', options: CELLS },
    { key: 'score', start: 'additive', options: SCORES },
    { key: 'channels', start: 32 },
    { key: 'embedding', start: 32 },
    { key: 'hidden', start: 64 },
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
