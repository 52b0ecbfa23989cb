// A mistake in a lesson: where it is, and one sentence that says what is wrong, what is allowed and how to fix it.

export interface Place {
  line: number;
  column: number;
}

/** Of a file as a whole. */
export const TOP: Place = { line: 1, column: 1 };

export class LessonProblem extends Error {
  constructor(
    readonly file: string,
    readonly place: Place,
    readonly sentence: string,
  ) {
    super(`${file}:${place.line}:${place.column}: ${sentence}`);
    this.name = 'LessonProblem';
    // The author needs the place in the lesson, not the place in the parser.
    this.stack = this.message;
  }
}

const MAX_LENGTH = 40;

/** A value as JSON for a message, cut to MAX_LENGTH characters. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}

/** "a, b or c". */
export const anyOf = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
