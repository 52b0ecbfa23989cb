// Programs under the name of the page or exercise, and of the kind of model and its part, that they are written for.
import * as v from 'valibot';
import { keepTyped, typedAt } from '../lab/store/web-storage';

const draft = v.object({ changes: v.string(), text: v.string() });

const keyOf = (place: string): string => `program-${place}`;
const ranKey = (place: string): string => `ran-${place}`;

/** The name for the program of such a model. */
export const placeIn = (lesson: string, kind: unknown, part: unknown = ''): string => [lesson, kind, part].join(' ');

/** What was typed and not run yet, if it changes this program. After opening a link it may change another. */
export function draftOf(place: string, before: string): string | null {
  try {
    const stored = v.parse(draft, JSON.parse(typedAt(keyOf(place)) ?? 'null'));
    return stored.changes === before ? stored.text : null;
  } catch {
    return null; // none, or damaged
  }
}

export const keepDraft = (place: string, before: string, text: string): void =>
  keepTyped(keyOf(place), text === before ? null : JSON.stringify({ changes: before, text }));

/** The program that was run there last; null if none was. */
export const ranAt = (place: string): string | null => typedAt(ranKey(place));
export const keepRan = (place: string, program: string): void => keepTyped(ranKey(place), program);
