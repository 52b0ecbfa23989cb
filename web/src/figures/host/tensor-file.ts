// Exports a tensor as an image (PNG, SVG) or as values (CSV).
import type { TraceNode } from '../../engine/types';
import { escape } from '../../ui/escape';
import { linesOf, planeOf, planeValues } from '../../ui/grid-layout';
import { fixed, shortest } from '../../ui/numbers';
import { colorOf, css, inkOn, palette, scaleOf } from '../shared/palette';
import { type Format, blobOf, csvFile, save } from './files';
import { paint } from '../shared/paint';

const CELL = { width: 56, height: 28 };
const NONE: ReadonlySet<number> = new Set();

interface Exported {
  node: TraceNode;
  values: Float32Array;
  /** Where the picture cuts the leading axes. */
  slice: readonly number[];
}

const FILES: Record<Format, (tensor: Exported) => Blob | Promise<Blob>> = {
  CSV: csvOf,
  SVG: (tensor) => new Blob([toSvg(tensor)], { type: 'image/svg+xml' }),
  PNG: toPng,
};

/** Builds the file and starts its download. */
export async function exportTensor(tensor: Exported, format: Format): Promise<void> {
  save(await FILES[format](tensor), tensor.node.name, format);
}

/** One line per index over the leading axes, one column per index of the last. Shortest decimals exact as float32. */
function csvOf({ node, values }: Exported): Blob {
  const width = node.shape.at(-1) ?? 1;
  const lines: string[] = [];
  for (let start = 0; start < values.length; start += width)
    lines.push(Array.from(values.subarray(start, start + width), shortest).join(','));
  return csvFile(lines.join('\n') + '\n');
}

function toSvg({ node, values, slice }: Exported): string {
  const plane = planeOf(node.shape, slice);
  const scale = scaleOf(node.role, values);
  const cells = planeValues(plane, values).map((value, i) => {
    const [x, y] = [(i % plane.columns) * CELL.width, Math.floor(i / plane.columns) * CELL.height];
    const color = colorOf(Number.isFinite(value) ? value : 0, scale, palette());
    const box = `<rect x="${x}" y="${y}" width="${CELL.width - 1}" height="${CELL.height - 1}" fill="${css(color)}"/>`;
    const at = `x="${x + CELL.width / 2}" y="${y + CELL.height / 2 + 4}"`;
    return `${box}<text ${at} fill="${inkOn(color)}">${fixed(value, 3)}</text>`;
  });
  const [width, height] = [plane.columns * CELL.width, plane.rows * CELL.height];
  const title = `<title>${escape(node.name)}</title>`;
  const style = 'font-family="sans-serif" font-size="12" text-anchor="middle"';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ${style}>${title}${cells.join('')}</svg>`;
}

function toPng({ node, values, slice }: Exported): Promise<Blob> {
  const plane = planeOf(node.shape, slice);
  const canvas = document.createElement('canvas');
  const size = (cells: number, length: number): number => Math.min(cells * length, 4096);
  const lines = linesOf(plane, size(plane.columns, CELL.width), size(plane.rows, CELL.height), 2);
  const scale = scaleOf(node.role, values);
  paint(canvas, { plane, lines, values, scale, edited: NONE, lit: NONE, focus: null, zoom: 1 }, palette(), 2);
  return blobOf(canvas);
}
