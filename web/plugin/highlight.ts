// The engine's C++ and the learner's Python with four classes of token, line by line. The highlighter runs at build time only.
import { createHighlighter, type Highlighter } from 'shiki';
import { createCssVariablesTheme } from 'shiki/core';
import { escape } from '../src/ui/escape';

const CLASSES: [RegExp, string][] = [
  [/comment/, 'cm'],
  [/string/, 's'],
  [/keyword/, 'k'],
  [/constant/, 'num'],
];

let loading: Promise<Highlighter> | null = null;
const highlighter = (): Promise<Highlighter> =>
  (loading ??= createHighlighter({
    themes: [createCssVariablesTheme({ name: 'roles', variablePrefix: '--' })],
    langs: ['cpp', 'python'],
  }));

const classOf = (color = ''): string => CLASSES.find(([pattern]) => pattern.test(color))?.[1] ?? '';

/** A piece of code and the class of its token, which may be none. */
export type Token = readonly [text: string, name: string];

/** The tokens of each line. */
export async function tokensOf(source: string, lang: 'cpp' | 'python'): Promise<Token[][]> {
  const { tokens } = (await highlighter()).codeToTokens(source.replace(/\n$/, ''), { lang, theme: 'roles' });
  return tokens.map((line) => line.map(({ content, color }): Token => [content, content.trim() ? classOf(color) : '']));
}

/** One HTML string per line. */
export const highlight = async (source: string, lang: 'cpp' | 'python' = 'cpp'): Promise<string[]> =>
  (await tokensOf(source, lang)).map((line) => line.map(span).join(''));

const span = ([text, name]: Token, place: number): string => {
  if (!name) return escape(text);
  if (name !== 'cm' || !place) return `<span class="${name}">${escape(text)}</span>`;
  const comment = text.trimStart(); // behind code
  return `${text.slice(0, -comment.length)}<span class="cm after">${escape(comment)}</span>`;
};
