// The two engines that lessons are checked on: the WebAssembly module, and the native program that speaks a line a call.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { engine, fromRoot, plain } from '../bindings/modules';
import type { SessionLike } from '../../web/src/lesson/changes';
import type { Reply } from '../../web/src/types';

export type Opened = SessionLike & { close(): void };
export type OpenSession = () => Promise<Opened>;

const METHODS = ['load', 'run', 'edit', 'train', 'trace', 'values'] as const;

/** A session whose every call is a promise. */
function session(call: (method: string, args: unknown[]) => Promise<Reply<unknown>>, close: () => void): Opened {
  const methods = METHODS.map((method) => [method, (...args: unknown[]) => call(method, args)]);
  return { ...Object.fromEntries(methods), close };
}

export async function openWasm(): Promise<Opened> {
  const made = new (await engine()).Session();
  const calls = made as unknown as Record<string, (...args: unknown[]) => Reply<unknown>>;
  return session(
    async (method, args) => calls[method]!.apply(made, args),
    () => made.delete(),
  );
}

const NATIVE = fromRoot('build/native/tests/unroll_session');

export async function openNative(): Promise<Opened> {
  if (!existsSync(NATIVE)) throw new Error(`${NATIVE} is not built: run ./lab test lessons.`);
  const program = spawn(NATIVE);
  const lines = createInterface({ input: program.stdout });
  const answers = lines[Symbol.asyncIterator]();
  return session(
    async (method, args) => readReply(method, await ask(program, answers, method, args)),
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

function readReply(method: string, line: string): Reply<unknown> {
  const reply = JSON.parse(line) as Reply<unknown>;
  if (reply.ok && method === 'values') reply.value = Float32Array.from(reply.value as (number | string)[], number);
  return reply;
}

const number = (value: number | string): number =>
  typeof value === 'number' ? value : Number(value.replace('inf', 'Infinity'));

export const ENGINES: [name: string, open: OpenSession][] = [
  ['WASM', openWasm],
  ['native', openNative],
];
