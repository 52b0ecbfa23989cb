// The worker's end: holds the engine's sessions, and answers calls in order.
import { lifeLock, type Answer, type Call } from './protocol';
import { onFetched } from './fetched';
import { requestLock } from './locks';
import type { TraceColumns, TracedRun } from './trace';
import type { Reply, RunInfo } from './types';

type Method = (...args: unknown[]) => Reply<unknown>;
type EngineSession = Record<string, Method> & { delete(): void };

/** What an engine module exports. */
export type CreateEngine = () => Promise<{ Session: new () => object }>;

/** The calls that concern no session. All but the first are in the module with the learner's language only. */
const OF_ENGINE = ['recipe', 'operations', 'outline', 'carryOver', 'pytorchScript'];

const scope = self as unknown as DedicatedWorkerGlobalScope;
const sessions = new Map<number, EngineSession>();
const post = (answer: Answer, transfer: Transferable[] = []): void => scope.postMessage(answer, transfer);
const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function buffersOf(reply: Reply<unknown>): Transferable[] {
  if (!reply.ok) return [];
  if (Array.isArray(reply.value)) return reply.value.flatMap(buffersOf);
  const { columns, numbers } = (reply.value ?? {}) as Partial<TracedRun & TraceColumns>;
  return [reply.value, columns?.numbers, numbers].filter(ArrayBuffer.isView).map(({ buffer }) => buffer as ArrayBuffer);
}

const each = (session: EngineSession, method: string, ids: number[]): Reply<unknown> => ({
  ok: true,
  value: ids.map((id) => session[method]!(id)),
});

/** A call that runs the model, and its trace too, unless the page knows it. */
function traced(session: EngineSession, method: string, args: unknown[], known: number[]): Reply<unknown> {
  const reply = session[method]!(...args) as Reply<RunInfo>;
  if (!reply.ok) return reply;
  const trace = known.includes(reply.value.trace) ? null : session.trace!();
  return trace && !trace.ok ? trace : { ok: true, value: { run: reply.value, columns: trace?.value ?? null } };
}

async function answer(createEngine: CreateEngine): Promise<void> {
  const engine = await createEngine();
  const open = (id: number): EngineSession => {
    const session = new engine.Session() as unknown as EngineSession;
    sessions.set(id, session);
    return session;
  };
  const call = ({ session, method, args }: Call): Reply<unknown> => {
    if (OF_ENGINE.includes(method)) return (engine as unknown as Record<string, Method>)[method]!(...args);
    const called = sessions.get(session) ?? open(session);
    if (method === 'each') return each(called, ...(args as [string, number[]]));
    if (method === 'traced') return traced(called, ...(args as [string, unknown[], number[]]));
    return called[method]!(...args);
  };
  scope.onmessage = ({ data }: MessageEvent<Call>) => {
    try {
      const reply = call(data) ?? { ok: true, value: null };
      if (data.method === 'delete') sessions.delete(data.session);
      post({ kind: 'reply', id: data.id, reply }, buffersOf(reply));
    } catch (error) {
      post({ kind: 'dead', message: text(error) });
    }
  };
  await holdLock();
  post({ kind: 'ready' });
}

/** Resolves once this worker holds its lock, which it keeps for life; or if it cannot have one. */
function holdLock(): Promise<void> {
  return new Promise((held) => {
    const hold = (): Promise<void> => (held(), new Promise(() => undefined));
    // A browser that blocks site data refuses locks too.
    requestLock(lifeLock(scope.name), hold).then(held, held);
  });
}

/** Runs this, and tells the page that this worker is lost if it fails. */
export async function attempt(act: () => unknown): Promise<void> {
  try {
    await act();
  } catch (error) {
    post({ kind: 'dead', message: text(error) });
  }
}

export function serve(createEngine: CreateEngine): void {
  onFetched((urls) => post({ kind: 'fetched', urls }));
  void attempt(() => answer(createEngine));
}
