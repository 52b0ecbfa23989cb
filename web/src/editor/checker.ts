// Asks the engine what the lines of a program compute, while it is typed: one question at a time, the last text wins.
import { CHECK_STOPPED } from '#messages/bench/program';
import { problemOf } from '../engine/refused';
import type { Outline, Problem, Reply } from '../engine/types';
import type { Mistake } from './program-editor';

export interface Checked {
  text: string;
  lines: Outline['lines'];
  mistake: Mistake | null;
}

/** Milliseconds without a key press before it asks. */
const PAUSE = 25;

/** Milliseconds after which what was said of an earlier text is taken away: a loop may be checked for seconds. */
const LATE = 500;

export class Checker {
  private waiting: string | null = null;
  private asking = false;
  private timer = 0;
  private late = 0;

  constructor(
    private readonly outlineOf: (text: string) => Promise<Reply<Outline>>,
    private readonly show: (checked: Checked) => void,
  ) {}

  check(text: string, pause = PAUSE): void {
    this.waiting = text;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.ask(), pause);
    clearTimeout(this.late);
    this.late = window.setTimeout(() => this.show({ text, lines: [], mistake: null }), LATE);
  }

  stop(): void {
    clearTimeout(this.timer);
    clearTimeout(this.late);
    this.waiting = null;
  }

  private async ask(): Promise<void> {
    const text = this.waiting;
    if (text === null || this.asking) return;
    this.waiting = null;
    this.asking = true;
    const checked = await this.checked(text);
    this.asking = false;
    if (this.waiting !== null) return void this.ask();
    clearTimeout(this.late);
    this.show(checked);
  }

  private async checked(text: string): Promise<Checked> {
    const reply = await this.outlineOf(text);
    if (!reply.ok) return { text, lines: [], mistake: { line: 1, column: 1, message: CHECK_STOPPED } };
    const { lines, mistake } = reply.value;
    return { text, lines, mistake: mistake && mistakeIn(await problemOf(mistake, 'outline')) };
  }
}

/** A problem that names no place is the whole program's. */
export const mistakeIn = (problem: Problem): Mistake => ({
  ...(placeOf(problem) ?? { line: 1, column: 1 }),
  message: problem.message,
});

/** Where in a program, from 1; undefined if the problem names no place. */
export const placeOf = ({ place }: Partial<Problem>): Problem['place'] => (place?.column ? place : undefined);
