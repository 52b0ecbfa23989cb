// A program to read, in the colours of the editor. A line that is too long continues below, indented.
import { pythonLanguage } from '@codemirror/lang-python';
import { highlightCode, tagHighlighter, tags } from '@lezer/highlight';
import { html, type TemplateResult } from 'lit';

const roles = tagHighlighter([
  { tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword, tags.operatorKeyword], class: 'k' },
  { tag: tags.comment, class: 'cm' },
  { tag: [tags.string, tags.special(tags.string)], class: 's' },
  { tag: [tags.number, tags.bool, tags.null], class: 'num' },
]);

/** Spaces by which the continuation of a long line is indented. */
const HANGING = 4;

export function listing(program: string): TemplateResult {
  const text = program.trimEnd();
  const lines: TemplateResult[][] = [[]];
  const put = (part: string, role: string): void =>
    void lines.at(-1)!.push(role ? html`<span class=${role}>${part}</span>` : html`${part}`);
  highlightCode(text, pythonLanguage.parser.parse(text), roles, put, () => void lines.push([]));
  const indents = text.split('\n').map((line) => line.search(/\S|$/) + HANGING);
  return html`<pre class="listing">
${lines.map((parts, i) => html`<code style="--indent:${indents[i]!}ch">${parts}${'\n'}</code>`)}</pre>`;
}
