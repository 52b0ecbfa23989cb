// A refusal as an exception.
import type { Problem, Reply } from './types';

/** The message is the sentence for the learner. */
export class Refused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }

  /** A refusal by the page itself. */
  static input(message: string): Refused {
    return new Refused({ code: 'E_INPUT', message, detail: '' });
  }
}

/** The value of a reply. Throws Refused. */
export async function unwrap<T>(promised: Promise<Reply<T>>): Promise<T> {
  const reply = await promised;
  if (!reply.ok) throw new Refused(reply);
  return reply.value;
}
