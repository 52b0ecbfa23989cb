// What the browser keeps of the learner's work. It may keep nothing: a private window, no room, a site's data blocked.

/** Undefined if the browser keeps nothing; where a site's data is blocked, to ask at all throws. */
export async function unlessRefused<R>(ask: () => R | Promise<R>): Promise<R | undefined> {
  try {
    return await ask();
  } catch {
    return undefined;
  }
}
