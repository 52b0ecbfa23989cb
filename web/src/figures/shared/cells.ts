// Draws many coloured cells as a few SVG paths: one per shade, one for the slits in negative cells, and one for the
// struck-out boxes of non-finite cells.
import { type TemplateResult, svg } from 'lit';
import type { Box } from './geometry';
import { type Palette, type Scale, colorOf, css, palette } from './palette';

export interface Cell extends Box {
  value: number;
}

/** Shades for each sign; more than the eye can tell apart. */
const SHADES = 64;
/** Pixels. Smaller cells touch: there is no room for a gap between them. */
const APART = 5;

export const boxPath = (x: number, y: number, width: number, height: number): string =>
  `M${x} ${y}h${width}v${height}h${-width}z`;

/** A path of cells of one shade. */
export interface Inked {
  fill: string;
  d: string;
}

interface Style {
  shades?: number;
  /** Pixels between cells. */
  gap?: number;
}

/** Cells by shade, then the slits; `odd` are the boxes of non-finite cells. */
export function inkPaths(
  cells: readonly Cell[],
  scale: Scale,
  colors: Palette,
  { shades = SHADES, gap = 1 }: Style = {},
): { filled: Inked[]; odd: string } {
  const paths = new Map<number, string[]>();
  const [slits, odd]: [string[], string[]] = [[], []];
  for (const { x, y, value, ...size } of cells) {
    const inner = (side: number): number => side - (side < APART ? 0 : gap);
    const [width, height] = [inner(size.width), inner(size.height)];
    if (!Number.isFinite(value)) {
      odd.push(`${boxPath(x + 0.5, y + 0.5, width - 1, height - 1)}M${x} ${y + height}L${x + width} ${y}`);
      continue;
    }
    const shade = Math.round(Math.max(-1, Math.min(1, value / scale.limit)) * shades);
    const list = paths.get(shade) ?? [];
    if (list.push(boxPath(x, y, width, height)) === 1) paths.set(shade, list);
    if (shade < 0 && height >= APART) slits.push(boxPath(x, Math.floor(y + height / 2), width, 1));
  }
  const fill = (shade: number): string => css(colorOf((shade / shades) * scale.limit, scale, colors));
  const filled = [...paths].map(([shade, list]) => ({ fill: fill(shade), d: list.join('') }));
  if (slits.length) filled.push({ fill: colors.paper, d: slits.join('') });
  return { filled, odd: odd.join('') };
}

/** A rectangle around a box, so many pixels outside it. */
export const frame = (kind: string, { x, y, width, height }: Box, out = 0, round = 0): TemplateResult =>
  svg`<rect class=${kind} x=${x - out} y=${y - out} width=${width + 2 * out} height=${height + 2 * out} rx=${round}></rect>`;

export const inked = ({ fill, d }: Inked): TemplateResult => svg`<path fill=${fill} d=${d}></path>`;

export function inkCells(cells: readonly Cell[], scale: Scale): TemplateResult {
  const colors = palette();
  const { filled, odd } = inkPaths(cells, scale, colors);
  return svg`${filled.map(inked)} ${odd ? svg`<path class="odd" fill="none" stroke=${colors.edge} d=${odd}></path>` : ''}`;
}
