// A list sorted with up and down buttons, which work by pointer, keyboard and voice.
import { moveDown, moveUp } from '#messages/lesson/tasks';

export const orderOf = (list: HTMLElement): number[] =>
  [...list.children].map((line) => Number((line as HTMLElement).dataset.step));

/** Lines that `order` does not name go first, in their present order. */
export function setOrder(list: HTMLElement, order: readonly number[]): void {
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
