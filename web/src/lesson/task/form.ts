// The form of a task: a list to sort, and the answer that is not checked yet, which a reload brings back.
import { moveDown, moveUp } from '#messages/lesson/tasks';
import { keepTyped, typedAt } from '../../lab/store/web-storage';

/** Lines that `order` does not name go first, in their present order. */
function setOrder(list: HTMLElement, order: readonly number[]): void {
  for (const step of order) {
    const line = list.querySelector(`[data-step="${step}"]`);
    if (line) list.append(line);
  }
  refresh(list);
}

export function makeSortable(list: HTMLElement, onMove: () => void): void {
  for (const line of list.children) {
    if (line.querySelector('button')) continue;
    const name = line.textContent!.trim();
    line.prepend(mover(list, line, -1, moveUp(name), onMove), mover(list, line, 1, moveDown(name), onMove));
  }
  refresh(list);
}

function mover(list: HTMLElement, line: Element, by: 1 | -1, label: string, onMove: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn move';
  button.textContent = by < 0 ? '↑' : '↓';
  button.setAttribute('aria-label', label);
  button.addEventListener('click', () => {
    const other = by < 0 ? line.previousElementSibling : line.nextElementSibling;
    if (!other) return;
    if (by < 0) other.before(line);
    else other.after(line);
    refresh(list);
    button.focus();
    onMove();
  });
  return button;
}

/** The first line cannot go up, nor the last down; their buttons stay focusable, so that focus is not lost. */
function refresh(list: HTMLElement): void {
  [...list.children].forEach((line, i, all) => {
    const [up, down] = line.querySelectorAll('button');
    up?.setAttribute('aria-disabled', String(i === 0));
    down?.setAttribute('aria-disabled', String(i === all.length - 1));
  });
}

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

/** As it is stored: a number or expression as typed, an option's number, or numbers of steps with commas. */
export function answerIn(task: HTMLElement): string {
  const list = listIn(task);
  if (list) return Array.from(list.children, (line) => (line as HTMLElement).dataset.step).join(',');
  return (fieldIn(task) ?? task.querySelector<HTMLInputElement>('input[type=radio]:checked'))?.value ?? '';
}

export function putAnswer(task: HTMLElement, answer: string): void {
  const option = task.querySelector<HTMLInputElement>(`input[type=radio][value="${CSS.escape(answer)}"]`);
  const [list, field] = [listIn(task), fieldIn(task)];
  if (option) option.checked = true;
  if (list) setOrder(list, answer.split(',').map(Number));
  if (field) field.value = answer;
}
