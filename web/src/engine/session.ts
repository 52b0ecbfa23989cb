// The calls of a session, as bindings/session.h and programs.h list them: in the engine, where each replies, and
// elsewhere, where each promises to.
import type { Calls } from '../../../bindings/engine';
import type { Answered, Reply } from './types';

export type Method = keyof Calls;

/** A session in the engine. */
export type EngineSession = { [M in Method]: (...args: Parameters<Calls[M]>) => Answered<ReturnType<Calls[M]>> } & {
  delete(): void;
};

/** An engine module. */
export interface Engine {
  Session: new () => EngineSession;
  taskNames(): string[];
  recipeModels(): string[];
  /** Of the sources that it was compiled from. */
  sourceHash(): string;
}

/** The calls of a session that is elsewhere. */
export type Promised = { [M in Method]: (...args: Parameters<Calls[M]>) => Promise<Reply<ReturnType<Calls[M]>>> };

/** Passes on a call of `object`, by its name and arguments. */
type Forward<O> = (object: O, method: Method, args: unknown[]) => Promise<Reply<unknown>>;

/** A prototype that has every call, and passes each on. */
export const forwarding = <O>(forward: Forward<O>): Promised =>
  new Proxy({} as Promised, {
    // A promise that resolves to the object looks for "then".
    get: (_, method, object: O) =>
      typeof method === 'symbol' || method === 'then'
        ? undefined
        : (...args: unknown[]) => forward(object, method as Method, args),
  });
