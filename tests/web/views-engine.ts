// The engine in Node, to compare the page's values with.
import type { OwnData } from '../../web/src/engine/own-data';
import type { EngineSession, EvaluationInfo, Config, Trace } from '../../web/src/engine/types';
import { traceOf } from '../../web/src/engine/trace';
import type { Point } from '../../web/src/figures/charts/curves-layout';
import { attentionsOf, flowOf, type Flow } from '../../web/src/figures/shared/attention/attention-trace';
import { CHOICES, startOf } from '../../web/src/workbench/models';
import { withTask, type Recipes } from '../../web/src/workbench/settings';
import { engine as wholeEngine, value as granted } from '../bindings/modules';

export interface Run {
  trace: Trace;
  /** By node id. */
  values: Map<number, Float32Array>;
  /** Probabilities, for the tensors named log p. */
  probabilities: Map<number, Float32Array>;
}

interface Input {
  name: string;
  shape: number[];
  values: number[];
}

/** A session with this model. */
export async function sessionOf(config: object): Promise<EngineSession> {
  const session = new (await wholeEngine()).Session();
  granted(session.load(config as Config));
  return session;
}

/** The trace of the last run. */
export const traceIn = (session: EngineSession): Trace => traceOf(granted(session.trace()));

/** How well it does on the test split: on so many pairs, or all, of this length of source, or any. */
export function tested(session: EngineSession, pairs = 0, length = 0): EvaluationInfo {
  let found = granted(session.evaluate('test', pairs, length));
  while (found.done < found.pairs) found = granted(session.evaluateMore());
  return found;
}

/** A session with the workbench's settings for the learner's own data. */
export async function learner(kind: string, own: { [what in OwnData]?: string }, seed = 1): Promise<EngineSession> {
  const session = new (await wholeEngine()).Session();
  const recipes: Recipes = async (task, model) => granted(session.recipe(task, model));
  const model = CHOICES.find((choice) => choice.kind === kind)!;
  const settings = await withTask(own, await startOf(model, recipes), recipes);
  granted(session.load(JSON.parse(JSON.stringify({ ...settings, seed })) as Config));
  return session;
}

/** A run of the model on its own inputs, on given ones, or on a pair of its task. */
export async function runOf(config: object, inputs: Input[] | readonly [string, string] = []): Promise<Run> {
  const session = await sessionOf(config);
  const isPair = typeof inputs[0] === 'string';
  if (isPair) granted(session.read(...(inputs as readonly [string, string])));
  const given = isPair ? [] : (inputs as Input[]);
  granted(session.run(given.map((input) => ({ ...input, values: Float32Array.from(input.values) }))));
  const trace = traceIn(session);
  const values = new Map(trace.nodes.map(({ id }) => [id, granted(session.values(id))]));
  const likely = trace.nodes.filter(({ name }) => /(^|\/)log p$/.test(name));
  const probabilities = new Map(likely.map(({ id }) => [id, granted(session.probabilities(id))]));
  session.delete();
  return { trace, values, probabilities };
}

/** Every tensor of a run on the model's own inputs, by name. */
export async function tensorsOf(config: object): Promise<Map<string, Float32Array>> {
  const { trace, values } = await runOf(config);
  return new Map(trace.nodes.map(({ id, name }) => [name, values.get(id)!]));
}

export const LAYER = { kind: 'attention_layer', seed: 3, words: 4, size: 6, heads: 2 };

/** The data flow of the first attention in a run. */
export const flowIn = ({ trace }: Run): Flow => flowOf(trace, attentionsOf(trace)[0]!)!;

export const STORIES = {
  ...{ kind: 'transformer_lm', task: 'stories', seed: 7 },
  ...{ model_size: 8, heads: 2, feed_forward: 8, layers: 1 },
};

export const SEQ2SEQ = {
  ...{ kind: 'seq2seq', embedding: 4, hidden: 6, seed: 7 },
  ...{ source_vocabulary: 12, target_vocabulary: 12 },
};

export const BAHDANAU = { ...SEQ2SEQ, cell: 'gru', bidirectional: true, attention: 'bahdanau', attention_size: 4 };

/** A source of `S` tokens and a target of `T`, for SEQ2SEQ. */
export function sentences(S: number, T: number): Input[] {
  const ids = (count: number, from: number): number[] => Array.from({ length: count }, (_, i) => from + (i % 6));
  return [
    { name: 'source', shape: [1, S], values: ids(S, 4) },
    { name: 'target_in', shape: [1, T], values: [1, ...ids(T - 1, 5)] },
    { name: 'target_out', shape: [1, T], values: [...ids(T - 1, 5), 2] },
  ];
}

/** "0 4, 10 2" → [[0, 4], [10, 2]], the points of a chart. */
export const points = (text: string): Point[] => text.split(', ').map((pair) => pair.split(' ').map(Number) as never);

type Box = { x: number; y: number; width: number; height: number };
/** Boxes of a drawing that do not overlap by more than so much. */
export const areApart = (a: Box, b: Box, slack = 0): boolean =>
  [a.x + a.width - b.x, b.x + b.width - a.x, a.y + a.height - b.y, b.y + b.height - a.y].some((by) => by <= slack);

/** The number that a cell shows: "−1.5 × 10⁻⁷" → -1.5e-7. */
export function numberIn(text: string): number {
  const plain = text
    .trim()
    .replace(
      / × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/,
      (_, power: string) =>
        `e${[...power].map((c) => ('⁰¹²³⁴⁵⁶⁷⁸⁹'.includes(c) ? '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(c) : '-')).join('')}`,
    )
    .replace(/−/g, '-')
    .replace('∞', 'Infinity');
  return plain === '' ? NaN : Number(plain);
}
