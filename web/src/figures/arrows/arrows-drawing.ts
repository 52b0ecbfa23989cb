// Lays out and draws the two panels: the query among the keys, and the context among the values.
import { type TemplateResult, nothing, svg } from 'lit';
import { CONTEXT, PANELS, TARGET, writes } from '#messages/figures/arrows';
import { fixed } from '../../ui/numbers';
import type { Part, Room } from '../host/contract';
import type { Box, Point } from '../shared/geometry';
import { textWidth } from '../shared/palette';
import { type Arrow, type ArrowsScene, hullOf, lengthOf } from './arrows-scene';

export interface Panel extends Box {
  name: keyof typeof PANELS;
  /** Pixels of a vector of length 1, and where the origin is. */
  unit: number;
  zero: Point;
}

/** The part of the plane that a panel shows at least. */
interface Span {
  left: number;
  right: number;
  bottom: number;
  top: number;
}
export type Spans = Record<Panel['name'], Span>;

export type ArrowsLayout = ReturnType<typeof layOutArrows>;

/** CSS pixels between panels, and the sides that a panel may have. */
const APART = 16;
const MOST = 900;
const LEAST = 110;
/** Pixels: how near a tip a press still takes it. */
const REACH = 26;
/** Around the tip at the cursor. */
const RING = 9;
/** Pixels between two lines of the ground. */
const MESH = 48;

/** The points and the origin, with room around them to drag to. */
function spanOf(points: readonly (Point | undefined)[]): Span {
  const all = points.flatMap((point) => point ?? []);
  const [xs, ys] = [
    [0, ...all.map(({ x }) => x)],
    [0, ...all.map(({ y }) => y)],
  ];
  const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const around = 0.3 * Math.max(0.5, right - left, top - bottom);
  return { left: left - around, right: right + around, bottom: bottom - around, top: top + around };
}

export const spansOf = ({ query, keys, values, target }: ArrowsScene): Spans => ({
  keys: spanOf([...keys, query ?? undefined]),
  values: spanOf([...values, target]),
});

const unitIn = ({ width, height }: Pick<Box, 'width' | 'height'>, { left, right, bottom, top }: Span): number =>
  Math.min(width / (right - left), height / (top - bottom));

/** Side by side, or one above the other: whichever leaves the arrows longer. */
export function layOutArrows(scene: ArrowsScene, spans: Spans, { width, maxHeight, line }: Room) {
  const shown = (['keys', 'values'] as const).filter((name) => (name === 'keys' ? scene.query : scene.values.length));
  const [more, above] = [shown.length - 1, 1.6 * line];
  const clamp = (side: number): number => Math.floor(Math.max(LEAST, Math.min(MOST, side)));
  const sized = (columns: number, rows: number) => {
    const wide = clamp((width - (columns - 1) * APART) / columns);
    return { width: wide, height: Math.min(wide, clamp((maxHeight - (rows - 1) * APART) / rows - above)) };
  };
  const [across, down] = [sized(1 + more, 1), sized(1, 1 + more)];
  const longest = (size: typeof across): number => Math.min(...shown.map((name) => unitIn(size, spans[name])));
  const beside = longest(across) >= longest(down);
  const size = beside ? across : down;
  const panels = shown.map((name, i) => {
    const [column, row] = beside ? [i, 0] : [0, i];
    const corner = { x: column * (size.width + APART), y: above + row * (size.height + above + APART) };
    return panelIn(name, { ...size, ...corner }, spans[name]);
  });
  const last = panels.at(-1)!;
  return { panels, spans, line, width: last.x + last.width, height: last.y + last.height };
}

/** With the span in its middle. */
function panelIn(name: Panel['name'], box: Box, span: Span): Panel {
  const unit = unitIn(box, span);
  const middle = { x: (span.left + span.right) / 2, y: (span.bottom + span.top) / 2 };
  const zero = { x: box.x + box.width / 2 - middle.x * unit, y: box.y + box.height / 2 + middle.y * unit };
  return { name, ...box, unit, zero };
}

export const panelOf = ({ panels }: ArrowsLayout, { of }: Arrow): Panel =>
  panels.find(({ name }) => name === (of === 'value' ? 'values' : 'keys'))!;

