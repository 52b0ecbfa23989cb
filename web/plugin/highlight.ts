// The engine's C++ as HTML with four classes of token, line by line. The highlighter runs at build time only.
import { createHighlighter, type Highlighter } from 'shiki';
import { createCssVariablesTheme } from 'shiki/core';
import { escape } from '../src/ui/escape';

const CLASSES: [RegExp, string][] = [
  [/comment/, 'cm'],
  [/string/, 's'],
  [/keyword/, 'k'],
  [/constant/, 'num'],
];

let made: Promise<Highlighter> | null = null;
const highlighter = (): Promise<Highlighter> =>
  (made ??= createHighlighter({
    themes: [createCssVariablesTheme({ name: 'roles', variablePrefix: '--' })],
    langs: ['cpp'],
  }));

const classOf = (color = ''): string => CLASSES.find(([pattern]) => pattern.test(color))?.[1] ?? '';

/** One HTML string per line. */
export async function highlight(source: string): Promise<string[]> {
  const { tokens } = (await highlighter()).codeToTokens(source.replace(/\n$/, ''), { lang: 'cpp', theme: 'roles' });
  return tokens.map((line) => line.map(({ content, color }) => span(content, classOf(color))).join(''));
}

const span = (content: string, name: string): string =>
  name && content.trim() ? `<span class="${name}">${escape(content)}</span>` : escape(content);
