// Opens the search, from its button or by the key "/". What searches and what is searched are fetched at the first opening.
import { NOT_LOADED } from '#messages/search';
import { lettersOn } from '../../bench/transport/keys';
import { mainLab } from '../../lab/lab-root';

export const SEARCH_KEY = '/';

export async function openSearch(): Promise<void> {
  try {
    const { searchDialog } = await import('./search-dialog');
    await searchDialog().open();
  } catch (error) {
    mainLab()?.lab.reportProblem({ code: 'E_WORKER', message: NOT_LOADED, detail: String(error) });
  }
}

const isKey = (event: KeyboardEvent): boolean =>
  event.key === SEARCH_KEY &&
  !(event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented);

/** There the key is a letter of the text; and a dialog keeps the keys for itself. */
const takesText = (target: Element): boolean =>
  target.closest(
    'input:not([type=checkbox],[type=radio],[type=button]), textarea, select, [contenteditable], dialog',
  ) !== null;

/** Asks what has the focus, also in a shadow root, as the editor of a program is. */
const isTyping = (event: KeyboardEvent): boolean => takesText(event.composedPath()[0] as Element);

/** Call once. Single-letter keys can be turned off, and this is one. */
export function listenForSearch(): void {
  document.addEventListener('keydown', (event) => {
    if (!isKey(event) || !lettersOn() || isTyping(event)) return;
    event.preventDefault();
    void openSearch();
  });
}
