// A session of the engine in Node, with the calls of the page's worker.
import { forwarding } from '../src/engine/remote';
import { inWords } from '../src/engine/refused';
import { traceOf } from '../src/engine/trace';
import type { Answered, Engine, Reply, TraceColumns } from '../src/engine/types';
import type { SessionLike } from '../src/lesson/run';

export type Method = keyof SessionLike;
export type Opened = SessionLike & { close(): void };

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
export async function read(method: Method, answered: Answered<unknown>): Promise<Reply<unknown>> {
  const reply = await inWords(answered);
  return reply.ok && method === 'trace' ? { ok: true, value: traceOf(reply.value as TraceColumns) } : reply;
}

export function openSession(engine: Engine): Opened {
  const made = new engine.Session();
  const calls = made as unknown as Record<string, (...args: unknown[]) => Answered<unknown>>;
  return session(
    (method, args) => read(method, calls[method]!(...args)),
    () => made.delete(),
  );
}
