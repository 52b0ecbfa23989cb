// A listed solution in words.
import { inOrder, instructions, solution, type Instruction } from '#messages/lesson/solutions';
import type { TemplateResult } from 'lit';
import type { Change, Changes } from '../changes';
import type { AnsweredTask } from '../format/tasks';
import { code } from './said';

const shown = (value: Change): string => (Array.isArray(value) ? `(${value.join(', ')})` : String(value));

/** A pair is read, steps are trained, all else is set: settings that follow each other are one instruction. */
function instructionsOf(changes: Changes): Instruction[] {
  const all: Instruction[] = [];
  for (const [name, value] of Object.entries(changes)) {
    const next = instructionOf(name, value);
    const last = all.at(-1);
    if (last && 'set' in last && 'set' in next) all[all.length - 1] = { set: [...last.set, ...next.set] };
    else all.push(next);
  }
  return all;
}

function instructionOf(name: string, value: Change): Instruction {
  if (name === 'steps') return { train: Number(value) };
  if (name !== 'pair') return { set: [code(`${name} = ${shown(value)}`)] };
  const [source, target] = value as string[];
  return { read: code(source!), target: target ? code(target) : null };
}

/** Every task but multiple choice, where each option has its own explanation. */
export type Solvable = Exclude<AnsweredTask, { kind: 'choose' }>;

/** The first listed solution; for `order` the steps in their order, with texts copied from the page. */
export function listedSolution(task: Solvable, page: HTMLElement): TemplateResult {
  switch (task.kind) {
    case 'goal':
      return instructions(instructionsOf(task.solution[0] as Changes));
    case 'number':
      return solution(task.solution[0]!);
    case 'write':
      return solution(code(task.solution[0]!));
    case 'order':
      return inOrder(task.steps.map((_, i) => stepText(page, i)));
  }
}

const stepText = (page: HTMLElement, step: number): Node[] =>
  textOf(page.querySelector(`[data-step="${step}"] > span`));

/** A copy of what it holds. */
export const textOf = (element: Element | null): Node[] => [...(element?.cloneNode(true).childNodes ?? [])];
