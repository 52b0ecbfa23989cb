// A session that caches replies: after the same calls the engine is in the same state and gives the same reply.
import { createHash } from 'node:crypto';
import type { Reply } from '../../web/src/engine/types';
import { plain } from '../bindings/modules';
import { session, type Method, type Opened } from './sessions';

const MODEL = new Set<Method>(['load', 'run', 'edit', 'setEdits', 'setInterventions', 'train', 'restore', 'read']);
const EVALUATION = new Set<Method>(['evaluate', 'evaluateMore']);

interface Call {
  method: Method;
  args: unknown[];
}

/** The state of a session after a call that changed it. */
interface State {
  /** The previous state and the call that led here; null if nothing is loaded yet. */
  came: { from: State; by: Call } | null;
  /** Null: the state itself. During an evaluation all other calls see the model as it was before. */
  model: State | null;
  known: Map<string, Known>;
}

interface Known {
  reply: Reply<unknown>;
  /** Null if the call only read, or was refused. */
  next: State | null;
}

const modelOf = (state: State): State => state.model ?? state;

const keyOf = ({ method, args }: Call): string => JSON.stringify([method, ...args.map((arg) => plain(digested(arg)))]);

/** Shortens checkpoints in keys. */
const digested = (arg: unknown): unknown =>
  arg instanceof Uint8Array ? createHash('sha1').update(arg).digest('hex') : arg;

class Remembering {
  private readonly empty: State = { came: null, model: null, known: new Map() };
  /** The state that the user expects, and the one the engine is in. */
  private expected = this.empty;
  private engine = this.empty;

  constructor(private readonly opened: Opened) {}

  async answer(call: Call): Promise<Reply<unknown>> {
    const from = this.before(call);
    const key = keyOf(call);
    const known = from.known.get(key) ?? (await this.compute(from, call));
    from.known.set(key, known);
    this.expected = known.next ?? this.expected;
    return known.reply;
  }

  /** The state that the reply depends on. */
  private before({ method }: Call): State {
    if (method === 'load') return this.empty;
    return method === 'evaluateMore' ? this.expected : modelOf(this.expected);
  }

  private async compute(from: State, call: Call): Promise<Known> {
    if (call.method !== 'load') await this.bring(from);
    const reply = await this.make(call);
    const next = reply.ok ? after(from, call) : null;
    this.engine = next ?? this.engine;
    return { reply, next };
  }

  /** Brings the engine to the state: from its current one if that is on the way, else from the load on. */
  private async bring(state: State): Promise<void> {
    if (!state.came || state === this.engine || state === modelOf(this.engine)) return;
    const { from, by } = state.came;
    if (by.method !== 'load') await this.bring(from);
    await this.make(by);
    this.engine = state;
  }

  private make({ method, args }: Call): Promise<Reply<unknown>> {
    return (this.opened[method] as (...args: unknown[]) => Promise<Reply<unknown>>)(...args);
  }
}

function after(from: State, by: Call): State | null {
  const model = EVALUATION.has(by.method) ? modelOf(from) : null;
  return model || MODEL.has(by.method) ? { came: { from, by }, model, known: new Map() } : null;
}

export function remembering(opened: Opened): Opened {
  const memory = new Remembering(opened);
  let turn: Promise<unknown> = Promise.resolve();
  return session(
    (method, args) => {
      if (method === 'calculate') return opened.calculate(...(args as Parameters<Opened['calculate']>)); // not of the model
      const reply = turn.then(() => memory.answer({ method, args }));
      turn = reply.catch(() => undefined);
      return reply;
    },
    () => opened.close(),
  );
}
