/** Opens the text after a task, which gives its answer, if it is folded up. */
export function unfoldAfter({ nextElementSibling: after }: Element): void {
  if (!(after instanceof HTMLDetailsElement)) return;
  after.open = true;
  after.className = 'after answered';
}
