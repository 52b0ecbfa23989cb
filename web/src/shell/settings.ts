// What a setting is, those that several models have, and the recipes that learn a task.
import type { OwnData } from '../engine/own-data';
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

/** The value of `task` that stands for pairs or a text of the learner's own. */
export const OWN = 'own';

const TRANSLATION = 'translate-en-fr';
export const TASKS = ['reverse', 'copy', 'sort', 'addition', 'dates', TRANSLATION];
export const STORIES = 'stories';
export const CAPTIONS = 'captions';
export const CELLS = ['rnn', 'rnn_relu', 'gru', 'gru_reset_before', 'lstm'];
export const SCORES = [
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
/** Of these, query and key must have equally many numbers. */
export const EQUAL_SIZES = ['scaled_dot', 'dot', 'cosine', 'content'];

export const isLstm = ({ cell }: Config): boolean => cell === 'lstm';
const isAdam = ({ optimiser }: Config): boolean => optimiser === 'adam' || optimiser === 'adamw';
const hasWords = ({ task }: Config): boolean => ['reverse', 'copy', 'sort'].includes(String(task));

export const layers: Setting = { key: 'layers', label: 'Layers', start: 1 };
export const forgetBias: Setting = { key: 'forget_bias', label: 'Forget bias', start: 0, when: isLstm };

export const pairTasks: readonly Setting[] = [
  { key: 'task', label: 'Task', start: OWN, options: [...TASKS, OWN] },
  { key: 'length', label: 'Longest word', start: 10, when: hasWords },
  { key: 'digits', label: 'Digits', start: 2, when: ({ task }) => task === 'addition' },
];

export const lasting = (pairs = 'Pairs'): Setting[] => [
  { key: 'learning_rate', label: 'Learning rate', start: 0.1 },
  { key: 'batch', label: `${pairs} a step`, start: 64 },
  { key: 'steps', label: 'Training steps', start: 1000 },
];

export const forcing: Setting = { key: 'forcing', label: 'Teacher forcing', start: 1 };

export const howItLearns: readonly Setting[] = [
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
  { key: 'weight_decay', label: 'Weight decay', start: 0.01, when: ({ optimiser }) => optimiser === 'adamw' },
  { key: 'beta2', label: 'Memory of squares (β₂)', start: 0.999, when: isAdam },
];

/** What the engine calls a model of that kind, or one that attends so. */
const MODELS: Record<string, string> = {
  none: 'gru',
  bahdanau: 'gru-attention',
  luong: 'gru-luong',
  transformer: 'transformer',
  transformer_lm: 'lm',
  captioner: 'captioner',
};

/** Settings that learn the task; for what is the learner's own those of translation or of stories. */
export async function recipe(recipes: Recipes, task: string, { kind, cell, attention }: Config): Promise<Config> {
  const model = MODELS[String(kind)] ?? MODELS[String(attention ?? 'bahdanau')]!;
  const known = [...TASKS, STORIES, CAPTIONS].includes(task);
  const alike = kind === 'transformer_lm' ? STORIES : TRANSLATION;
  const { kind: _, task: __, ...settings } = await recipes(known ? task : alike, model);
  const heads: Config = settings.heads === undefined ? {} : { key_value_heads: settings.heads };
  return { ...settings, ...heads, ...(cell === undefined ? {} : { cell }) };
}

/** A field that is undefined is no longer in the configuration. */
const gone = (...keys: string[]): Config =>
  Object.fromEntries(keys.map((key) => [key, undefined as unknown as string]));

/** The configuration for another task, by name or by what is the learner's own: its recipe, with the model as it is now. */
export async function learning(
  what: { [name in 'task' | OwnData]?: string },
  now: Config,
  recipes: Recipes,
): Promise<Config> {
  const { task = OWN } = what;
  const { seed: _, ...kept } = now;
  return {
    ...kept,
    ...gone('task', 'pairs', 'text', 'tokens', 'length', 'digits'),
    ...(await recipe(recipes, task, now)),
    ...what,
  };
}
