// The engine in Node, to compare the page's values with.
import type { Config, Trace } from '../../web/src/engine/types';
import { traceOf } from '../../web/src/engine/trace';
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

/** A run of the model on its own inputs, on given ones, or on a pair of its task. */
export async function runOf(config: object, inputs: Input[] | readonly [string, string] = []): Promise<Run> {
  const session = new (await wholeEngine()).Session();
  granted(session.load(config as Config));
  const [first] = inputs;
  const isPair = typeof first === 'string';
  if (isPair) granted(session.read(...(inputs as readonly [string, string])));
  granted(
    session.run(
      isPair ? [] : (inputs as Input[]).map((input) => ({ ...input, values: Float32Array.from(input.values) })),
    ),
  );
  const trace = traceOf(granted(session.trace()));
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

export const STORIES = {
  ...{ kind: 'transformer_lm', task: 'stories', seed: 7 },
  ...{ model_size: 8, heads: 2, feed_forward: 8, layers: 1 },
};

export const SEQ2SEQ = {
  kind: 'seq2seq',
  embedding: 4,
  hidden: 6,
  source_vocabulary: 12,
  target_vocabulary: 12,
  seed: 7,
};

/** A source of `S` tokens and a target of `T`, for SEQ2SEQ. */
export function sentences(S: number, T: number): Input[] {
  const ids = (count: number, from: number): number[] => Array.from({ length: count }, (_, i) => from + (i % 6));
  return [
    { name: 'source', shape: [1, S], values: ids(S, 4) },
    { name: 'target_in', shape: [1, T], values: [1, ...ids(T - 1, 5)] },
    { name: 'target_out', shape: [1, T], values: [...ids(T - 1, 5), 2] },
  ];
}

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
