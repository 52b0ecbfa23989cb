// How a token is shown. White space gets a visible mark, and a name for its tooltip.
import { LINE_BREAK, SPACE, TAB } from '#messages/ui';
import { nothing, svg, type TemplateResult } from 'lit';

const BLANKS: readonly (readonly [token: string, mark: string, name: string])[] = [
  [' ', '␣', SPACE],
  ['\n', '↵', LINE_BREAK],
  ['\t', '⇥', TAB],
];
const MARKS = new Map(BLANKS.map(([token, mark]) => [token, mark]));
const NAMES = new Map(BLANKS.map(([, mark, name]) => [mark, name]));

export const marked = (token: string): string => MARKS.get(token) ?? token;

/** "␣" → "space". */
export const nameOfMark = (word: string): string | undefined => NAMES.get(word);

/** The name as an SVG tooltip, to go inside the <text> of the token. */
export function markTitle(word: string | undefined): TemplateResult | typeof nothing {
  const name = word && nameOfMark(word);
  return name ? svg`<title>${name}</title>` : nothing;
}
