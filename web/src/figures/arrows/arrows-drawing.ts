// Lays out and draws the two panels: the query among the keys, and the context among the values.
import { type TemplateResult, nothing, svg } from 'lit';
import { CONTEXT, PANELS, TARGET, writes } from '#messages/figures/arrows';
import { fixed } from '../../ui/numbers';
import type { Part, Room } from '../host/contract';
import type { Point } from '../shared/geometry';
import { textWidth } from '../shared/palette';
import { type Arrow, type ArrowsScene, hullOf, lengthOf } from './arrows-scene';

export interface Panel {
  name: keyof typeof PANELS;
  /** Top left corner and side, in CSS pixels. */
  x: number;
  y: number;
  side: number;
  /** The value at the edges: from −limit to limit both ways. */
  limit: number;
}

/** What a panel's edges stand for, by its name. */
export type Limits = Record<Panel['name'], number>;

export type ArrowsLayout = ReturnType<typeof layOutArrows>;

const APART = 16;
const MOST = 460;
const LEAST = 120;
/** Pixels: how near a tip a press still takes it. */
const REACH = 26;
/** Around the tip at the cursor. */
const RING = 9;

const NICE = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

/** The first round number that leaves some room around the points. */
function limitOf(points: readonly (Point | undefined)[]): number {
  const farthest = Math.max(
    0.5,
    ...points.map((point) => (point ? Math.max(Math.abs(point.x), Math.abs(point.y)) : 0)),
  );
  const wanted = 1.15 * farthest;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return power * NICE.find((each) => each * power >= wanted)!;
}

export const limitsOf = ({ query, keys, values, target }: ArrowsScene): Limits => ({
  keys: limitOf([...keys, query ?? undefined]),
  values: limitOf([...values, target]),
});

/** Side by side, or one above the other: whichever leaves them larger. */
export function layOutArrows(scene: ArrowsScene, limits: Limits, { width, maxHeight, line }: Room) {
  const shown = (['keys', 'values'] as const).filter((name) => (name === 'keys' ? scene.query : scene.values.length));
  const [n, top] = [shown.length, 1.6 * line];
  const clamp = (side: number): number => Math.floor(Math.max(LEAST, Math.min(MOST, side)));
  const across = Math.min((width - (n - 1) * APART) / n, maxHeight - top);
  const down = Math.min(width, maxHeight / n - top - (n > 1 ? APART / 2 : 0));
  const beside = across >= down;
  const side = clamp(beside ? across : down);
  const panels = shown.map((name, i): Panel => {
    const [column, row] = beside ? [i, 0] : [0, i];
    return { name, side, limit: limits[name], x: column * (side + APART), y: top + row * (side + top + APART) };
  });
  const last = panels.at(-1)!;
  return { panels, line, width: last.x + side, height: last.y + side };
}

export const panelOf = ({ panels }: ArrowsLayout, { of }: Arrow): Panel =>
  panels.find(({ name }) => name === (of === 'value' ? 'values' : 'keys'))!;

const pixel = ({ x, y, side, limit }: Panel, at: Point): Point => ({
  x: x + (side / 2) * (1 + at.x / limit),
  y: y + (side / 2) * (1 - at.y / limit),
});

/** The vector whose tip is at a point of the drawing, which stays inside the panel; rounded as a reader would type it. */
export function vectorAt({ x, y, side, limit }: Panel, px: number, py: number): Point {
  const digits = Math.max(0, 2 - Math.floor(Math.log10(limit)));
  const value = (part: number): number => Number((limit * Math.max(-1, Math.min(1, part))).toFixed(digits));
  return { x: value((2 * (px - x)) / side - 1), y: value(1 - (2 * (py - y)) / side) };
}

