// A listed solution in words.
import { html, type TemplateResult } from 'lit';
import type { Change, Changes } from '../changes';
import type { Task } from '../format/tasks';
import { code } from './said';

const isSetting = (name: string | undefined): boolean => name !== undefined && name !== 'pair' && name !== 'steps';
const shown = (value: Change): string => (Array.isArray(value) ? `(${value.join(', ')})` : String(value));

/** A change as an instruction: a pair is read, steps are trained, all else is set, which is said once for several. */
function changeText([name, value]: [string, Change], previous: string | undefined): TemplateResult {
  const first = previous === undefined;
  if (name === 'steps') return html`${first ? 'Train' : 'train'} ${value} steps`;
  if (name === 'pair') return html`${first ? 'Have' : 'have'} it read ${pairText(value as string[])}`;
  const setting = code(`${name} = ${shown(value)}`);
  return isSetting(previous) ? setting : html`${first ? 'Set' : 'set'} ${setting}`;
}

const pairText = ([source, target]: string[]): TemplateResult =>
  target ? html`${code(source!)} with the target ${code(target)}` : code(source!);

const changesText = (changes: Changes): TemplateResult[] =>
  Object.entries(changes).map((change, i, all) => html`${i ? ', ' : ''}${changeText(change, all[i - 1]?.[0])}`);

/** Every task but multiple choice, where each option has its own explanation. */
export type Solvable = Exclude<Task, { kind: 'choose' }>;

/** The first listed solution; for `order` the steps in their order, with texts copied from the page. */
export function solutionOf(task: Solvable, page: HTMLElement): TemplateResult {
  switch (task.kind) {
    case 'goal':
      return html`${changesText(task.solution[0] as Changes)}.`;
    case 'number':
      return html`${task.solution[0]}.`;
    case 'write':
      return html`${code(task.solution[0]!)}.`;
    case 'order':
      return html`${task.steps.map((_, i) => html`${i ? '; ' : ''}${stepText(page, i)}`)}.`;
  }
}

const stepText = (page: HTMLElement, step: number): Node[] => [
  ...(page.querySelector(`[data-step="${step}"] > span`)?.cloneNode(true).childNodes ?? []),
];
