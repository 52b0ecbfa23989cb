// How a token is shown. A blank has a mark, for nobody sees it otherwise, and a name for who points at it.
import { nothing, svg, type TemplateResult } from 'lit';

const BLANKS: readonly (readonly [token: string, mark: string, name: string])[] = [
  [' ', '␣', 'space'],
  ['\n', '↵', 'line break'],
  ['\t', '⇥', 'tab'],
];
const MARKS = new Map(BLANKS.map(([token, mark]) => [token, mark]));
const NAMES = new Map(BLANKS.map(([, mark, name]) => [mark, name]));

export const marked = (token: string): string => MARKS.get(token) ?? token;

/** "space" of "␣". */
export const nameOfMark = (word: string): string | undefined => NAMES.get(word);

/** The name in a drawing: inside the text that it belongs to. */
export function markTitle(word: string | undefined): TemplateResult | typeof nothing {
  const name = word && nameOfMark(word);
  return name ? svg`<title>${name}</title>` : nothing;
}
