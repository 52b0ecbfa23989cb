// Where the lines of a lesson's text are not broken.
import { expect, it } from 'vitest';
import { parseMarkdown, toHtml } from '../../web/plugin/markdown';

const html = (text: string): string => toHtml(parseMarkdown(text).children, 'lesson.md');

it('a stop stays with the formula before it', () => {
  expect(html('It is $-\\infty$. And $x$, too.').match(/<\/span>(\.|,)<\/span>/g)).toHaveLength(2);
  expect(html('It is $x$ here.')).not.toContain('unbroken');
  expect(html('$$x$$\n\nNext.')).not.toContain('unbroken');
});

it('a long formula may be broken', () => {
  expect(html(`It is $${'x + '.repeat(12)}y$.`)).not.toContain('unbroken');
});

it('short code is not broken, long code may be', () => {
  expect(html('See `"cell.0.W"[0,0]` here.')).toContain('<code class="unbroken">"cell.0.W"[0,0]</code>');
  expect(html(`See \`${'a[0] '.repeat(8)}\`.`)).not.toContain('unbroken');
  expect(html('```\nshort\n```')).not.toContain('unbroken');
});
