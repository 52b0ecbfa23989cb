// Answers to a task, and the verdict on one.
import { NOT_CHECKED, NOT_YET, RIGHT } from '#messages/lesson/tasks';
import { html, nothing, type TemplateResult } from 'lit';
import { rounded } from '../../ui/numbers';
import type { Run, Work } from '../run';
import type { AnsweredTask } from '../format/tasks';

export type Message = TemplateResult | string;

export const code = (text: string): TemplateResult => html`<code>${text}</code>`;

/** A number in a sentence. */
export const short = (x: number): string => rounded(x, 5);

export interface Verdict {
  right: boolean;
  message: Message;
  /** Wrong because of earlier changes: offer to restore the lesson's own model. */
  offerReset?: true;
}

/** Why an answer was not checked, or the verdict on it, with `reset` where it is offered. */
export function verdictLine(
  complaint: string,
  verdict: Verdict | null,
  reset?: TemplateResult,
): TemplateResult | typeof nothing {
  if (complaint) return html`<p class="verdict wrong"><b>${NOT_CHECKED}</b> ${complaint}</p>`;
  if (!verdict) return nothing;
  const { right, message, offerReset } = verdict;
  return html`<p class=${`verdict ${right ? 'right' : 'wrong'}`}>
    <b>${right ? RIGHT : NOT_YET}</b> ${message} ${offerReset ? reset : nothing}
  </p>`;
}

/** An answer that cannot be read; it does not count as a try. */
export class UnreadableAnswer extends Error {}

/** The learner's experiment, and its run if that is at hand. */
export interface GoalAnswer extends Work {
  run?: Run;
}

/** The answer to each kind of task: the learner's experiment, a text, or positions. */
export type AnswerOf<K extends AnsweredTask['kind']> = K extends 'goal'
  ? GoalAnswer
  : K extends 'number' | 'write'
    ? string
    : number[];
export type Answer = AnswerOf<AnsweredTask['kind']>;