/** The arrow whose tip is nearest, if one is in reach; the query lies on top. */
export function arrowAt(scene: ArrowsScene, layout: ArrowsLayout, px: number, py: number): number | null {
  const far = scene.arrows.map((arrow) => {
    const tip = pixel(panelOf(layout, arrow), arrow);
    return Math.hypot(tip.x - px, tip.y - py) - (arrow.of === 'query' ? REACH / 4 : 0);
  });
  const nearest = far.indexOf(Math.min(...far));
  return far[nearest]! <= REACH ? nearest : null;
}

export function drawn(scene: ArrowsScene, layout: ArrowsLayout, here: number | null): Part[] {
  const on = here === null ? undefined : scene.arrows[here];
  return layout.panels.map((panel) => {
    const side = panel.name === 'keys' ? [...scene.keys, ...(scene.query ? [scene.query] : [])] : scene.values;
    const same = (arrow: Arrow): boolean =>
      on !== undefined && on.place === arrow.place && (on.of === 'query') === (arrow.of === 'query');
    return svg`${ground(panel, layout.line)} ${panel === layout.panels[0] ? written(scene, panel, layout.line) : nothing}
      ${panel.name === 'keys' ? angle(scene, panel, on, layout.line) : reachable(scene, panel)}
      ${side.map((arrow) => drawArrow(scene, panel, arrow, same(arrow), layout.line))}
      ${panel.name === 'values' ? middle(scene, panel, layout.line) : nothing}`;
  });
}

/** The panel's frame, axes and name. */
function ground(panel: Panel, line: number): TemplateResult {
  const { x, y, side, limit, name } = panel;
  return svg`<text class="map-name" x=${x} y=${y - 0.5 * line}>${PANELS[name]}</text>
    <rect class="ground" x=${x + 0.5} y=${y + 0.5} width=${side - 1} height=${side - 1}></rect>
    <path class="axis" d="M${x} ${y + side / 2}h${side}M${x + side / 2} ${y}v${side}"></path>
    <text class="tick" text-anchor="end" x=${x + side - 5} y=${y + side - 5}>±${limit}</text>`;
}

/** What a decoder writes with this look. */
const written = (scene: ArrowsScene, { x, y, side }: Panel, line: number): Part =>
  scene.written
    ? svg`<text class="token-word on" text-anchor="end" x=${x + side} y=${y - 0.5 * line}>${writes(scene.written)}</text>`
    : nothing;

/** What weights can reach: the values, and all between them. */
function reachable({ values }: ArrowsScene, panel: Panel): Part {
  const corners = hullOf(values).map((point) => pixel(panel, point));
  return corners.length < 2
    ? nothing
    : svg`<path class="hull" d="M${corners.map(({ x, y }) => `${x} ${y}`).join('L')}Z"></path>`;
}

const weightOf = ({ weights }: ArrowsScene, arrow: Arrow): number | undefined =>
  arrow.of === 'query' ? undefined : weights?.[arrow.place];

function drawArrow(scene: ArrowsScene, panel: Panel, arrow: Arrow, on: boolean, line: number): TemplateResult {
  const weight = weightOf(scene, arrow);
  const [from, to] = [pixel(panel, { x: 0, y: 0 }), pixel(panel, arrow)];
  const wide = arrow.of === 'query' ? 2.5 : 1 + 5 * (weight ?? 0);
  const text = arrow.of === 'query' ? arrow.name : `${arrow.name}${weight === undefined ? '' : ` ${fixed(weight, 2)}`}`;
  return svg`<g class="arrow ${arrow.of} ${on ? 'here' : ''}">
    <path class="shaft" stroke-width=${wide} d="M${from.x} ${from.y}L${shaftEnd(from, to, wide)}"></path>
    <path class="head" d=${headOf(from, to, wide)}></path>
    ${label(panel, to, arrow, text, line, on)}
    ${on ? svg`<circle class="ring" cx=${to.x} cy=${to.y} r=${RING}></circle>` : nothing}
    <circle class="handle" cx=${to.x} cy=${to.y} r=${REACH}></circle></g>`;
}

/** Length of a head in pixels. */
const headLength = (wide: number): number => 6 + 1.6 * wide;

