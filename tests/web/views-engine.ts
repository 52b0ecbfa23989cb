// The engine in Node, as the page has it: what the page shows is compared with it.
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Trace } from '../../web/src/types';

const file = process.env.UNROLL_ENGINE ?? fileURLToPath(new URL('../../build/wasm/engine.mjs', import.meta.url));

export interface Run {
  trace: Trace;
  /** By node id. */
  values: Map<number, Float32Array>;
  /** Of the tensors called log p. */
  probabilities: Map<number, Float32Array>;
}

interface Input {
  name: string;
  shape: number[];
  values: number[];
}

/** A run of the model on its own inputs, on these, or on a pair of its task. */
export async function runOf(config: object, inputs: Input[] | readonly [string, string] = []): Promise<Run> {
  const { default: create } = await import(pathToFileURL(file).href);
  const session = new (await create({ wasmBinary: readFileSync(file.replace(/\.mjs$/, '.wasm')) })).Session();
  const checked = (reply: { ok: boolean; value: unknown; message?: string }): unknown => {
    if (!reply.ok) throw new Error(reply.message);
    return reply.value;
  };
  checked(session.load(config));
  const isPair = typeof inputs[0] === 'string';
  if (isPair) checked(session.read(...inputs));
  checked(session.run(isPair ? [] : inputs));
  const trace = checked(session.trace()) as Trace;
  const values = new Map(trace.nodes.map(({ id }) => [id, checked(session.values(id)) as Float32Array]));
  const likely = trace.nodes.filter(({ name }) => /(^|\/)log p$/.test(name));
  const probabilities = new Map(likely.map(({ id }) => [id, checked(session.probabilities(id)) as Float32Array]));
  session.delete();
  return { trace, values, probabilities };
}

/** Every tensor of a run on the model's own inputs, by its name. */
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

/** Source of `S` tokens and target of `T`, for SEQ2SEQ. */
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
