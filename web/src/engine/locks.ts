// Web locks, where the browser has them and grants them.

/** Resolves once the lock is released, or at once without locks. Rejects where they are refused, though some throw. */
export async function requestLock(
  name: string,
  hold: (lock: Lock | null) => unknown,
  options: LockOptions = {},
): Promise<void> {
  await globalThis.navigator?.locks?.request(name, options, hold as LockGrantedCallback<unknown>);
}
