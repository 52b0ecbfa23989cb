// What the learner types as own pairs or text, and how they want it read: kept for this browser tab, since a link has no
// room for it.
import { DRAFTS } from '../lab/store/forget';
import * as v from 'valibot';
import { SEPARATORS } from '../reader/table';
import type { OwnData } from '../engine/own-data';
import type { PairChoices } from '../reader/pairs';

export const PLAIN: PairChoices = { punctuation: false, unspaced: true };

const drafts: Partial<Record<OwnData, string>> = {};
const index = v.pipe(v.number(), v.integer(), v.minValue(0));
const schema = v.object({
  separator: v.optional(v.picklist(SEPARATORS)),
  columns: v.optional(v.tuple([index, index])),
  tokens: v.optional(v.picklist(['words', 'characters'])),
  punctuation: v.boolean(),
  unspaced: v.boolean(),
});

function keep(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // No storage, or not enough of it: the text lasts as long as the page.
  }
}

function kept(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Storing a longer text takes longer than typing a letter should: it is stored when typing rests. */
const LONG = 20_000;
const PAUSE = 300;
const waiting: Partial<Record<OwnData, number>> = {};

export function keepDraft(what: OwnData, text: string): void {
  drafts[what] = text;
  clearTimeout(waiting[what]);
  if (text.length > LONG) waiting[what] = window.setTimeout(() => store(what), PAUSE);
  else store(what);
}

function store(what: OwnData): void {
  delete waiting[what];
  keep(DRAFTS[what], drafts[what]!);
}

if (typeof window !== 'undefined')
  addEventListener('pagehide', () => {
    for (const what of Object.keys(waiting)) store(what as OwnData);
  });

/** Undefined if nothing was typed yet; "" if the learner emptied the field. */
export const draftOf = (what: OwnData): string | undefined => (drafts[what] ??= kept(DRAFTS[what]) ?? undefined);

export const keepChoices = (choices: PairChoices): void => keep(DRAFTS.reading, JSON.stringify(choices));

/** Undefined if nothing was chosen yet. */
export function choicesKept(): PairChoices | undefined {
  try {
    return v.parse(schema, JSON.parse(kept(DRAFTS.reading) ?? 'null'));
  } catch {
    return undefined;
  }
}
