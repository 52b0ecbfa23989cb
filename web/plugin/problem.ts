// A mistake in a lesson: where it is, and one sentence that says what is wrong, what is allowed and how to mend it.

export interface Place {
  line: number;
  column: number;
}

export class LessonProblem extends Error {
  constructor(
    readonly file: string,
    readonly place: Place,
    readonly sentence: string,
  ) {
    super(`${file}:${place.line}:${place.column}: ${sentence}`);
    this.name = 'LessonProblem';
    // The place in the lesson is what its author needs, not the place in the reader.
    this.stack = this.message;
  }
}

const MOST = 40;

/** A value as a message shows it. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MOST ? `${text.slice(0, MOST - 1)}…` : text;
}

/** "a, b or c". */
export const anyOf = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