/** The unit vector from one pixel to the other; to the right where they are one. */
function towards(from: Point, to: Point): Point {
  const far = Math.hypot(to.x - from.x, to.y - from.y);
  return far ? { x: (to.x - from.x) / far, y: (to.y - from.y) / far } : { x: 1, y: 0 };
}

function shaftEnd(from: Point, to: Point, wide: number): string {
  const [unit, far] = [towards(from, to), Math.hypot(to.x - from.x, to.y - from.y)];
  const end = Math.max(0, far - headLength(wide) * 0.8);
  return `${from.x + unit.x * end} ${from.y + unit.y * end}`;
}

function headOf(from: Point, to: Point, wide: number): string {
  const [unit, long] = [towards(from, to), headLength(wide)];
  const half = long * 0.42;
  const [x, y] = [to.x - unit.x * long, to.y - unit.y * long];
  return `M${to.x} ${to.y}L${x - unit.y * half} ${y + unit.x * half}L${x + unit.y * half} ${y - unit.x * half}Z`;
}

/** Beyond a tip, on the side that the arrow points to, and inside the panel. */
function label({ x, y, side }: Panel, tip: Point, { x: dx, y: dy }: Point, text: string, line: number, on: boolean) {
  const length = lengthOf({ x: dx, y: dy }) || 1;
  const width = textWidth(text, line, 600);
  const middle = tip.x + (dx / length) * (10 + width / 2);
  const left = Math.max(x + 3 + width / 2, Math.min(x + side - 3 - width / 2, middle));
  const base = tip.y - (dy / length) * (line + 2) + line * 0.34;
  const above = Math.max(y + line, Math.min(y + side - 4, base));
  return svg`<text class="token-word ${on ? 'on' : ''}" text-anchor="middle" x=${left} y=${above}>${text}</text>`;
}

/** The angle between the query and the key in hand. */
function angle(scene: ArrowsScene, panel: Panel, key: Arrow | undefined, line: number): Part {
  const { query } = scene;
  const degrees = key && key.of !== 'query' ? scene.angleTo(scene.keys[key.place] ?? key) : null;
  const of = key && scene.keys[key.place];
  if (!query || !of || degrees === null || key?.of === 'query') return nothing;
  const [turn, end] = [Math.atan2(query.y, query.x), Math.atan2(of.y, of.x)];
  const radius = panel.side / 9;
  const center = pixel(panel, { x: 0, y: 0 });
  const on = (at: number, far = radius): Point => ({
    x: center.x + far * Math.cos(at),
    y: center.y - far * Math.sin(at),
  });
  const short = Math.atan2(Math.sin(end - turn), Math.cos(end - turn));
  const [a, b, half] = [on(turn), on(end), on(turn + short / 2, radius + line)];
  return svg`<path class="angle" d="M${a.x} ${a.y}A${radius} ${radius} 0 0 ${short > 0 ? 0 : 1} ${b.x} ${b.y}"></path>
    <text class="token-word" text-anchor="middle" x=${half.x} y=${half.y + line * 0.34}>${fixed(degrees, 0)}°</text>`;
}

/** The context; and the output that the loss asks for. */
function middle({ context, target }: ArrowsScene, panel: Panel, line: number): TemplateResult {
  const [at, goal] = [context && pixel(panel, context), target && pixel(panel, target)];
  const word = (point: Point, text: string): TemplateResult =>
    svg`<text class="token-word on" text-anchor="middle" x=${point.x} y=${point.y - 9}>${text}</text>`;
  return svg`${goal ? svg`<rect class="target" x=${goal.x - 7} y=${goal.y - 7} width="14" height="14"></rect>` : nothing}
    ${goal ? svg`<text class="token-word" text-anchor="middle" x=${goal.x} y=${goal.y + 9 + line}>${TARGET}</text>` : nothing}
    ${at ? svg`<circle class="context" cx=${at.x} cy=${at.y} r="5.5"></circle>${word(at, CONTEXT)}` : nothing}`;
}
