// Solutions in words.
import { html, type TemplateResult } from 'lit';
import { steps } from './counts';

// Each before a sentence that says more.
export const A_SOLUTION = 'A solution.';
export const THE_ANSWER = 'The answer.';

type Part = TemplateResult | string | number | readonly Node[];

/** A part of a solution: settings, like "temperature = 0.5", training, or what the model reads. */
export type Instruction =
  { set: readonly TemplateResult[] } | { train: number } | { read: TemplateResult; target: TemplateResult | null };

/** "Set a = 1, b = 2, train 50 steps, have it read abc." */
export const instructions = (all: readonly Instruction[]): TemplateResult =>
  html`${all.map((each, i) => html`${i ? ', ' : ''}${instruction(each, !i)}`)}.`;

function instruction(each: Instruction, first: boolean): TemplateResult {
  if ('set' in each) return html`${first ? 'Set' : 'set'} ${each.set.map((part, i) => [i ? ', ' : '', part])}`;
  if ('train' in each) return html`${first ? 'Train' : 'train'} ${steps(each.train)}`;
  const { read, target } = each;
  return html`${first ? 'Have' : 'have'} it read ${read}${target ? html` with the target ${target}` : ''}`;
}

/** A solution that is one expression or number. */
export const solution = (answer: Part): TemplateResult => html`${answer}.`;
/** A solution that is an order of steps. */
export const inOrder = (all: readonly Part[]): TemplateResult =>
  html`${all.map((step, i) => html`${i ? '; ' : ''}${step}`)}.`;
