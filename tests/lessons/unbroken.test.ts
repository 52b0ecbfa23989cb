// Where line breaks in a lesson's text are prevented.
import { expect, it } from 'vitest';
import type { RootContent } from 'mdast';
import { element, parseMarkdown, plain, toHtml } from '../../web/plugin/markdown';

const html = (text: string): string => toHtml(parseMarkdown(text).children, 'lesson.md');

it('punctuation stays with the formula before it', () => {
  expect(html('It is $-\\infty$. And $x$, too.').match(/<\/span>(\.|,)<\/span>/g)).toHaveLength(2);
  expect(html('It is $x$ here.')).not.toContain('unbroken');
  expect(html('$$x$$\n\nNext.')).not.toContain('unbroken');
});

it('a long formula may be broken', () => {
  expect(html(`It is $${'x + '.repeat(12)}y$.`)).not.toContain('unbroken');
});

it('punctuation stays with the glossary word before it, ahead of the definition', () => {
  const term = element('span', { className: ['word-and-meaning'] }, [
    element('button', {}, [plain('tensor')]),
    element('span', {}, [plain('meaning')]),
  ]);
  const paragraph = { type: 'paragraph', children: [term, plain(', and more')] } as RootContent;
  const inside = '<button>tensor</button>,<span>meaning</span></span> and more</p>';
  expect(toHtml([paragraph], 'lesson.md')).toBe(`<p><span class="word-and-meaning">${inside}`);
});

it('short code is not broken, long code may be', () => {
  expect(html('See `"cell.0.W"[0,0]` here.')).toContain('<code class="unbroken">"cell.0.W"[0,0]</code>');
  expect(html(`See \`${'a[0] '.repeat(8)}\`.`)).not.toContain('unbroken');
  expect(html('```\nshort\n```')).not.toContain('unbroken');
});