const pixel = ({ zero, unit }: Panel, { x, y }: Point): Point => ({ x: zero.x + x * unit, y: zero.y - y * unit });

/** The vector whose tip is at a point of the drawing. */
export const vectorAt = ({ zero, unit }: Panel, px: number, py: number): Point => ({
  x: (px - zero.x) / unit,
  y: (zero.y - py) / unit,
});

/** The nearest vector whose tip is inside the panel, to two decimals. */
export function inside(panel: Panel, { x, y }: Point): Point {
  const least = vectorAt(panel, panel.x, panel.y + panel.height);
  const most = vectorAt(panel, panel.x + panel.width, panel.y);
  const rounded = (value: number, from: number, to: number): number =>
    Math.round(100 * Math.max(from, Math.min(to, value))) / 100;
  return { x: rounded(x, least.x, most.x), y: rounded(y, least.y, most.y) };
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
    const points = panel.name === 'values' ? pointLabels(scene, panel, layout.line) : [];
    const tips = side.map((arrow) => tipLabel(scene, panel, arrow, same(arrow), layout.line));
    const labels = apart([...points, ...tips], panel, layout.line);
    return svg`${ground(panel, layout.line)} ${panel === layout.panels[0] ? written(scene, panel, layout.line) : nothing}
      ${panel.name === 'keys' ? angle(scene, panel, on, layout.line) : reachable(scene, panel)}
      ${side.map((arrow) => drawArrow(scene, panel, arrow, same(arrow)))}
      ${panel.name === 'values' ? middle(scene, panel) : nothing}
      ${labels.map(drawLabel)}`;
  });
}

/** The panel's name, frame and axes, with lines in round steps. */
function ground(panel: Panel, line: number): TemplateResult {
  const { x, y, width, height, zero, name } = panel;
  const step = stepOf(panel);
  const [least, most] = [vectorAt(panel, x, y + height), vectorAt(panel, x + width, y)];
  const across = multiples(step, least.y, most.y).map((at) => `M${x} ${pixel(panel, { x: 0, y: at }).y}h${width}`);
  const down = multiples(step, least.x, most.x).map((at) => `M${pixel(panel, { x: at, y: 0 }).x} ${y}v${height}`);
  const tick = pixel(panel, { x: step, y: 0 });
  return svg`<text class="map-name" x=${x} y=${y - 0.5 * line}>${PANELS[name]}</text>
    <path class="mesh" d=${[...across, ...down].join('')}></path>
    <rect class="ground" x=${x + 0.5} y=${y + 0.5} width=${width - 1} height=${height - 1}></rect>
    <path class="axis" d="M${x} ${zero.y}h${width}M${zero.x} ${y}v${height}"></path>
    ${tick.x < x + width - line ? svg`<text class="tick" x=${tick.x + 3} y=${y + height - 5}>${step}</text>` : nothing}`;
}

/** The smallest round number that is at least MESH pixels wide. */
function stepOf({ unit }: Panel): number {
  const power = 10 ** Math.floor(Math.log10(MESH / unit));
  return power * ([1, 2, 5].find((each) => each * power * unit >= MESH) ?? 10);
}

/** All but 0 between two numbers. */
function multiples(step: number, from: number, to: number): number[] {
  const first = Math.ceil(from / step);
  const count = Math.max(0, Math.floor(to / step) - first + 1);
  return Array.from({ length: count }, (_, i) => (first + i) * step).filter(Boolean);
}

/** What a decoder writes with this look. */
const written = (scene: ArrowsScene, { x, y, width }: Panel, line: number): Part =>
  scene.written
    ? svg`<text class="token-word on" text-anchor="end" x=${x + width} y=${y - 0.5 * line}>${writes(scene.written)}</text>`
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

