// What the engine refuses, while a lesson asks it.
import type { Reply } from '../types';

/** The message is the engine's own sentence. */
export class Refused extends Error {}

export async function need<T>(promised: Promise<Reply<T>>): Promise<T> {
  const reply = await promised;
  if (!reply.ok) throw new Refused(reply.message);
  return reply.value;
}
