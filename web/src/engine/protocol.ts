// The messages between page and worker. One call is in flight at a time; answers carry the call's id.
import type { Reply } from '../types';

export interface Call {
  id: number;
  /** Which session of the worker; made by its first call, freed by "delete". */
  session: number;
  method: string;
  args: unknown[];
}

export type Answer =
  | { kind: 'ready' }
  /** Which files it has loaded: the page does not hear of them otherwise. */
  | { kind: 'fetched'; urls: string[] }
  | { kind: 'reply'; id: number; reply: Reply<unknown> }
  /** The module trapped, or could not start: this worker is of no more use. */
  | { kind: 'dead'; message: string };

/** The lock a live worker holds: the page is granted it at the moment the worker is gone. */
export const lifeLock = (worker: string): string => `unroll-worker-${worker}`;
