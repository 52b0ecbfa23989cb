// Refusals can be translated: an error is the id of a sentence, and no argument is English.
import { inspect } from 'node:util';
import { expect } from 'vitest';
import type { MessageArgument } from '../../bindings/engine';
import type { Answered } from '../../web/src/engine/types';
import { english } from '../../web/plugin/engine-module';
import { worded, type EngineError } from '../../web/src/messages/sentence';

export type Refusal = Extract<Answered<unknown>, { ok: false }>;

/** Checks the refusal of a call with these arguments, which it may quote. */
export function expectTranslatable(reply: Refusal, words: unknown): void {
  expect(said(reply)).toMatch(/^\S.*\.$/su);
  const quoted = inspect(words);
  for (const each of textsIn(reply.arguments)) expect(isName(each) || quoted.includes(each), each).toBe(true);
}

const textsIn = (given: MessageArgument[]): string[] =>
  given.flatMap((each) => {
    if (typeof each === 'string' || Array.isArray(each)) return each;
    return typeof each === 'object' && 'id' in each ? textsIn(each.arguments) : [];
  });

/** An identifier, several, or the name of a value such as "log p[0]". */
const isName = (text: string): boolean =>
  text.split(', ').every((each) => /^\S*$/u.test(each)) || /\[[\d, ]+\]$/u.test(text);

/** In the page's English. */
export const said = (told: EngineError): string => worded(told, english);
