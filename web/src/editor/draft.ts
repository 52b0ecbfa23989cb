// A program that is being written and not run yet: kept in this tab, under the name of its page.
import { PROGRAM_DRAFT } from '../lab/store/forget';

const keyOf = (page: string): string => `${PROGRAM_DRAFT}${page}`;

/** Null if there is none, or the browser keeps nothing. */
export function draftOf(page: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(page));
  } catch {
    return null;
  }
}

/** Null drops it: the program is what runs. */
export function keepDraft(page: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(keyOf(page));
    else sessionStorage.setItem(keyOf(page), text);
  } catch {
    // Without storage it lasts as long as the page.
  }
}
