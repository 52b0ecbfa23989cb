// Draws many coloured cells as a few SVG paths: one per shade, one for the slits in negative cells, and one for the
// struck-out boxes of non-finite cells.
import { type TemplateResult, svg } from 'lit';
import { type Palette, type Scale, colorOf, css } from './shared/palette';

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

interface Inked {
  shades: Map<number, string[]>;
  slits: string[];
  odd: string[];
}

function sort(cells: readonly Cell[], scale: Scale): Inked {
  const inked: Inked = { shades: new Map(), slits: [], odd: [] };
  for (const { x, y, value, ...size } of cells) {
    const [width, height] = [size.width - (size.width < APART ? 0 : 1), size.height - (size.height < APART ? 0 : 1)];
    if (!Number.isFinite(value)) {
      inked.odd.push(`${box(x + 0.5, y + 0.5, width - 1, height - 1)}M${x} ${y + height}L${x + width} ${y}`);
      continue;
    }
    const shade = Math.round(Math.max(-1, Math.min(1, value / scale.limit)) * SHADES);
    const list = inked.shades.get(shade) ?? inked.shades.set(shade, []).get(shade)!;
    list.push(box(x, y, width, height));
    if (shade < 0 && height >= APART) inked.slits.push(box(x, Math.floor(y + height / 2), width, 1));
  }
  return inked;
}

export function inkCells(cells: readonly Cell[], scale: Scale, colors: Palette): TemplateResult {
  const { shades, slits, odd } = sort(cells, scale);
  const fill = (shade: number): string => css(colorOf((shade / SHADES) * scale.limit, scale, colors));
  return svg`${[...shades].map(([shade, list]) => svg`<path fill=${fill(shade)} d=${list.join('')}></path>`)}
    ${slits.length ? svg`<path fill=${colors.paper} d=${slits.join('')}></path>` : ''}
    ${odd.length ? svg`<path class="odd" fill="none" stroke=${colors.edge} d=${odd.join('')}></path>` : ''}`;
}