function drawArrow(scene: ArrowsScene, panel: Panel, arrow: Arrow, on: boolean): TemplateResult {
  const [from, to] = [pixel(panel, { x: 0, y: 0 }), pixel(panel, arrow)];
  const wide = arrow.of === 'query' ? 2.5 : 1 + 5 * (weightOf(scene, arrow) ?? 0);
  return svg`<g class="arrow ${arrow.of} ${on ? 'here' : ''}">
    <path class="shaft" stroke-width=${wide} d="M${from.x} ${from.y}L${shaftEnd(from, to, wide)}"></path>
    <path class="head" d=${headOf(from, to, wide)}></path>
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

/** Centred on x, with its base line at y. */
export interface Label extends Point {
  text: string;
  width: number;
  /** Of a tip: what it is the tip of, and "on" at the cursor. */
  role: string;
}

/** Beyond a tip, on the side that the arrow points to, and inside the panel. */
function tipLabel(scene: ArrowsScene, panel: Panel, arrow: Arrow, on: boolean, line: number): Label {
  const weight = weightOf(scene, arrow);
  const text = weight === undefined ? arrow.name : `${arrow.name} ${fixed(weight, 2)}`;
  const [tip, length, width] = [pixel(panel, arrow), lengthOf(arrow) || 1, textWidth(text, line, 600)];
  const middle = tip.x + (arrow.x / length) * (10 + width / 2);
  const x = Math.max(panel.x + 3 + width / 2, Math.min(panel.x + panel.width - 3 - width / 2, middle));
  const up = x === middle ? arrow.y / length : Math.sign(arrow.y) || 1; // beside the tip, or clear of it where there is no room
  const base = tip.y - up * (line + 2) + line * 0.34;
  const y = Math.max(panel.y + line, Math.min(panel.y + panel.height - 4, base));
  return { text, width, role: `${arrow.of} ${on ? 'on' : ''}`, x, y };
}

/** A label that would cover an earlier one goes above or below it, to the nearest free place. */
export function apart(labels: readonly Label[], panel: Box, line: number): Label[] {
  const placed: Label[] = [];
  for (const label of labels) {
    const near = placed.filter(({ x, width }) => Math.abs(x - label.x) < (width + label.width) / 2 + 4);
    const isFree = (y: number): boolean =>
      y >= panel.y + line && y <= panel.y + panel.height && near.every((other) => Math.abs(other.y - y) >= line);
    const heights = [label.y, ...near.flatMap(({ y }) => [y - line, y + line])];
    const [y = label.y] = heights.filter(isFree).sort((a, b) => Math.abs(a - label.y) - Math.abs(b - label.y));
    placed.push({ ...label, y });
  }
  return placed;
}

const drawLabel = ({ text, role, x, y }: Label): TemplateResult =>
  svg`<text class="token-word ${role}" text-anchor="middle" x=${x} y=${y}>${text}</text>`;

/** The angle between the query and the key in hand. */
function angle(scene: ArrowsScene, panel: Panel, key: Arrow | undefined, line: number): Part {
  const { query } = scene;
  const degrees = key && key.of !== 'query' ? scene.angleTo(scene.keys[key.place] ?? key) : null;
  const of = key && scene.keys[key.place];
  if (!query || !of || degrees === null || key?.of === 'query') return nothing;
  const [turn, end] = [Math.atan2(query.y, query.x), Math.atan2(of.y, of.x)];
  const radius = Math.min(panel.width, panel.height) / 9;
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

/** Names of the context and of the output that the loss asks for. */
function pointLabels({ context, target }: ArrowsScene, panel: Panel, line: number): Label[] {
  const named = (text: string, point: Point | undefined, role: string, below: number): Label[] => {
    if (!point) return [];
    const { x, y } = pixel(panel, point);
    return [{ text, role, width: textWidth(text, line, 600), x, y: y + below }];
  };
  return [...named(TARGET, target, '', 9 + line), ...named(CONTEXT, context, 'on', -9)];
}

/** The context; and the output that the loss asks for. */
function middle({ context, target }: ArrowsScene, panel: Panel): TemplateResult {
  const [at, goal] = [context && pixel(panel, context), target && pixel(panel, target)];
  return svg`${goal ? svg`<rect class="target" x=${goal.x - 7} y=${goal.y - 7} width="14" height="14"></rect>` : nothing}
    ${at ? svg`<circle class="context" cx=${at.x} cy=${at.y} r="5.5"></circle>` : nothing}`;
}
