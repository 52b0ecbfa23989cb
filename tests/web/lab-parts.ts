// Parts of a lab for tests of one of them alone: a store, and a session that answers at once.
import { LabStore } from '../../web/src/lab/lab-store';
import { readPage, type Page } from '../../web/src/lab/page';
import type { RemoteSession } from '../../web/src/engine/remote';
import type { Result } from '../../web/src/engine/replay';
import type {
  Calls,
  Method,
  Problem,
  Reply,
  RunInfo,
  Trace,
  TraceNode,
  TraceScope,
  TrainInfo,
} from '../../web/src/engine/types';

export const nodeOf = (id: number, name: string, part: Partial<TraceNode> = {}): TraceNode => ({
  id,
  name,
  op: 'exp',
  rule: 'elementwise',
  formula: '',
  role: 'state',
  phase: 'forward',
  shape: [2],
  inputs: [],
  scope: 0,
  file: '',
  line: 0,
  origin: -1,
  gradient: -1,
  ...part,
});

export const scopeOf = (id: number, name: string, parent: number, first: number, last: number): TraceScope => ({
  ...{ id, name, parent, first, last },
  ...{ file: 'engine/x.h', line: 1, phase: 'forward' },
});

/** The input X, and Y, which is computed from it; or other operations. */
export const traceWith = (...operations: string[]): Trace => ({
  nodes: [
    nodeOf(0, 'X', { phase: 'leaf', role: 'input' }),
    ...(operations.length ? operations : ['Y']).map((name, i) => nodeOf(i + 1, name)),
  ],
  scopes: [],
});

export const RUN: RunInfo = { loss: 1, output: 1, forward: 1, backward: 0, update: 0, trace: 7 };
export const resultWith = (trace: Trace = traceWith()): Result => ({
  info: { kind: 'attention', seed: 1, steps: 0, inputs: [{ name: 'X', shape: [2] }], parameters: [] },
  run: { ...RUN },
  trace,
  task: null,
  pair: null,
});

export const refusal = (message: string, code: Problem['code'] = 'E_INPUT'): Reply<never> => ({
  ok: false,
  code,
  message,
  detail: '',
});

export const trained = (step: number): TrainInfo => ({
  step,
  loss: 1 / step,
  accuracy: 0.5,
  examples: 64,
  tokens: 640,
});

/** By the names of calls; each returns a reply, or its value. */
export type Answers = { [M in Method | 'batch']?: (...args: never[]) => unknown };
/** Those that return the values of the engine's calls. */
type Values = { [M in Exclude<Method, 'trace'>]?: (...args: Parameters<Calls[M]>) => ReturnType<Calls[M]> };

/** A session that records its calls. Each is answered by the function of its name: with a reply, or with its value. */
export function sessionThat(answers: Answers = {}): { session: RemoteSession; calls: [string, ...unknown[]][] } {
  const calls: [string, ...unknown[]][] = [];
  let step = 0;
  const usual: Values = {
    load: () => ((step = 0), resultWith().info),
    restore: () => ({ ...resultWith().info, steps: step }),
    run: () => ({ ...RUN }),
    edit: () => ({ ...RUN }),
    undoEdit: () => ({ ...RUN }),
    setEdits: () => ({ ...RUN }),
    setInterventions: () => ({ ...RUN }),
    train: (steps: number) => trained((step += steps)),
    save: () => new Uint8Array([step]),
  };
  const all: Answers = {
    ...usual,
    trace: () => traceWith(),
    batch: (_: string, nodes: number[]) => nodes.map((id) => ({ ok: true, value: Float32Array.of(id) })),
    ...answers,
  };
  const callOf =
    (name: keyof Answers) =>
    async (...args: unknown[]): Promise<unknown> => {
      calls.push([name, ...args]);
      const reply = await all[name]!(...(args as never[]));
      const whole = name === 'batch' || (typeof reply === 'object' && reply !== null && 'ok' in reply);
      return whole ? reply : { ok: true, value: reply };
    };
  const methods = Object.fromEntries((Object.keys(all) as (keyof Answers)[]).map((name) => [name, callOf(name)]));
  const session = { threads: 1, livesIn: () => true, ...methods } as unknown as RemoteSession;
  return { session, calls };
}

export const storeWith = (session = sessionThat().session, page: Page = readPage({})): LabStore =>
  new LabStore(page, session);
