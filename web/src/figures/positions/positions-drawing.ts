// Draws the map, the waves, the circle and the rotation matrix.
import { type TemplateResult, nothing, svg } from 'lit';
import { AXES, BIAS_AXES, rotatesBy } from '#messages/figures/positions';
import { columnAt } from '#messages/figures/shared';
import type { Place } from '../../ui/grid-layout';
import { fixed } from '../../ui/numbers';
import type { Part } from '../host/contract';
import { mapCells, ring } from '../shared/attention/attention-map';
import { frame } from '../shared/cells';
import { scaleOf } from '../shared/palette';
import type { Box } from '../shared/geometry';
import { type Circle, type PositionsLayout, wave } from './positions-layout';
import type { Rotation } from './positions-trace';
import type { PositionsScene } from './positions-scene';

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

export function waves({ values, choice, extent, at, rotation }: PositionsScene, layout: PositionsLayout): Part {
  if (!layout.waves || !values) return nothing;
  const columns = [2 * choice.pair, 2 * choice.pair + 1].map((c) => ({
    c,
    list: Array.from({ length: extent.rows }, (_, p) => values[at(p, c)]!),
  }));
  return wavesOf(columns, layout.waves, rotation ? choice.from : -1, layout.line);
}

export function circle({ rotation, choice: { from, shift }, extent }: PositionsScene, layout: PositionsLayout): Part {
  const { circle: round, matrix, line } = layout;
  if (!round || !matrix || !rotation) return nothing;
  return svg`${circleOf(rotation, round, from, shift, extent.rows, line)} ${matrixOf(rotation, matrix, from, shift, line)}`;
}

interface Column {
  c: number;
  list: readonly number[];
}

function wavesOf(columns: readonly Column[], box: Box, at: number, line: number): TemplateResult {
  const limit = Math.max(1e-9, ...columns.flatMap(({ list }) => list.map(Math.abs)));
  const middle = box.y + box.height / 2;
  return svg`<path class="axis" d="M${box.x} ${middle}h${box.width}"></path>
    ${columns.map(({ c, list }, i) => {
      const points = wave(list, box, limit);
      const kind = i ? 'second' : '';
      return svg`<path class="wave ${kind}" d="M${points.map(([x, y]) => `${x} ${y}`).join('L')}"></path>
        ${points.map(([x, y], p) => svg`<circle class="wave ${kind} ${p === at ? 'on' : ''}" cx=${x} cy=${y} r=${p === at ? 4 : 2}></circle>`)}
        <text class="map-name" x=${box.x + i * 7 * line} y=${box.y + box.height + 1.5 * line}>${i ? '┄ ' : '─ '}${columnAt(c)}</text>`;
    })}`;
}

/** A small dot for every position; larger points for p before and after the rotation. */
function circleOf(
  rotation: Rotation,
  circle: Circle,
  p: number,
  k: number,
  rows: number,
  line: number,
): TemplateResult {
  const all = Array.from({ length: rows }, (_, i) => rotation.point(i));
  const reach = Math.max(1e-9, ...all.map(([x, y]) => Math.hypot(x, y)));
  const place = ([x, y]: readonly [number, number]): [number, number] => [
    circle.x + (x / reach) * circle.radius,
    circle.y - (y / reach) * circle.radius,
  ];
  const start = rotation.raw ? rotation.raw(p) : rotation.point(p);
  const end = rotation.point(rotation.raw ? p : p + k);
  const [from, to] = [place(start), place(end)];
  const named = ([x, y]: [number, number], name: string): TemplateResult => {
    const out = 1.1 * line;
    const length = Math.hypot(x - circle.x, y - circle.y) || 1;
    const [tx, ty] = [x + ((x - circle.x) / length) * out, y + ((y - circle.y) / length) * out];
    return svg`<text class="map-name on" text-anchor="middle" x=${tx} y=${ty + line * 0.3}>${name}</text>`;
  };
  const ray = ([x, y]: [number, number], kind = ''): TemplateResult =>
    svg`<path class="ray ${kind}" d="M${circle.x} ${circle.y}L${x} ${y}"></path>`;
  return svg`${rotation.raw ? nothing : svg`<circle class="axis" cx=${circle.x} cy=${circle.y} r=${circle.radius}></circle>`}
    <path class="axis" d="M${circle.x - circle.radius} ${circle.y}h${2 * circle.radius}M${circle.x} ${circle.y - circle.radius}v${2 * circle.radius}"></path>
    ${all.map(place).map(([x, y]) => svg`<circle class="dot" cx=${x} cy=${y} r="2"></circle>`)}
    ${ray(from)} ${ray(to, 'to')}
    <circle class="point open" cx=${from[0]} cy=${from[1]} r="4.5"></circle><circle class="point" cx=${to[0]} cy=${to[1]} r="4.5"></circle>
    ${rotation.raw ? nothing : [named(from, 'p'), k ? named(to, 'p + k') : nothing]}`;
}

/** cos −sin; sin cos. By k, the same for every p; for queries by p itself. */
function matrixOf(
  { cosine, sine, raw }: Rotation,
  at: { x: number; y: number },
  p: number,
  k: number,
  line: number,
): TemplateResult {
  const by = raw ? p : k;
  const [c, s] = [fixed(cosine(by), 3), fixed(sine(by), 3)];
  const minus = fixed(-sine(by), 3);
  const [wide, high] = [4.6 * line, 1.5 * line];
  const cell = (text: string, row: number, column: number): TemplateResult =>
    svg`<text class="entry" text-anchor="end" x=${at.x + (column + 0.85) * wide} y=${at.y + (row + 0.9) * high}>${text}</text>`;
  const bracket = (x: number, way: number): string => `M${x + way * 5} ${at.y}h${-way * 5}v${2.3 * high}h${way * 5}`;
  return svg`<text class="map-name" x=${at.x} y=${at.y - 0.6 * line}>${rotatesBy(raw ? 'p' : 'k', by)}</text>
    <path class="axis" d="${bracket(at.x, 1)}${bracket(at.x + 2 * wide, -1)}"></path>
    ${cell(c, 0, 0)} ${cell(minus, 0, 1)} ${cell(s, 1, 0)} ${cell(c, 1, 1)}`;
}
