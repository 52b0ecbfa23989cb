// States as strips of coloured cells, drawn as few paths: one per shade.
import type { Strip } from './unrolled-layout';
import { type Palette, type Scale, colorOf, css } from '../shared/palette';

/** Shades on either side of zero: more than the eye tells apart, few enough that a large network draws quickly. */
const SHADES = 32;

export interface Inked {
  fill: string;
  d: string;
}

/** The cells of all strips; undefined values are not reached yet and left to the outline. */
export function inkStrips(
  strips: readonly { strip: Strip; values: ArrayLike<number> | undefined }[],
  scale: Scale,
  colors: Palette,
): Inked[] {
  const paths = new Map<number, string[]>();
  const slits: string[] = [];
  for (const { strip, values } of strips)
    for (let i = 0; values && i < values.length; i++) {
      const shade = Math.round(Math.max(-1, Math.min(1, (values[i] ?? 0) / scale.limit)) * SHADES);
      const { x, y, width, height } = cellBox(strip, i);
      const list = paths.get(shade) ?? paths.set(shade, []).get(shade)!;
      list.push(`M${x} ${y}h${width}v${height}h${-width}z`);
      if (shade < 0 && height >= 5) slits.push(`M${x} ${Math.floor(y + height / 2)}h${width}v1h${-width}z`);
    }
  const inked = [...paths].map(([shade, list]) => ({
    fill: css(colorOf((shade / SHADES) * scale.limit, scale, colors)),
    d: list.join(''),
  }));
  return slits.length ? [...inked, { fill: colors.paper, d: slits.join('') }] : inked;
}

export function cellBox({ x, y, width, height, fold }: Strip, index: number): Omit<Strip, 'cell' | 'fold'> {
  const [w, h] = [width / fold.columns, height / fold.rows];
  return { x: x + (index % fold.columns) * w, y: y + Math.floor(index / fold.columns) * h, width: w, height: h };
}

/** Index of the cell under a point of a strip; −1 for none. */
export function cellIn({ x, y, width, height, fold }: Strip, px: number, py: number, cells: number): number {
  const column = Math.floor(((px - x) / width) * fold.columns);
  const row = Math.floor(((py - y) / height) * fold.rows);
  const index = row * fold.columns + column;
  return column >= 0 && column < fold.columns && index >= 0 && index < cells ? index : -1;
}

/** ‖v‖₂ */
export function norm(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i] ?? 0) ** 2;
  return Math.sqrt(sum);
}
