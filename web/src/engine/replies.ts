// The engine's answers as the page reads them: an error has its sentence.
import { sentence } from '../messages/sentence';
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
