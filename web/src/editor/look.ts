// How a program looks, in the page's own colours and type: inside the editor's shadow root, and as a listing to read.
import { pythonLanguage } from '@codemirror/lang-python';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { highlightCode, tagHighlighter, tags } from '@lezer/highlight';
import { html, type TemplateResult } from 'lit';

const KEYWORDS = [tags.keyword, tags.controlKeyword, tags.definitionKeyword, tags.operatorKeyword];
const STRINGS = [tags.string, tags.special(tags.string)];
const NUMBERS = [tags.number, tags.bool, tags.null];

const tokens = HighlightStyle.define([
  { tag: KEYWORDS, color: 'var(--score)' },
  { tag: tags.comment, color: 'var(--ink-3)', fontStyle: 'italic' },
  { tag: STRINGS, color: 'var(--parameter)' },
  { tag: NUMBERS, color: 'var(--state)' },
]);

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink)', backgroundColor: 'transparent', fontSize: 'var(--t-code)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    lineHeight: '1.25rem',
    scrollbarWidth: 'thin',
    scrollbarColor: 'var(--rule-2) transparent',
  },
  '.cm-content': { caretColor: 'var(--ink)', padding: '0 0 0.5rem' },
  '.cm-line': { position: 'relative', padding: '0 0.5rem 0 0.375rem' },
  '.cm-gutters': { border: '0', color: 'var(--ink-3)', backgroundColor: 'transparent' },
  '.cm-foldGutter .cm-gutterElement': { width: '0.75rem', cursor: 'pointer' },
  '.cm-foldPlaceholder': { padding: '0 0.25rem', color: 'var(--ink-3)', backgroundColor: 'var(--wash)', border: '0' },
  '.cm-signature': { padding: '0.125rem 0.5rem', fontFamily: 'var(--mono)', fontSize: 'var(--t-12)' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '1.75rem', padding: '0 0.25rem 0 0' },
  '.cm-bright': { backgroundColor: 'var(--wash)' },
  '.cm-on': { backgroundColor: 'var(--accent-wash)', boxShadow: 'inset 2px 0 0 var(--accent)' },
  '.cm-shape': {
    paddingLeft: '2ch',
    color: 'var(--ink-3)',
    fontFamily: 'var(--sans)',
    fontSize: 'var(--t-11)',
    whiteSpace: 'nowrap',
    userSelect: 'none',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--rule)', outline: 'none' },
  '.cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'transparent' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--wrong)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintPoint:after': { borderBottomColor: 'var(--wrong)' },
  '.cm-tooltip': {
    maxWidth: 'min(32rem, 90vw)',
    color: 'var(--ink)',
    backgroundColor: 'var(--paper)',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--radius)',
    font: '400 var(--t-13) / 1.35 var(--sans)',
  },
  '.cm-diagnostic': { padding: '0.375rem 0.5rem', borderLeft: '0' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '12rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.125rem 0.5rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--ink)', backgroundColor: 'var(--accent-wash)' },
  '.cm-completionMatchedText': { fontWeight: '600', textDecoration: 'none' },
  '.cm-completionDetail': { color: 'var(--ink-3)', fontStyle: 'normal' },
  '.cm-completionInfo': { width: 'max-content', maxWidth: '18rem', padding: '0.375rem 0.5rem' },
});

export const look: Extension = [theme, syntaxHighlighting(tokens)];

const roles = tagHighlighter([
  { tag: KEYWORDS, class: 'k' },
  { tag: tags.comment, class: 'cm' },
  { tag: STRINGS, class: 's' },
  { tag: NUMBERS, class: 'num' },
]);

/** Spaces by which the continuation of a long line is indented. */
const HANGING = 4;

/** A program in the colours of the editor. A line that is too long continues below, indented. */
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
