// Contrast of every colour token in both themes: 4.5 : 1 for text, and for numbers on any cell.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Palette, type Rgb, colorOf, contrast, inkOn, scaleOf } from '../../web/src/figures/shared/palette';

const css = readFileSync(new URL('../../web/src/styles/tokens.css', import.meta.url), 'utf8');
const hex = (text: string): Rgb => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16)) as unknown as Rgb;

function token(name: string, theme: 'light' | 'dark'): Rgb {
  const pair = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(css);
  if (!pair) throw new Error(`no token --${name}`);
  return hex(pair[theme === 'light' ? 1 : 2]!);
}

const maps = (theme: 'light' | 'dark'): Palette =>
  ({
    sequential: Array.from({ length: 9 }, (_, i) => token(`seq-${i}`, theme)),
    diverging: Array.from({ length: 11 }, (_, i) => token(`div-${i}`, theme)),
  }) as unknown as Palette;

const TEXT = ['ink', 'ink-2', 'ink-3', 'accent', 'right', 'wrong'];
const ROLES = ['input', 'parameter', 'state', 'score', 'weight', 'gradient'];

for (const theme of ['light', 'dark'] as const) {
  describe(theme, () => {
    it.each([...TEXT, ...ROLES])('%s is readable on paper', (name) => {
      expect(contrast(token(name, theme), token('paper', theme))).toBeGreaterThanOrEqual(4.5);
    });
    it.each(['ink', 'ink-2', 'ink-3', ...ROLES])('%s is readable on a tinted or highlighted line', (name) => {
      expect(contrast(token(name, theme), token('wash', theme))).toBeGreaterThanOrEqual(4.5);
      expect(contrast(token(name, theme), token('accent-wash', theme))).toBeGreaterThanOrEqual(4.5);
    });
    it('a meaningful border has 3 : 1', () => {
      expect(contrast(token('edge', theme), token('paper', theme))).toBeGreaterThanOrEqual(3);
    });
    it.each(['sequential', 'diverging'] as const)('a number is readable on every colour of the %s map', (map) => {
      const colors = maps(theme);
      for (let value = -1; value <= 1; value += 1 / 512) {
        const color = colorOf(value, { map, limit: 1 }, colors);
        expect(contrast(color, hex(`${inkOn(color)}`))).toBeGreaterThanOrEqual(4.5);
      }
    });
  });
}

it('scales weights from 0 to 1 and the rest by their largest finite magnitude', () => {
  expect(scaleOf('weight', [0.1, 0.2])).toEqual({ map: 'sequential', limit: 1 });
  expect(scaleOf('score', [1, -3, -Infinity])).toEqual({ map: 'diverging', limit: 3 });
  expect(scaleOf('state', [0, 0])).toEqual({ map: 'diverging', limit: 1 });
});
