// What the learner types as own pairs or text, and how they want it read: kept for this browser tab, since a link has no
// room for it.
import * as v from 'valibot';
import { keepTypedHere, typedAt } from '../lab/store/typed';
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

/** Storing or reading a longer text takes longer than typing a letter should: it waits until typing has paused so long. */
export const LONG = 20_000;
export const PAUSE = 300;
const waiting: Partial<Record<OwnData, number>> = {};

export function keepDraft(what: OwnData, text: string): void {
  drafts[what] = text;
  clearTimeout(waiting[what]);
  if (text.length > LONG) waiting[what] = window.setTimeout(() => store(what), PAUSE);
  else store(what);
}

function store(what: OwnData): void {
  delete waiting[what];
  keepTypedHere(what, drafts[what]!);
}

if (typeof window !== 'undefined')
  addEventListener('pagehide', () => {
    for (const what of Object.keys(waiting)) store(what as OwnData);
  });

/** Undefined if nothing was typed yet; "" if the learner emptied the field. */
export const draftOf = (what: OwnData): string | undefined => (drafts[what] ??= typedAt(what) ?? undefined);

export const keepChoices = (choices: PairChoices): void => keepTypedHere('reading', JSON.stringify(choices));

/** Undefined if nothing was chosen yet. */
export function choicesKept(): PairChoices | undefined {
  try {
    return v.parse(schema, JSON.parse(typedAt('reading') ?? 'null'));
  } catch {
    return undefined;
  }
}
