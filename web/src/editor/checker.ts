// Asks the engine what the lines of a program compute, while it is typed: one question at a time, the last text wins.
import { CHECK_STOPPED } from '#messages/bench/program';
import { sentence, type Refusal } from '../messages/sentence';
import type { Reply } from '../engine/types';
import type { Outline } from '../engine/types';
import type { Mistake } from './program-editor';

export interface Checked {
  text: string;
  lines: Outline['lines'];
  mistake: Mistake | null;
}

/** Milliseconds without a key press before it asks. */
const PAUSE = 25;

export class Checker {
  private waiting: string | null = null;
  private asking = false;
  private timer = 0;

  constructor(
    private readonly outlineOf: (text: string) => Promise<Reply<Outline>>,
    private readonly show: (checked: Checked) => void,
  ) {}

  check(text: string, pause = PAUSE): void {
    this.waiting = text;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.ask(), pause);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.waiting = null;
  }

  private async ask(): Promise<void> {
    const text = this.waiting;
    if (text === null || this.asking) return;
    this.waiting = null;
    this.asking = true;
    const reply = await this.outlineOf(text);
    this.asking = false;
    if (this.waiting !== null) return void this.ask();
    if (reply.ok)
      this.show({ text, lines: reply.value.lines, mistake: reply.value.message ? mistakeIn(reply.value) : null });
    else this.show({ text, lines: [], mistake: { line: 1, column: 1, message: CHECK_STOPPED } });
  }
}

/** A problem that names no place is the whole program's. */
export const mistakeIn = (problem: Refusal): Mistake => ({
  ...(placeOf(problem) ?? { line: 1, column: 1 }),
  message: sentence(problem),
});

/** Where in a program, from 1; undefined if the problem names no place. */
export function placeOf(problem: Refusal): { line: number; column: number } | undefined {
  const [line, column] = problem.arguments ?? [];
  const placed = problem.pattern?.startsWith('line {line}, column {number}: ');
  return placed ? { line: Number(line), column: Number(column) } : undefined;
}
