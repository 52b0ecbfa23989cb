// The two engines that lessons are checked on: the WebAssembly module, and the native program with a line per call.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { engine, fromHex, fromRoot, plain } from '../bindings/modules';
import { openSession, read, session, type Opened } from '../../web/plugin/session';
import type { Answered } from '../../web/src/engine/types';

export { session, type Method, type Opened } from '../../web/plugin/session';

export type OpenSession = () => Promise<Opened>;

export const openWasm = async (): Promise<Opened> => openSession(await engine());

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
