// The type of a setting, settings that several models share, and recipes for learning a task.
import { kindOf } from '../engine/kinds';
import type { OwnData } from '../engine/own-data';
import type { Config } from '../engine/types';

/** The engine's settings for learning a task with one of its named models; none if it did not answer. */
export type Recipes = (task: string, model: string) => Promise<Config>;

export interface Setting {
  key: string;
  /** The engine's default when the configuration omits the key. A boolean is shown as a checkbox. */
  start: Config[string];
  /** A closed list of values; without it the value is typed. */
  options?: readonly string[];
  /** False if the setting would have no effect, or be refused. */
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
  /** The task that it begins with; another task brings its own recipe. */
  task?: string;
  /** The program that it begins with, below lessons/programs. */
  program?: string;
  /** Other settings that it begins with; without them, a task and a program, all of `settings` at their start. */
  begin?: Config;
  /** Other settings that change along with one. */
  dependents?: (key: string, value: Config[string], now: Config, recipes: Recipes) => Config | Promise<Config>;
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
/** Scores that need query and key of the same size. */
export const EQUAL_SIZES = ['scaled_dot', 'dot', 'cosine', 'content'];

export const isLstm = ({ cell }: Config): boolean => cell === 'lstm';
const isAdam = ({ optimiser }: Config): boolean => optimiser === 'adam' || optimiser === 'adamw';
const hasWords = ({ task }: Config): boolean => ['reverse', 'copy', 'sort'].includes(String(task));

export const layers: Setting = { key: 'layers', start: 1 };
export const forgetBias: Setting = { key: 'forget_bias', start: 0, when: isLstm };

export const pairTasks: readonly Setting[] = [
  { key: 'task', start: OWN, options: [...TASKS, OWN] },
  { key: 'length', start: 10, when: hasWords },
  { key: 'digits', start: 2, when: ({ task }) => task === 'addition' },
];

export const trainingBudget: readonly Setting[] = [
  { key: 'learning_rate', start: 0.1 },
  { key: 'batch', start: 64 },
  { key: 'steps', start: 1000 },
];

export const forcing: Setting = { key: 'forcing', start: 1 };

export const optimiserSettings: readonly Setting[] = [
  {
    key: 'optimiser',
    start: 'sgd',
    options: ['sgd', 'momentum', 'nesterov', 'adam', 'adamw', 'rmsprop', 'adagrad'],
  },
  {
    key: 'schedule',
    start: 'constant',
    options: ['constant', 'linear', 'cosine', 'noam'],
  },
  { key: 'warmup', start: 0 },
  { key: 'clip_norm', start: 1 },
  { key: 'weight_decay', start: 0.01, when: ({ optimiser }) => optimiser === 'adamw' },
  { key: 'beta2', start: 0.999, when: isAdam },
];

/** The engine's name for the training settings of a recurrent model with this attention. */
const RECURRENT: Record<string, string> = { none: 'gru', bahdanau: 'gru-attention', luong: 'gru-luong' };

/** Settings for learning the task; the learner's own pairs use those of translation, a text those of stories. */
export async function recipe(recipes: Recipes, task: string, { kind, cell, attention }: Config): Promise<Config> {
  const model = kindOf(kind).recipe ?? RECURRENT[String(attention ?? 'bahdanau')]!;
  const known = [...TASKS, STORIES, CAPTIONS].includes(task);
  const alike = kindOf(kind).texts ? STORIES : TRANSLATION;
  const { kind: _, task: __, ...settings } = await recipes(known ? task : alike, model);
  const heads: Config = settings.heads === undefined ? {} : { key_value_heads: settings.heads };
  return { ...settings, ...heads, ...(cell === undefined ? {} : { cell }) };
}

/** A key set to undefined is removed from the configuration. */
export const unset = (...keys: string[]): Config =>
  Object.fromEntries(keys.map((key) => [key, undefined as unknown as string]));

/** The current configuration with the recipe of another task, named or the learner's own; the seed is dropped. */
export async function withTask(
  what: { [name in 'task' | 'tokens' | OwnData]?: string },
  now: Config,
  recipes: Recipes,
): Promise<Config> {
  const { task = OWN } = what;
  const { seed: _, ...kept } = now;
  return {
    ...kept,
    ...unset('task', 'pairs', 'text', 'tokens', 'length', 'digits'),
    ...(await recipe(recipes, task, now)),
    ...what,
  };
}
