// Draws many coloured cells as a few SVG paths: one per shade, one for the slits in negative cells, and one for the
// struck-out boxes of non-finite cells.
import { type TemplateResult, svg } from 'lit';
import { type Palette, type Scale, colorOf, css } from './palette';

export interface Cell {
  x: number;
  y: number;
  width: number;
  height: number;
  value: number;
}

/** Shades for each sign; more than the eye can tell apart. */
const SHADES = 64;
/** Pixels. Smaller cells touch: there is no room for a gap between them. */
const APART = 5;

const box = (x: number, y: number, width: number, height: number): string => `M${x} ${y}h${width}v${height}h${-width}z`;

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
    const [width, height] = [size.width, size.height].map((side) => side - (side < APART ? 0 : gap)) as [
      number,
      number,
    ];
    if (!Number.isFinite(value)) {
      odd.push(`${box(x + 0.5, y + 0.5, width - 1, height - 1)}M${x} ${y + height}L${x + width} ${y}`);
      continue;
    }
    const shade = Math.round(Math.max(-1, Math.min(1, value / scale.limit)) * shades);
    const list = paths.get(shade) ?? [];
    if (list.push(box(x, y, width, height)) === 1) paths.set(shade, list);
    if (shade < 0 && height >= APART) slits.push(box(x, Math.floor(y + height / 2), width, 1));
  }
  const fill = (shade: number): string => css(colorOf((shade / shades) * scale.limit, scale, colors));
  const filled = [...paths].map(([shade, list]) => ({ fill: fill(shade), d: list.join('') }));
  if (slits.length) filled.push({ fill: colors.paper, d: slits.join('') });
  return { filled, odd: odd.join('') };
}

export function inkCells(cells: readonly Cell[], scale: Scale, colors: Palette): TemplateResult {
  const { filled, odd } = inkPaths(cells, scale, colors);
  return svg`${filled.map(({ fill, d }) => svg`<path fill=${fill} d=${d}></path>`)}
    ${odd ? svg`<path class="odd" fill="none" stroke=${colors.edge} d=${odd}></path>` : ''}`;
}
