// The messages between page and worker. One call is in flight at a time; answers carry the call's id.
import type { Method, Answered } from './types';

/** A method of the session, or what the worker makes of several: see serve.ts. */
export type CalledMethod = Method | 'batch' | 'traced' | 'delete';

export interface Call {
  id: number;
  /** Id of a session in the worker; its first call creates it, "delete" frees it. */
  session: number;
  method: CalledMethod;
  args: unknown[];
}

export type Answer =
  | { kind: 'ready' }
  /** The URLs that the worker has fetched: the page has no other way to know. */
  | { kind: 'fetched'; urls: string[] }
  | { kind: 'reply'; id: number; reply: Answered<unknown> }
  /** The module trapped, or could not start: this worker is unusable. */
  | { kind: 'dead'; message: string };

/** Name of the lock that a live worker holds: the page is granted it the moment the worker is gone. */
export const lifeLock = (worker: string): string => `unroll-worker-${worker}`;

/** Reports the URLs that this page, or this worker, has fetched so far, and those it fetches from now on. */
export function onFetched(report: (urls: string[]) => void): void {
  const observer = new PerformanceObserver((list) => report(list.getEntries().map(({ name }) => name)));
  observer.observe({ type: 'resource', buffered: true });
}

/**
 * A web lock, where the browser has them: resolves once the lock is released, or at once without locks. Rejects where they
 * are refused, though some throw.
 */
export async function requestLock(
  name: string,
  hold: (lock: Lock | null) => unknown,
  options: LockOptions = {},
): Promise<void> {
  await globalThis.navigator?.locks?.request(name, options, hold as LockGrantedCallback<unknown>);
}
