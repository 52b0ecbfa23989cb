// A listed solution in words.
import type { Changes } from './changes';
import type { Task } from '../../plugin/tasks';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const code = (text: string): string => `<code>${escaped(text)}</code>`;

const changesText = (changes: Changes): string =>
  Object.entries(changes)
    .map(([name, value]) => code(`${name} = ${Array.isArray(value) ? `(${value.join(', ')})` : value}`))
    .join(', ');

/** Of several options each has its own explanation: there is nothing to give away. */
export type Solvable = Exclude<Task, { kind: 'choose' }>;

/** As HTML. The texts of steps are read from the page. */
export function solutionOf(task: Solvable, page: HTMLElement): string {
  switch (task.kind) {
    case 'goal':
      return `Set ${changesText(task.solution[0]!)}.`;
    case 'number':
      return `${task.solution[0]}.`;
    case 'write':
      return `${code(task.solution[0]!)}.`;
    case 'order':
      return `${task.steps.map((_, i) => page.querySelector(`[data-step="${i}"] > span`)?.innerHTML ?? '').join('; ')}.`;
  }
}
