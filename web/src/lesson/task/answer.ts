// Answers to a task, the verdict on one, and the answers stored in this browser: a reload loses no try.
import { NOT_CHECKED, NOT_YET, RIGHT } from '#messages/lesson/tasks';
import { html, nothing, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import * as v from 'valibot';
import { rounded } from '../../ui/numbers';
import { withDatabase, tableIn, updateStored, type Outcome } from '../../lab/store/storage';
import type { Run, Work } from '../run';
import type { AnsweredTask } from '../format/tasks';

export type Message = TemplateResult | string;

/** HTML that was rendered when the lesson was built: nothing else may be shown as such. */
export const builtHtml = (text: string): TemplateResult => html`${unsafeHTML(text)}`;

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

const tries = v.array(
  v.object({
    /** As typed, the option's index, indices with commas, or "checked" for a goal. */
    answer: v.string(),
    right: v.boolean(),
  }),
);
export type Try = v.InferOutput<typeof tries>[number];

const MAX_TRIES = 20;

/** The tries of an exercise; none without storage, or if the entry is not valid. */
export const triesOf = async (lesson: string, task: string): Promise<Try[]> =>
  triesIn(tableIn(await withDatabase((db) => db.get('tries', lesson)))[task]);

export const keepTry = (lesson: string, task: string, attempt: Try): Promise<Outcome> =>
  updateStored('tries', lesson, (stored) => ({
    ...stored,
    [task]: [...triesIn(stored[task]), attempt].slice(-MAX_TRIES),
  }));

function triesIn(entry: unknown): Try[] {
  const read = v.safeParse(tries, entry);
  return read.success ? read.output : [];
}
