// The worker's end: holds the engine's sessions, and answers calls in order.
import { lifeLock, onFetched, type Answer, type Call, requestLock } from './protocol';
import type { Engine, Answered, RunInfo, TraceColumns } from './types';
import type { TracedRun } from './trace';

/** A session, whose methods come by name. */
type Session = Record<string, (...args: unknown[]) => Answered<unknown>>;

export type CreateEngine = () => Promise<Pick<Engine, 'Session'>>;

const scope = self as unknown as DedicatedWorkerGlobalScope;
const sessions = new Map<number, Session>();
const post = (answer: Answer, transfer: Transferable[] = []): void => scope.postMessage(answer, transfer);
const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function buffersOf(reply: Answered<unknown>): Transferable[] {
  if (!reply.ok) return [];
  if (Array.isArray(reply.value)) return reply.value.flatMap(buffersOf);
  const { columns, numbers } = (reply.value ?? {}) as Partial<TracedRun & TraceColumns>;
  return [reply.value, columns?.numbers, numbers].filter(ArrayBuffer.isView).map(({ buffer }) => buffer as ArrayBuffer);
}

const batch = (session: Session, method: string, ids: number[]): Answered<unknown> => ({
  ok: true,
  value: ids.map((id) => session[method]!(id)),
});

/** A call that runs the model, and its trace too, unless the page knows it. */
function traced(session: Session, method: string, args: unknown[], known: number[]): Answered<unknown> {
  const reply = session[method]!(...args) as Answered<RunInfo>;
  if (!reply.ok) return reply;
  const trace = known.includes(reply.value.trace) ? null : session.trace!();
  return trace && !trace.ok ? trace : { ok: true, value: { run: reply.value, columns: trace?.value ?? null } };
}

async function answer(createEngine: CreateEngine): Promise<void> {
  const engine = await createEngine();
  const open = (id: number): Session => {
    const session = new engine.Session() as unknown as Session;
    sessions.set(id, session);
    return session;
  };
  const call = ({ session, method, args }: Call): Answered<unknown> => {
    const called = sessions.get(session) ?? open(session);
    if (method === 'batch') return batch(called, ...(args as [string, number[]]));
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
