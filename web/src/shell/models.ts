// What the workbench offers: each model with its settings and where they start.
import type { Config } from '../types';

export interface Setting {
  key: string;
  label: string;
  start: Config[string];
  /** A closed list of values; without it the value is typed. */
  options?: string[];
}

export interface Choice {
  kind: string;
  title: string;
  about: string;
  settings: Setting[];
}

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

export const startOf = ({ kind, settings }: Choice): Config => ({
  kind,
  ...Object.fromEntries(settings.map(({ key, start }) => [key, start])),
});
