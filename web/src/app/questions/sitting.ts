// What a reader has answered to the questions of a part.

/** In the record of progress, which keeps the answers as it keeps tries at a lesson's tasks. */
export const QUESTIONS = 'questions';

export const TIMES = ['before', 'after'] as const;
export type Time = (typeof TIMES)[number];

/** An option of one form of a question, both from 0, and when it was chosen. */
export interface Given {
  form: number;
  option: number;
  at: number;
}

export interface Sitting {
  /** The form that is asked before the part. */
  first: number;
  /** By question and time: "ratio-before". */
  given: ReadonlyMap<string, Given>;
}

/** "ratio" of "ratio-before". */
export const questionOf = (key: string): string => key.replace(/-\w+$/, '');

/** A try, whose answer is "1 0" for the first option of the second form. */
export function given({ answer, at }: { answer: string; at: number }): Given {
  const [form = 0, option = 0] = answer.split(' ').map(Number);
  return { form, option, at };
}

export const formOf = ({ first }: Sitting, time: Time): number => (time === 'before' ? first : 1 - first);

export const isWhole = ({ given }: Sitting, ids: readonly string[], time: Time): boolean =>
  ids.every((id) => given.has(`${id}-${time}`));
