// The model beside the one on the workbench: what the reader chose, as the page state keeps it, and its settings. Both learn
// the same task from the same seed.
import * as texts from '#messages/lesson/beside';
import { nameOf } from '#messages/ui';
import { labelOf } from '#messages/workbench';
import { Refused } from '../../../engine/refused';
import { ownDataIn, TASK_SETTINGS } from '../../../engine/own-data';
import { configKey, type Choice as Kept, type Config } from '../../../engine/types';
import { typed, written } from '../../../ui/numbers';
import { changesOf, CHOICES, settingsOf, startOf } from '../../../workbench/models';
import { OWN, recipe, type Choice, type Recipes, type Setting } from '../../../workbench/settings';

/** The one setting that is changed, the kind of the other model, or two neighbouring rungs. */
export interface Chosen {
  by: (typeof WAYS)[number];
  /** A setting, a kind of model, or the number of the lower rung. */
  what: string;
  /** Of the setting, as typed; "" until there is one. */
  value: string;
  seeds: number;
}

export const WAYS = ['setting', 'fresh', 'left', 'rung'] as const;
export const SEEDS = [1, 3] as const;

/** As a view's choice in the page state. */
export const keptOf = ({ by, what, value, seeds }: Chosen): Kept => ({ look: [by, what, value].join(' '), at: seeds });

/** What a link holds may be damaged: null. */
export function chosenIn({ look = '', at = 1 }: Kept): Chosen | null {
  const [by, what = '', ...value] = look.split(' ');
  const way = WAYS.find((each) => each === by);
  const seeds = SEEDS.find((each) => each === at);
  return way && seeds ? { by: way, what, value: value.join(' '), seeds } : null;
}

/** A model to compare, and what it is called beside the other. */
export interface Compared {
  label: string;
  config: Config;
}

export type Two = readonly [Compared, Compared];

/** What changes the task, or needs a program of the reader's, is no setting to change here. */
const OTHERS = [...TASK_SETTINGS, 'length', 'digits', 'part'];

export const choiceOf = (kind: unknown): Choice => CHOICES.find((each) => each.kind === kind) ?? CHOICES[0]!;

/** Settings that have an effect in this model. */
export const settingsIn = (config: Config): Setting[] =>
  settingsOf(choiceOf(config.kind)).filter(({ key, when }) => !OTHERS.includes(key) && (when?.(config) ?? true));

const valueOf = (config: Config, { key, start }: Setting): Config[string] => config[key] ?? start;

/** What a setting may be changed to: undefined where it is typed. */
export function valuesFor(config: Config, setting: Setting): readonly string[] | undefined {
  const now = written(valueOf(config, setting));
  const all = typeof setting.start === 'boolean' ? ['true', 'false'] : setting.options;
  return all?.filter((value) => value !== now);
}

/** "false", typed where true stands, is no text. */
const parsed = (text: string, like: Config[string]): Config[string] =>
  typeof like === 'boolean' ? text === 'true' : typed(text, like);

const named = (kind: string, key: string, value: Config[string]): string =>
  texts.settingIs(
    labelOf(kind, key),
    typeof value === 'boolean' ? texts.YES_OR_NO[`${value}`] : nameOf(written(value)),
  );

/** With what follows from the change, as on the workbench. Throws Refused. */
export async function withOneChanged(config: Config, { what, value }: Chosen, recipes: Recipes): Promise<Two> {
  const kind = String(config.kind);
  const setting = settingsIn(config).find(({ key }) => key === what);
  if (!setting) throw Refused.input(texts.noSuchSetting(what));
  const now = valueOf(config, setting);
  const next = parsed(value, now);
  if (written(next) === written(now)) throw Refused.input(texts.sameValue(labelOf(kind, what), written(now)));
  const changes = await changesOf(choiceOf(kind), { [what]: next }, config, recipes);
  return [
    { label: named(kind, what, now), config },
    { label: named(kind, what, next), config: withoutUnset({ ...config, ...changes }) },
  ];
}

const withoutUnset = (config: Config): Config =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));

/** The settings that say what is learnt, without the kind. */
const taskIn = (config: Config): Config =>
  Object.fromEntries(['task', 'pairs', 'text', 'tokens', 'length', 'digits'].flatMap((key) => entryIn(config, key)));

const entryIn = (config: Config, key: string): [string, Config[string]][] =>
  config[key] === undefined ? [] : [[key, config[key]]];

/** Another kind of model, with the engine's settings for this task. */
export async function freshModel(config: Config, kind: string, recipes: Recipes): Promise<Config> {
  const start = await startOf(choiceOf(kind), recipes);
  const learning = await recipe(recipes, String(config.task ?? OWN), start);
  const own = Object.entries({ ...start, ...learning }).filter(([key]) => key !== 'task');
  return { ...Object.fromEntries(own), ...taskIn(config), seed: config.seed! };
}

/** The kinds that can learn what this model learns. */
export const rivalsOf = (config: Config): Choice[] =>
  CHOICES.filter((choice) => choice.task !== undefined && learnsAlike(choiceOf(config.kind), choice));

/** They learn from the same data: the task of one is among those of the other. */
function learnsAlike(one: Choice, other: Choice): boolean {
  const tasksOf = ({ settings }: Choice): readonly string[] =>
    settings.find(({ key }) => key === 'task')?.options?.filter((task) => task !== OWN) ?? [];
  return tasksOf(one).some((task) => tasksOf(other).includes(task));
}

/** Throws Refused if the other has another task. */
export function checkTask(two: Two): void {
  const [here, there] = two.map(({ config }) => configKey(wholeTask(config)));
  if (here === there) return;
  const [mine, other] = two.map(({ config }) => (ownDataIn(config) ? texts.OWN_DATA : taskName(wholeTask(config))));
  throw Refused.input(texts.otherTask(two[1].label, other!, mine!));
}

/** With the sizes that hold where none is given. */
const wholeTask = (config: Config): Config => ({ ...taskSizes(config), ...taskIn(config) });

const taskSizes = (config: Config): Config =>
  Object.fromEntries(
    settingsOf(choiceOf(config.kind))
      .filter(({ key, when }) => ['length', 'digits'].includes(key) && when?.(config))
      .map(({ key, start }) => [key, start]),
  );

const taskName = ({ task, length, digits }: Config): string =>
  texts.taskNamed(String(task), Number(length ?? NaN), Number(digits ?? NaN));

/** The settings in which the two differ, if they are of one kind. */
export function differencesOf([{ config: a }, { config: b }]: Two): string[] {
  if (a.kind !== b.kind) return [];
  const settings = settingsOf(choiceOf(a.kind)).filter(
    ({ key, when }) => !when || when(a) || when(b) || key === 'seed',
  );
  return settings.flatMap((setting) => {
    const [before, after] = [valueOf(a, setting), valueOf(b, setting)].map((value) => nameOf(written(value)));
    return before === after ? [] : [texts.settingDiffers(labelOf(String(a.kind), setting.key), before!, after!)];
  });
}
