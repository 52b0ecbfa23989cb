// The messages between page and worker. One call is in flight at a time; answers carry the call's id.
import type { Reply } from './types';

export interface Call {
  id: number;
  /** Id of a session in the worker; its first call creates it, "delete" frees it. */
  session: number;
  /** Of the session; or "each", with such a method and the arguments of several calls of it. */
  method: string;
  args: unknown[];
}

export type Answer =
  | { kind: 'ready' }
  /** The URLs that the worker has fetched: the page has no other way to know. */
  | { kind: 'fetched'; urls: string[] }
  | { kind: 'reply'; id: number; reply: Reply<unknown> }
  /** The module trapped, or could not start: this worker is unusable. */
  | { kind: 'dead'; message: string };

/** Name of the lock that a live worker holds: the page is granted it the moment the worker is gone. */
export const lifeLock = (worker: string): string => `unroll-worker-${worker}`;
