// Refusals can be translated: a sentence is its pattern filled with its arguments, and no argument is English.
import { inspect } from 'node:util';
import { expect } from 'vitest';
import type { Problem } from '../../web/src/engine/types';
import { sentence } from '../../web/src/messages/sentence';

export type Refusal = { ok: false } & Required<Problem>;

const PLACE = /\{(text|number|shape|list|line|field)\}/g;

/** Checks the refusal of a call with these arguments, which it may quote. */
export function expectTranslatable(reply: Refusal, words: unknown): void {
  const { message, pattern, arguments: given } = reply;
  const rest = [...given];
  expect(pattern.replace(PLACE, () => rest.shift()!)).toBe(message);
  expect(rest).toEqual([]);
  const kinds = Array.from(pattern.matchAll(PLACE), ([, kind]) => kind!);
  for (const [i, each] of given.entries())
    expect(isOfKind[kinds[i]!]!(each) || inspect(words).includes(each), `{${kinds[i]}} ${each}: ${message}`).toBe(true);
  const counts = (i: number): boolean => ['number', 'line', 'list'].includes(kinds[i]!);
  expect(inReverse(reply)).toEqual(given.map((each, i) => (counts(i) ? expect.stringMatching(/./) : each)).reverse());
}

/** An identifier, or the name of a value such as "log p[0]". */
const isName = (text: string): boolean => /^\S*$|\[[\d, ]+\]$/u.test(text);

/** The form of an argument that is not English. */
const isOfKind: Record<string, (text: string) => boolean> = {
  text: (text) => text.split(', ').every(isName),
  number: (text) => /^−?∞$|^NaN$/.test(text) || !Number.isNaN(Number(text)),
  shape: (text) => /^\([\d, ]*\)$/.test(text),
  list: (text) => text.split(', ').every(isName),
  line: (text) => /^\d+$/.test(text),
  field: (text) => /^\w+$/.test(text),
};

/** Translates into a made-up language: the arguments alone, in reverse order. */
function inReverse(reply: Refusal): string[] {
  const places = reply.arguments.map((_, place) => `{${place}}`).reverse();
  const refusals = { [reply.pattern]: ['', ...places].join('⟩⟨') };
  return sentence(reply, { tag: 'en', refusals, fields: {} }).split('⟩⟨').slice(1);
}
