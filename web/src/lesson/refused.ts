// Refusals of the engine as exceptions, for lesson code.
import type { Reply } from '../engine/types';

/** The message is the engine's own sentence. */
export class Refused extends Error {}

export async function unwrap<T>(promised: Promise<Reply<T>>): Promise<T> {
  const reply = await promised;
  if (!reply.ok) throw new Refused(reply.message);
  return reply.value;
}
