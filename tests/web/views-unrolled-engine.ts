// A recurrent model in the engine: its trace and every value, as the page gets them.
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Trace } from '../../web/src/types';

const file = process.env.UNROLL_ENGINE ?? fileURLToPath(new URL('../../build/wasm/engine.mjs', import.meta.url));

export interface Run {
  trace: Trace;
  /** By node id. */
  values: Map<number, Float32Array>;
}

interface Input {
  name: string;
  shape: number[];
  values: number[];
}

/** Source of `S` tokens and target of `T`, of a vocabulary of twelve. */
export function sentences(S: number, T: number): Input[] {
  const ids = (count: number, from: number): number[] => Array.from({ length: count }, (_, i) => from + (i % 6));
  return [
    { name: 'source', shape: [1, S], values: ids(S, 4) },
    { name: 'target_in', shape: [1, T], values: [1, ...ids(T - 1, 5)] },
    { name: 'target_out', shape: [1, T], values: [...ids(T - 1, 5), 2] },
  ];
}

export const SEQ2SEQ = {
  kind: 'seq2seq',
  embedding: 4,
  hidden: 6,
  source_vocabulary: 12,
  target_vocabulary: 12,
  seed: 7,
};

export async function runOf(config: object, inputs: Input[]): Promise<Run> {
  const { default: create } = await import(pathToFileURL(file).href);
  const session = new (await create({ wasmBinary: readFileSync(file.replace(/\.mjs$/, '.wasm')) })).Session();
  const checked = (reply: { ok: boolean; value: unknown; message?: string }): unknown => {
    if (!reply.ok) throw new Error(reply.message);
    return reply.value;
  };
  checked(session.load(config));
  checked(session.run(inputs));
  const trace = checked(session.trace()) as Trace;
  const values = new Map(trace.nodes.map(({ id }) => [id, checked(session.values(id)) as Float32Array]));
  session.delete();
  return { trace, values };
}
