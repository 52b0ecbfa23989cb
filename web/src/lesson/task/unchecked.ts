// The answer as it stands in the form of a task, and what was typed or picked there and not checked yet.
import { keepTyped, typedAt } from '../../lab/store/typed';
import { orderOf, setOrder } from './sortable';

const keyOf = (lesson: string, task: string): string => `answer-${lesson}/${task}`;

/** Null if there is none. */
export const uncheckedOf = (lesson: string, { id }: HTMLElement): string | null => typedAt(keyOf(lesson, id));

/** An emptied field keeps nothing: the last try comes back to it. */
export const keepUnchecked = (lesson: string, task: HTMLElement): void =>
  keepTyped(keyOf(lesson, task.id), answerIn(task) || null);

/** The answer was checked; another may have been typed since. */
export function dropUnchecked(lesson: string, task: HTMLElement, checked: string): void {
  if (uncheckedOf(lesson, task)?.trim() === checked) keepTyped(keyOf(lesson, task.id), null);
}

const listIn = (task: HTMLElement): HTMLElement | null => task.querySelector('.order');
const fieldIn = (task: HTMLElement): HTMLInputElement | null => task.querySelector('input.entry');

function answerIn(task: HTMLElement): string {
  const list = listIn(task);
  if (list) return orderOf(list).join(',');
  return (fieldIn(task) ?? task.querySelector<HTMLInputElement>('input[type=radio]:checked'))?.value ?? '';
}

export function putAnswer(task: HTMLElement, answer: string): void {
  const option = task.querySelector<HTMLInputElement>(`input[type=radio][value="${CSS.escape(answer)}"]`);
  const [list, field] = [listIn(task), fieldIn(task)];
  if (option) option.checked = true;
  if (list) setOrder(list, answer.split(',').map(Number));
  if (field) field.value = answer;
}
