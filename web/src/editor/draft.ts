// A program that is being written and not run yet: kept in this tab, under the name of its page, with the program that
// it changes. Where another one runs, as after opening a link, it is not shown.
import * as v from 'valibot';
import { PROGRAM_DRAFT } from '../lab/store/forget';

const draft = v.object({ changes: v.string(), text: v.string() });

const keyOf = (page: string): string => `${PROGRAM_DRAFT}${page}`;

/** Null if there is none for the program that runs. */
export function draftOf(page: string, running: string): string | null {
  try {
    const kept = v.parse(draft, JSON.parse(sessionStorage.getItem(keyOf(page)) ?? 'null'));
    return kept.changes === running ? kept.text : null;
  } catch {
    return null; // none, damaged, or the browser keeps nothing
  }
}

export function keepDraft(page: string, running: string, text: string): void {
  try {
    if (text === running) sessionStorage.removeItem(keyOf(page));
    else sessionStorage.setItem(keyOf(page), JSON.stringify({ changes: running, text }));
  } catch {
    // Without storage it lasts as long as the page.
  }
}
