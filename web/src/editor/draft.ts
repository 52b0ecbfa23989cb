// A program that is being written and not run or checked yet: kept in this tab, under the name of its page or exercise,
// with the program that it changes. Where that is another one, as after opening a link, it is not shown.
import * as v from 'valibot';
import { PROGRAM_DRAFT } from '../lab/store/forget';

const draft = v.object({ changes: v.string(), text: v.string() });

const keyOf = (place: string): string => `${PROGRAM_DRAFT}${place}`;

/** Null if there is none that changes this program. */
export function draftOf(place: string, before: string): string | null {
  try {
    const kept = v.parse(draft, JSON.parse(sessionStorage.getItem(keyOf(place)) ?? 'null'));
    return kept.changes === before ? kept.text : null;
  } catch {
    return null; // none, damaged, or the browser keeps nothing
  }
}

export function keepDraft(place: string, before: string, text: string): void {
  try {
    if (text === before) sessionStorage.removeItem(keyOf(place));
    else sessionStorage.setItem(keyOf(place), JSON.stringify({ changes: before, text }));
  } catch {
    // Without storage it lasts as long as the page.
  }
}
