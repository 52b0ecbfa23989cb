// Lays out and draws the map of positions, its waves, the circle on which a pair of columns rotates, and the rotation
// matrix.
import { type TemplateResult, nothing, svg } from 'lit';
import { AXES, BIAS_AXES, rotatesBy } from '#messages/figures/positions';
import { columnAt } from '#messages/figures/shared';
import type { Place } from '../../ui/grid-layout';
import { fixed } from '../../ui/numbers';
import { mapCells, ring } from '../shared/attention/attention-map';
import type { Box, Point } from '../shared/geometry';
import type { Part } from '../host/contract';
import { frame } from '../shared/cells';
import { scaleOf } from '../shared/palette';
import type { PositionsScene, Rotation } from './positions-scene';

type PositionsLayout = ReturnType<typeof layOutPositions>;

interface Measures {
  rows: number;
  columns: number;
  width: number;
  line: number;
  waves: boolean;
  circle: boolean;
}

const MAX_CELL = 22;
const WIDE = 520;

/** Side by side where there is room, else one below the other. */
export function layOutPositions({ rows, columns, width, line, waves, circle }: Measures) {
  const left = 2.2 * line;
  const top = 1.6 * line;
  const wide = width >= WIDE && (waves || circle);
  const mapWidth = (wide ? width * 0.46 : width) - left;
  const cell = {
    width: Math.max(3, Math.min(MAX_CELL, Math.floor(mapWidth / columns))),
    height: Math.max(6, Math.min(MAX_CELL, Math.floor(280 / rows))),
  };
  const map = { x: left, y: top, cell, rows, columns };
  const [right, bottom] = [left + columns * cell.width, top + rows * cell.height];
  const x = wide ? right + 3.5 * line : left;
  let y = wide ? top : bottom + 2.4 * line;
  const wavesBox = waves ? { x, y, width: width - x - 4, height: 5.5 * line } : null;
  if (wavesBox) y += wavesBox.height + 3.4 * line;
  const radius = Math.min(5 * line, (width - x) / 4);
  const round = circle ? { x: x + radius + 2, y: y + radius, radius } : null;
  /** Top left corner of the rotation matrix. */
  const matrix = round && { x: x + 2 * radius + 2.4 * line, y: y + radius - 1.5 * line };
  const end = round ? y + 2 * radius + line : wavesBox ? y - line : bottom;
  return {
    ...{ map, line, matrix, waves: wavesBox, circle: round },
    width: Math.max(right, width),
    height: Math.ceil(Math.max(end, bottom + 0.6 * line)),
  };
}

/** A column of the map as the points of a line; the height of the box spans −limit … limit. */
export function wave(values: readonly number[], { x, y, width, height }: Box, limit: number): [number, number][] {
  const step = width / Math.max(1, values.length - 1);
  return values.map((value, p) => [x + p * step, y + height / 2 - (value / limit) * (height / 2)]);
}

export function map(scene: PositionsScene, { map: box, line }: PositionsLayout, here: Place | null): TemplateResult {
  const { node, values, hasPairs, choice } = scene;
  const [wide, high] = [box.cell.width, box.rows * box.cell.height];
  const every = Math.max(1, Math.ceil((line * 1.1) / box.cell.height));
  const positions = Array.from({ length: box.rows }, (_, p) => p).filter((p) => p % every === 0);
  return svg`<text class="map-name" x="0" y=${line * 0.8}>${scene.isBias ? BIAS_AXES : AXES}</text>
    ${positions.map((p) => svg`<text class="map-name" text-anchor="end" x=${box.x - 7} y=${box.y + (p + 0.5) * box.cell.height + line * 0.32}>${p}</text>`)}
    ${mapCells(box, values, scene.at, scaleOf(node.role === 'weight' ? 'weight' : 'state', values))}
    ${hasPairs ? frame('chosen', { x: box.x + 2 * choice.pair * wide - 0.5, y: box.y - 0.5, width: 2 * wide, height: high }, 0.5) : nothing}
    ${ring(box, here)}`;
}

