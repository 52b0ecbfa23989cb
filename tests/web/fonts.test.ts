// The page's fonts are subsets.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { renamed } from '../../web/plugin/fonts';
import { drawnFormulas } from '../../web/plugin/formula-fonts';
import { parseMarkdown, toHtml } from '../../web/plugin/markdown';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

it('together they take at most 80 KB', () => {
  const assets = at('build/site/assets/');
  const fonts = readdirSync(assets).filter((file) => /^(rare-)?(sans|italic-serif|serif)-[\w-]+\.woff2$/.test(file));
  expect(fonts).toHaveLength(6);
  expect(fonts.reduce((sum, file) => sum + statSync(assets + file).size, 0)).toBeLessThanOrEqual(80 * 1024);
});

it('the characters that formulas draw are kept', () => {
  const html = toHtml(parseMarkdown('x $a < \\text{bc}$ y').children, 'lesson.md');
  const { letters, other } = drawnFormulas(html);
  expect(letters).toBe('a');
  expect(other).toBe('<bc');
});

it('a subset has a name of its own and keeps the copyright notice', () => {
  for (const name of ['SourceSans3', 'SourceSerif4']) {
    const file = {
      SourceSans3: 'source-sans/VF/SourceSans3VF-Upright.ttf',
      SourceSerif4: 'source-serif/TTF/SourceSerif4-Regular.ttf',
    }[name]!;
    const text = renamed(readFileSync(at(`web/node_modules/${file}`)))
      .toString('latin1')
      .replaceAll('\0', '');
    expect(text.includes(name)).toBe(false);
    expect(text.includes(name.replace('Source', 'Unroll'))).toBe(true);
    expect(text.includes('Source is a trademark of Adobe')).toBe(true);
  }
});
