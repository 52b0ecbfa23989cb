// The table in the glossary that names the same thing in three papers, in the lessons and in the engine.
import { ABOUT_NAMES, IN_ENGINE, IN_LESSONS, NAMES, NO_NAME, PAPERS as TITLES } from '#messages/pages';
import { escape } from '../src/ui/escape';
import { PAPERS, type Term } from './glossary';
import { anchorOf } from './links';
import { inlineHtml, parseInline } from './markdown';
import { TOP } from './problem';

const FILE = 'lessons/glossary.yaml';
export const NAMES_ID = 'names';

const markdown = (text: string): string => inlineHtml(parseInline(text, TOP), FILE);

/** Its label stands in the cell on screens that are too narrow for columns. */
const cell = (label: string, html: string): string =>
  `<td role="cell" data-label="${escape(label)}"><span>${html || NO_NAME}</span></td>`;

const codeOf = (names: readonly string[]): string => names.map((name) => `<code>${escape(name)}</code>`).join(', ');

const row = ({ name, papers, code = [] }: Term): string =>
  `<tr role="row"><th role="rowheader" scope="row"><a href="#${anchorOf(name)}">${escape(name)}</a></th>${PAPERS.map(
    (paper) => cell(TITLES[paper], markdown(papers?.[paper] ?? '')),
  ).join('')}${cell(IN_ENGINE, codeOf(code))}</tr>`;

const head = (): string =>
  [IN_LESSONS, ...PAPERS.map((paper) => TITLES[paper]), IN_ENGINE]
    .map((title) => `<th role="columnheader" scope="col">${escape(title)}</th>`)
    .join('');

/** Of the words that have names elsewhere; nothing if none has. */
export function concordance(words: readonly Term[]): string {
  const named = words.filter(({ papers, code }) => papers ?? code);
  if (!named.length) return '';
  return `<h2 id="${NAMES_ID}">${NAMES}</h2>
<p>${ABOUT_NAMES}</p>
<table class="names" role="table"><thead role="rowgroup"><tr role="row">${head()}</tr></thead>
<tbody role="rowgroup">${named.map(row).join('\n')}</tbody></table>`;
}
