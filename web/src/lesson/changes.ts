// One notation for "the same model, except …", used in hidden cases, solutions, wrong answers and comparisons.
//   temperature: 0.5       a setting of the model
//   steps: 300             training steps, counted from the seed
//   pair: [abc, cba]       source and target of a model with a task; with the target "", the model generates it
//   e: [1, 5, 2, 1, 1]     a whole input
//   silence: encoder/h     an intervention, or a list of them; see INTERVENTIONS
//   patch: [encoder/h, abc, cba]   a tensor as it is when the model reads this pair
//   "e[1]": 9              one element overridden
// Applied in this order, however they are listed.
import { moduleOf, threadedOf } from '../engine/kinds';
import { TASK_SETTINGS } from '../engine/own-data';
import { parseNumber } from '../ui/numbers';
import type { Experiment } from '../engine/replay';
import { weightsKey, type Config, type InputChange, type Intervention, type TextPair } from '../engine/types';

export type Change = string | number | boolean | (number | string)[];
export type Changes = Record<string, Change>;

/** Parses a boolean or a number, else returns the text: true, 0.5 or "additive". */
export function toSetting(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return parseNumber(text) ?? text;
}

/** Settings of the task and its training, whatever the model. */
const SHARED = new Set([
  ...['seed', 'task', 'pairs', 'text', 'tokens', 'length', 'lag', 'longest', 'digits'],
  ...['batch', 'steps', 'optimiser', 'learning_rate', 'schedule', 'warmup', 'clip_norm', 'weight_decay', 'beta2'],
]);

const isOtherKind = (own: Config, { kind = own.kind }: Config): boolean => kind !== own.kind;

/** What a model keeps of the settings of one of another kind: those that say what is learnt, if it learns. */
const isShared = (key: string, settings: Config): boolean =>
  threadedOf(moduleOf(settings)) ? SHARED.has(key) : key === 'seed';

/** `settings` over `own`; if they set another kind of model, only the shared settings of `own` are kept. */
export function variantOf(own: Config, settings: Config): Config {
  const shared = Object.entries(own).filter(([key]) => !isOtherKind(own, settings) || isShared(key, settings));
  return { ...Object.fromEntries(shared), ...settings };
}

/** Whether both learn the same. */
export const sameConfig = (a: Experiment, b: Experiment): boolean => weightsKey(a.config) === weightsKey(b.config);

/** A YAML value as a number: strings, like -inf, are parsed as in a number field. NaN if it is no number. */
export const toNumber = (value: unknown): number =>
  typeof value === 'string' ? (parseNumber(value) ?? NaN) : Number(value);

export interface Sorted {
  config: Config;
  steps: number | null;
  pair: TextPair | null;
  inputs: InputChange[];
  interventions: Intervention[];
  elements: [name: string, at: number[], value: number][];
}

/** What the engine calls each; a part of a tensor is named in brackets: "encoder/h[:, 2]". */
const INTERVENTIONS: Readonly<Record<string, string>> = {
  silence: 'zero',
  average: 'mean',
  hide: 'hidden',
  detach: 'detach',
  freeze: 'frozen',
};

function interventionsOf(key: string, value: Change): Intervention[] | null {
  const texts = [value].flat().map(String);
  const made = (kind: string, [tensor = '', source = '', target = '']: readonly string[]): Intervention => ({
    ...{ kind, tensor, training: kind === 'frozen', source, target },
  });
  if (key === 'patch') return [made('from', texts)];
  const kind = INTERVENTIONS[key];
  return kind ? texts.map((tensor) => made(kind, [tensor])) : null;
}

const ELEMENT = /^(.+)\[([\d\s,]+)\]$/;

/** An element has an index, an input is a list under its name; besides `pair` and `steps`, all else is a setting. */
export function sortChanges(changes: Changes, inputs: readonly string[]): Sorted {
  const result: Sorted = { config: {}, steps: null, pair: null, inputs: [], interventions: [], elements: [] };
  for (const [key, value] of Object.entries(changes)) {
    const element = ELEMENT.exec(key);
    const made = interventionsOf(key, value);
    if (made) result.interventions.push(...made);
    else if (element) result.elements.push([element[1]!, element[2]!.split(',').map(Number), toNumber(value)]);
    else if (key === 'pair') result.pair = value as TextPair;
    else if (key === 'steps') result.steps = Number(value);
    else if (!Array.isArray(value)) result.config[key] = value;
    else if (inputs.includes(key)) result.inputs.push({ name: key, values: value.map(toNumber), at: 0 });
    else result.config[key] = value.map(toNumber);
  }
  return result;
}

export const byName = (inputs: readonly InputChange[]): Record<string, number[]> =>
  Object.fromEntries(inputs.map(({ name, values }) => [name, values]));

type Described = Pick<Sorted | Experiment, 'config' | 'pair' | 'steps' | 'inputs'>;

/** All of it as one table by name; null means unset. An input overrides a setting of the same name. */
export const flatten = ({ config, pair, steps, inputs }: Described): Record<string, unknown> => ({
  ...config,
  pair,
  steps,
  ...byName(inputs),
});

/**
 * The experiment with the changes applied. Other settings mean an untrained model, unless the changes set `steps`.
 * Another kind of model drops the inputs; a change of TASK_SETTINGS drops the pair.
 */
export function withChanges(work: Experiment, { config, steps, pair, inputs, interventions }: Sorted): Experiment {
  const own = isOtherKind(work.config, config) ? [] : work.inputs;
  const next = { ...work, config: variantOf(work.config, config), inputs: [...own, ...inputs] };
  const other = TASK_SETTINGS.some((key) => next.config[key] !== work.config[key]);
  const read = pair ?? (other ? null : work.pair);
  return {
    ...next,
    pair: read,
    steps: steps ?? (sameConfig(next, work) ? work.steps : 0),
    interventions: [...(work.interventions ?? []), ...interventions.map((each) => atWord(each, read))],
  };
}

/** A word of the source that is hidden is the column of its scores, at every position of the decoder. */
function atWord(each: Intervention, pair: TextPair | null): Intervention {
  if (each.kind !== 'hidden' || each.tensor.includes('/') || !pair) return each;
  const [source] = pair;
  const words = source.includes(' ') ? source.split(' ') : [...source];
  const place = words.indexOf(each.tensor);
  return place < 0 ? each : { ...each, tensor: `decoder.t*.attention/e[:, :, ${place}]` };
}
