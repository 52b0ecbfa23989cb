// The type of a setting and of a model, and the settings that come with a task or a part of the learner's own.
import { placeIn, ranAt } from '../editor/draft';
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
export const TASKS = ['reverse', 'copy', 'sort', 'rotate', 'recall', 'addition', 'dates', TRANSLATION];
export const STORIES = 'stories';
export const CAPTIONS = 'captions';

/** The engine's name for the training settings of a kind of model, with this attention. */
function recipeOf(kind: Config[string], attention: Config[string]): string {
  const { recipe = 'program' } = kindOf(kind);
  return typeof recipe === 'string' ? recipe : recipe[String(attention)]!;
}

/** Settings for learning the task; the learner's own pairs use those of translation, a text those of stories. */
export async function recipe(
  recipes: Recipes,
  task: string,
  { kind = 'seq2seq', cell, attention = 'bahdanau' }: Config,
): Promise<Config> {
  const model = recipeOf(kind, attention);
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
    ...unset('task', 'pairs', 'text', 'tokens', 'length', 'lag', 'digits'),
    ...(await recipe(recipes, task, now)),
    ...what,
  };
}

/** The part, with the program that was run last; the first does what the lab's own does. */
export async function withPart(kind: string, part: string): Promise<Config> {
  if (part === 'none') return unset('part', 'program');
  const { partText } = await import('../bench/code/programs');
  return { part, program: ranAt(placeIn('', kind, part)) ?? (await partText(kind, part)) };
}
