// Places the points of a map, and their names where there is room; finds the point at a place, and the next one in a
// direction.
import { type TemplateResult, nothing, svg } from 'lit';
import * as texts from '#messages/figures/map';
import { markTitle } from '../../ui/words';
import type { Part } from '../host/contract';
import type { Box, Point } from '../shared/geometry';
import type { MapScene } from './map-scene';

interface Measures {
  width: number;
  maxHeight: number;
  line: number;
  /** Of the names. */
  widths: readonly number[];
}

const HEIGHT = { least: 220, most: 460 };
const DOT = 3;
/** Names are tried for so many points at most. */
const MOST_NAMED = 400;
/** How far from a point it still answers. */
const REACH = 24;

export type MapLayout = ReturnType<typeof layOutMap>;

/** One scale for both axes, so that a distance is the same in every direction. */
export function layOutMap(scene: MapScene, { width, maxHeight, line, widths }: Measures) {
  const height = Math.max(HEIGHT.least, Math.min(HEIGHT.most, maxHeight, width));
  const margin = { x: 2.2 * line, top: 0.8 * line, bottom: 2 * line };
  const rows = [...Array(scene.count).keys()];
  const [xs, ys] = [rows.map((row) => scene.at(row)[0]), rows.map((row) => scene.at(row)[1])];
  const [left, right] = [Math.min(0, ...xs), Math.max(0, ...xs)];
  const [low, high] = [Math.min(0, ...ys), Math.max(0, ...ys)];
  const inner = { width: width - 2 * margin.x, height: height - margin.top - margin.bottom };
  const scale = Math.min(inner.width / (right - left || 1), inner.height / (high - low || 1));
  const place = (x: number, y: number): Point => ({
    x: width / 2 + (x - (left + right) / 2) * scale,
    y: margin.top + inner.height / 2 - (y - (low + high) / 2) * scale,
  });
  const points = rows.map((row) => place(...scene.at(row)));
  const names = placeNames(points, widths, { width, height: height - margin.bottom, line });
  return { width, height, line, points, names, widths, origin: place(0, 0), bottom: height - margin.bottom };
}

const overlap = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Beside a point, above it or below it. */
function boxesAround({ x, y }: Point, wide: number, line: number): Box[] {
  const [height, apart] = [line * 1.1, DOT + 2];
  const box = (dx: number, dy: number): Box => ({ x: x + dx, y: y + dy, width: wide, height });
  return [
    box(apart, -height / 2),
    box(-apart - wide, -height / 2),
    box(-wide / 2, -apart - height),
    box(-wide / 2, apart),
  ];
}

/** The box of every name; null where it would cover another name or a point, or leave the drawing. */
export function placeNames(
  points: readonly Point[],
  widths: readonly number[],
  { width, height, line }: { width: number; height: number; line: number },
): (Box | null)[] {
  const dots = points.map(({ x, y }): Box => ({ x: x - DOT, y: y - DOT, width: 2 * DOT, height: 2 * DOT }));
  const taken: Box[] = [];
  const isFree = (box: Box, own: number): boolean =>
    box.x >= 0 &&
    box.y >= 0 &&
    box.x + box.width <= width &&
    box.y + box.height <= height &&
    !taken.some((other) => overlap(box, other)) &&
    !dots.some((dot, i) => i !== own && overlap(box, dot));
  return points.map((point, row) => {
    if (row >= MOST_NAMED) return null;
    const box = boxesAround(point, widths[row]!, line).find((each) => isFree(each, row));
    if (box) taken.push(box);
    return box ?? null;
  });
}

export function rowAt({ points }: Pick<MapLayout, 'points'>, x: number, y: number): number | null {
  const apart = points.map((point) => Math.hypot(point.x - x, point.y - y));
  const nearest = apart.reduce((best, far, row) => (far < apart[best]! ? row : best), 0);
  return apart[nearest]! <= REACH ? nearest : null;
}

const WAYS: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The nearest point in the direction of a key: aside counts double. null: the key moves nothing. */
export function rowAfterKey(points: readonly Point[], from: number, key: string): number | null {
  if (key === 'Home') return 0;
  if (key === 'End') return points.length - 1;
  const way = WAYS[key];
  const start = points[from];
  if (!way || !start) return null;
  const reach = ({ x, y }: Point): number => {
    const [dx, dy] = [x - start.x, y - start.y];
    const ahead = dx * way.x + dy * way.y;
    return ahead > 0 ? ahead + 2 * Math.abs(dx * way.y + dy * way.x) : Infinity;
  };
  return points.reduce(
    (best, point, row) => (reach(point) < (best === from ? Infinity : reach(points[best]!)) ? row : best),
    from,
  );
}

export function drawn(scene: MapScene, layout: MapLayout, here: number | null): Part[] {
  return [axes(scene, layout), dots(scene, layout, here), ...named(scene, layout, here)];
}

function axes(scene: MapScene, { width, height, bottom, origin, line }: MapLayout): Part {
  if (!scene.count) return nothing;
  return svg`<path class="hair" d="M0 ${origin.y}H${width}M${origin.x} 0V${bottom}"></path>
    <text class="axis-name" text-anchor="end" x=${width} y=${height - 0.5 * line}>${texts.axisName(0, scene.share(0))} →</text>
    <text class="axis-name" x="0" y=${height - 0.5 * line}>↑ ${texts.axisName(1, scene.share(1))}</text>`;
}

const dots = ({ shown }: MapScene, { points }: MapLayout, here: number | null): TemplateResult =>
  svg`<g class="dots r-${shown.role}">${points.map(
    ({ x, y }, row) =>
      svg`<circle class=${row === here ? 'on' : ''} data-row=${row} cx=${x} cy=${y} r=${row === here ? DOT + 1.5 : DOT}></circle>`,
  )}</g>`;

function named(
  { shown }: MapScene,
  { names, widths, points, line, width }: MapLayout,
  here: number | null,
): TemplateResult[] {
  const text = (row: number, { x, y }: Point): TemplateResult => {
    const word = shown.names[row]!;
    return svg`<text class="token-word ${row === here ? 'on' : ''}" x=${x} y=${y + 0.85 * line}>${word}${markTitle(word)}</text>`;
  };
  const all = names.flatMap((box, row) => (box && row !== here ? [text(row, box)] : []));
  if (here === null || !points[here]) return all;
  const own = names[here] ?? {
    x: Math.min(points[here].x + DOT + 3, width - widths[here]!),
    y: points[here].y - 1.4 * line,
  };
  return [...all, text(here, own)];
}