/** A pair of columns as lines over the positions. */
export function waves({ values, choice, extent, at, rotation }: PositionsScene, layout: PositionsLayout): Part {
  const { waves: box, line } = layout;
  if (!box || !values) return nothing;
  const columns = [2 * choice.pair, 2 * choice.pair + 1];
  const lists = columns.map((c) => Array.from({ length: extent.rows }, (_, p) => values[at(p, c)]!));
  const limit = Math.max(1e-9, ...lists.flat().map(Math.abs));
  const isOn = (p: number): boolean => rotation !== null && p === choice.from;
  return svg`<path class="outline" d="M${box.x} ${box.y + box.height / 2}h${box.width}"></path>
    ${lists.map((list, i) => {
      const points = wave(list, box, limit);
      const kind = i ? 'second' : '';
      return svg`<path class="wave ${kind}" d="M${points.map(([x, y]) => `${x} ${y}`).join('L')}"></path>
        ${points.map(([x, y], p) => svg`<circle class="wave ${kind} ${isOn(p) ? 'on' : ''}" cx=${x} cy=${y} r=${isOn(p) ? 4 : 2}></circle>`)}
        <text class="map-name" x=${box.x + i * 7 * line} y=${box.y + box.height + 1.5 * line}>${i ? '┄ ' : '─ '}${columnAt(columns[i]!)}</text>`;
    })}`;
}

/** A small dot for every position; larger points for p before and after the rotation; and the rotation matrix. */
export function circle(
  { rotation, choice: { from: p, shift: k }, extent }: PositionsScene,
  layout: PositionsLayout,
): Part {
  const { circle: round, matrix, line } = layout;
  if (!round || !matrix || !rotation) return nothing;
  const { x: cx, y: cy, radius } = round;
  const { raw, point } = rotation;
  const all = Array.from({ length: extent.rows }, (_, i) => point(i));
  const reach = Math.max(1e-9, ...all.map(([x, y]) => Math.hypot(x, y)));
  const place = ([x, y]: readonly [number, number]): [number, number] => [
    cx + (x / reach) * radius,
    cy - (y / reach) * radius,
  ];
  const [from, to] = [place((raw ?? point)(p)), place(point(raw ? p : p + k))];
  const named = ([x, y]: [number, number], name: string): TemplateResult => {
    const out = (1.1 * line) / (Math.hypot(x - cx, y - cy) || 1);
    const [tx, ty] = [x + (x - cx) * out, y + (y - cy) * out];
    return svg`<text class="map-name on" text-anchor="middle" x=${tx} y=${ty + line * 0.3}>${name}</text>`;
  };
  const ray = ([x, y]: [number, number], kind = ''): TemplateResult =>
    svg`<path class="ray ${kind}" d="M${cx} ${cy}L${x} ${y}"></path>`;
  return svg`${raw ? nothing : svg`<circle class="outline" cx=${cx} cy=${cy} r=${radius}></circle>`}
    <path class="outline" d="M${cx - radius} ${cy}h${2 * radius}M${cx} ${cy - radius}v${2 * radius}"></path>
    ${all.map(place).map(([x, y]) => svg`<circle class="dot" cx=${x} cy=${y} r="2"></circle>`)}
    ${ray(from)} ${ray(to, 'to')}
    <circle class="point open" cx=${from[0]} cy=${from[1]} r="4.5"></circle><circle class="point" cx=${to[0]} cy=${to[1]} r="4.5"></circle>
    ${raw ? nothing : [named(from, 'p'), k ? named(to, 'p + k') : nothing]}
    ${matrixOf(rotation, matrix, raw ? 'p' : 'k', raw ? p : k, line)}`;
}

/**
 * As the columns of a pair stand: of a table, whose sine is first, cos sin; −sin cos, by k and the same for every p; of
 * queries cos −sin; sin cos, by p itself.
 */
function matrixOf(
  { cosine, sine, shifts }: Rotation,
  at: Point,
  letter: string,
  by: number,
  line: number,
): TemplateResult {
  const [c, s, minus] = [cosine(by), sine(by), -sine(by)].map((value) => fixed(value, 3));
  const [wide, high] = [4.6 * line, 1.5 * line];
  const cell = (text: string | undefined, row: number, column: number): TemplateResult =>
    svg`<text class="entry" text-anchor="end" x=${at.x + (column + 0.85) * wide} y=${at.y + (row + 0.9) * high}>${text}</text>`;
  const bracket = (x: number, way: number): string => `M${x + way * 5} ${at.y}h${-way * 5}v${2.3 * high}h${way * 5}`;
  return svg`<text class="map-name" x=${at.x} y=${at.y - 0.6 * line}>${rotatesBy(letter, by)}</text>
    <path class="outline" d="${bracket(at.x, 1)}${bracket(at.x + 2 * wide, -1)}"></path>
    ${cell(c, 0, 0)} ${cell(shifts ? s : minus, 0, 1)} ${cell(shifts ? minus : s, 1, 0)} ${cell(c, 1, 1)}`;
}
