// What a reader's text must not do, whatever it computes.
import * as texts from '#messages/lesson/code';
import type { Code } from '../format/code';

type Rules = Pick<Code, 'without' | 'lines' | 'given' | 'start'>;

/** Without comments and texts. */
const bare = (text: string): string => text.replace(/#.*|"[^"\n]*"|'[^'\n]*'/g, '');

const defined = (code: string): string[] =>
  Array.from(code.matchAll(/^def\s+([\p{L}_][\p{L}\p{N}_]*)/gmu), ([, name]) => name!);

/** An operation that the exercise is about, where the text calls it or names it; the reader's own name is another. */
export function usedOf(text: string, without: readonly string[]): string | undefined {
  const code = bare(text);
  const own = (name: string): boolean => new RegExp(`\\bdef\\b.*\\b${name}\\b|^\\s*${name}\\s*=(?!=)`, 'm').test(code);
  const use = (name: string): string => (own(name) ? `\\.${name}\\s*\\(` : `\\b${name}\\b(?!\\s*=(?!=))`);
  return without.find((name) => new RegExp(use(name)).test(code));
}

/** A function in the reader's text that is given, or that has the name of an operation that the given ones use. */
function takenOf(code: string, given: string, start: string): string | undefined {
  const called = Array.from(
    bare(given).matchAll(/(?<![.\p{L}\p{N}_])[\p{L}_][\p{L}\p{N}_]*(?=\()/gu),
    ([name]) => name,
  );
  const taken = new Set([...defined(given), ...called]);
  for (const asked of defined(start)) taken.delete(asked);
  return defined(code).find((name) => taken.has(name));
}

/** Something that outlasts a call: a line outside of functions, or a default value, which all calls share. */
const keeps = (code: string): boolean => /^(?!def\b)[^\s)\]}]/m.test(code) || /^def\b[^(]*\([^)]*=/m.test(code);

const lineCount = (code: string): number => code.split('\n').filter((line) => line.trim()).length;

/** Null if there is nothing against the text. */
export function refusalOf(rules: Rules, text: string): string | null {
  const code = bare(text);
  const used = usedOf(text, rules.without);
  if (used) return texts.mayNotUse(used);
  const taken = rules.given && takenOf(code, rules.given, rules.start);
  if (taken) return texts.isGiven(taken);
  if (rules.given && keeps(code)) return texts.KEEPS;
  const count = lineCount(code);
  return rules.lines !== undefined && count > rules.lines ? texts.tooLong(count, rules.lines) : null;
}
