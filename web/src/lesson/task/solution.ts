// A listed solution in words.
import type { Change, Changes } from '../changes';
import type { Task } from '../format/tasks';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const code = (text: string): string => `<code>${escaped(text)}</code>`;

/** A change as an instruction: a pair is read, steps are trained, all else is set. */
function changeText([name, value]: [name: string, value: Change]): string {
  if (name === 'steps') return `train ${value} steps`;
  if (name !== 'pair') return `set ${code(`${name} = ${Array.isArray(value) ? `(${value.join(', ')})` : value}`)}`;
  const [source, target] = value as string[];
  return `have it read ${code(source!)}${target ? ` with the target ${code(target)}` : ''}`;
}

function changesText(changes: Changes): string {
  const text = Object.entries(changes).map(changeText).join(', ').replaceAll(', set ', ', ');
  return text[0]!.toUpperCase() + text.slice(1);
}

/** Every task but multiple choice, where each option has its own explanation. */
export type Solvable = Exclude<Task, { kind: 'choose' }>;

/** The first listed solution as HTML; for `order` the steps in their order, with texts read from the page. */
export function solutionOf(task: Solvable, page: HTMLElement): string {
  switch (task.kind) {
    case 'goal':
      return `${changesText(task.solution[0] as Changes)}.`;
    case 'number':
      return `${task.solution[0]}.`;
    case 'write':
      return `${code(task.solution[0]!)}.`;
    case 'order':
      return `${task.steps.map((_, i) => page.querySelector(`[data-step="${i}"] > span`)?.innerHTML ?? '').join('; ')}.`;
  }
}
