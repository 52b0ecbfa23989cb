// The two engines that lessons are checked on: the WebAssembly module, and the native program with a line per call.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { engine, fromHex, fromRoot, plain } from '../bindings/modules';
import type { SessionLike } from '../../web/src/lesson/run';
import { forwarding } from '../../web/src/engine/remote';
import { traceOf } from '../../web/src/engine/trace';
import { inWords } from '../../web/src/engine/refused';
import type { Answered, Reply, TraceColumns } from '../../web/src/engine/types';

export type Method = keyof SessionLike;
export type Opened = SessionLike & { close(): void };
export type OpenSession = () => Promise<Opened>;

type Call = (method: Method, args: unknown[]) => Promise<Reply<unknown>>;

/** A session whose calls return promises. What only the page's worker takes is not passed on. */
export function session(call: Call, close: () => void): Opened {
  const own = {
    train: (steps: number) => call('train', [steps]),
    trace: () => call('trace', []),
    close,
  };
  return Object.setPrototypeOf(
    own,
    forwarding((_, method, args) => call(method as Method, args)),
  );
}

/** As the page reads it. */
const read = async (method: Method, answered: Answered<unknown>): Promise<Reply<unknown>> => {
  const reply = await inWords(answered);
  return reply.ok && method === 'trace' ? { ok: true, value: traceOf(reply.value as TraceColumns) } : reply;
};

export async function openWasm(): Promise<Opened> {
  const made = new (await engine()).Session();
  const calls = made as unknown as Record<string, (...args: unknown[]) => Answered<unknown>>;
  return session(
    (method, args) => read(method, calls[method]!(...args)),
    () => made.delete(),
  );
}

export const NATIVE = fromRoot('build/native/tests/unroll_session');

export async function openNative(): Promise<Opened> {
  if (!existsSync(NATIVE)) throw new Error(`${NATIVE} is not built: run ./lab test lessons.`);
  const program = spawn(NATIVE);
  const lines = createInterface({ input: program.stdout });
  const answers = lines[Symbol.asyncIterator]();
  return session(
    async (method, args) => read(method, readReply(method, await ask(program, answers, method, args))),
    () => program.kill(),
  );
}

async function ask(
  program: ChildProcessWithoutNullStreams,
  answers: AsyncIterator<string>,
  call: string,
  args: unknown[],
): Promise<string> {
  program.stdin.write(`${JSON.stringify({ call, args: plain(args) })}\n`);
  const { value, done } = await answers.next();
  if (done) throw new Error(`The native session ended at "${call}".`);
  return value;
}

/** Converts replies in JSON: lists to typed arrays, and texts to the numbers that JSON lacks. */
const READ: Record<string, (value: never) => unknown> = {
  values: floats,
  save: fromHex,
  calculate: (result: { values: (number | string)[] }) => ({ ...result, values: floats(result.values) }),
  generate: (info: { weights: (number | string)[] }) => ({ ...info, weights: floats(info.weights) }),
  evaluate: evaluation,
  evaluateMore: evaluation,
};

function readReply(method: string, line: string): Answered<unknown> {
  const reply = JSON.parse(line) as Answered<unknown>;
  if (reply.ok && READ[method]) reply.value = READ[method](reply.value as never);
  return reply;
}

function floats(values: (number | string)[]): Float32Array {
  return Float32Array.from(values, number);
}

function evaluation(info: Record<string, unknown>): unknown {
  return Object.fromEntries(
    Object.entries(info).map(([name, value]) => [name, typeof value === 'string' ? number(value) : value]),
  );
}

function number(value: number | string): number {
  return typeof value === 'number' ? value : Number(value.replace('inf', 'Infinity'));
}

export const ENGINES: [name: string, open: OpenSession][] = [
  ['WASM', openWasm],
  ['native', openNative],
];
