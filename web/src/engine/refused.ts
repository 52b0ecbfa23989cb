// The engine's answers as the page reads them: an error has its sentence, and may be an exception.
import { fetchSentences, sentence } from '../messages/sentence';
import { whyMissing } from './offline';
import type { Answered, ErrorCode, Failure, Problem, Reply } from './types';

export const problemOf = async (failure: Failure, detail: string): Promise<Problem> => ({
  ...failure,
  code: failure.code as ErrorCode,
  message: await sentence(failure).catch(() => whyMissing()),
  detail,
});

export const inWords = async <T>(answered: Answered<T>): Promise<Reply<T>> =>
  answered.ok ? answered : { ...answered, ...(await problemOf(answered, answered.detail)) };

/** Fetches ahead what a refusal says, so that it is at hand without a network. Where there is none, the refusal says so. */
export async function expectRefusals(): Promise<void> {
  if (globalThis.navigator?.onLine) await fetchSentences().catch(() => undefined);
}

/** A refusal as an exception: the message is the sentence for the learner. */
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
