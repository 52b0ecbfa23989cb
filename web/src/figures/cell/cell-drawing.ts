// Draws a cell: pipes that are as full as the valves before them are open, boxes with their values, and bars by position.
import { type TemplateResult, nothing, svg } from 'lit';
import * as texts from '#messages/figures/cell';
import type { Role } from '../../engine/types';
import type { Part } from '../host/contract';
import { boxPath, frame } from '../shared/cells';
import { type CellLayout, type Pipe, type Spot, type ValueBox, type ValveBox, PIPE } from './cell-layout';
import type { CellScene, Track, Valve } from './cell-scene';

const KNOB = 6.5;
/** Thinnest pipe that is seen. */
const THIN = 1.5;

const ROLES: Readonly<Record<string, Role>> = { x: 'input', 1: 'parameter' };

export const drawn = (scene: CellScene, layout: CellLayout, here: Spot | null): Part[] => [
  ...layout.pipes.map((each) => pipe(scene, each)),
  ...layout.boxes.map((box) => valueBox(scene, box)),
  plus(scene, layout),
  ...layout.valves.map((box) => valve(scene, box, here)),
  ...scene.tracks.map((each, row) => track(scene, layout, each, row, here)),
  ...axis(scene, layout),
];

/** How much of a pipe is full: all of it, or the part that the valve before it lets through. */
function fill(scene: CellScene, { valve: letter, rest }: Pipe): number {
  if (letter === undefined) return 1;
  return (rest ? scene.of('left') : scene.valves.find((each) => each.letter === letter)?.value) ?? 0;
}

function pipe(scene: CellScene, each: Pipe): TemplateResult {
  const { from, to, turn, amount } = each;
  const width = scene.hasGates ? Math.max(THIN, PIPE * fill(scene, each)) : 2;
  const end = Number.isNaN(turn) ? `L${to.x} ${to.y}` : `H${to.x}${turn === undefined ? '' : `V${turn}`}`;
  const passed = amount === undefined ? '' : scene.number(scene.of(amount));
  return svg`<path class="pipe" stroke-width=${width} d="M${from.x} ${from.y}${end}"></path>${
    passed ? svg`<text class="passed" x=${(from.x + to.x) / 2 + 8} y=${from.y + 4}>${passed}</text>` : nothing
  }${each.applied ? operation(scene, each) : nothing}`;
}

/** Pixels between boxes that the name of an operation needs. */
const NAMED = 36;

/** What the plain cell does with its sum: on the pipe, or below where the boxes stand too close. */
const operation = (scene: CellScene, { from, to }: Pipe): TemplateResult =>
  svg`<text class="passed" x=${(from.x + to.x) / 2} y=${from.y + (to.x - from.x < NAMED ? 34 : -6)}>${scene.at.results['h']!.op}</text>`;

/** The letter with the position as its index: "h₂" of what was before position 3. */
function symbolOf(scene: CellScene, what: string): TemplateResult {
  const { network, at } = scene;
  const before = at.position + (network.name.endsWith('_reverse') ? 1 : -1);
  if (what === '1') return svg`1`;
  if (what === 'sum') return svg`Σ`;
  const letter =
    what === 'before' && network.kind === 'lstm' ? 'c' : what.toLowerCase().includes('before') ? 'h' : what;
  const index = letter === what ? at.position : before;
  return svg`<tspan class="letter">${letter}</tspan><tspan class="index" dy="3">${`${index}`.replace('-', '−')}</tspan>`;
}

function valueBox(scene: CellScene, { what, x, y, width, height }: ValueBox): TemplateResult {
  const value = what === 'stateBefore' ? scene.stateBefore : scene.of(what);
  const middle = x + width / 2;
  return svg`<g class="value r-${ROLES[what] ?? 'state'}">
    <rect x=${x} y=${y} width=${width} height=${height} rx="4"></rect>
    <text x=${middle} y=${y + (what === '1' ? 24 : 15)}>${symbolOf(scene, what)}</text>
    ${what === '1' ? nothing : numberIn(width, middle, y + 31, scene.number(value))}
  </g>`;
}

/** Widths of a digit, and of a point, a space or a superscript. */
const [DIGIT, NARROW] = [6.2, 4];

/** A number in a box of this width: condensed if it is too long. */
function numberIn(width: number, x: number, y: number, number: string): TemplateResult {
  const digits = number.match(/[\d×−]/g)?.length ?? 0;
  const long = digits * DIGIT + (number.length - digits) * NARROW > width - 4;
  return svg`<text class="number" x=${x} y=${y} textLength=${long ? width - 4 : nothing} lengthAdjust="spacingAndGlyphs">${number}</text>`;
}

function plus(scene: CellScene, { sum: { x, y } }: CellLayout): TemplateResult {
  const others = !scene.hasGates && scene.network.hidden > 1;
  return svg`<circle class="plus" cx=${x} cy=${y} r="9"></circle><path class="plus-sign" d="M${x - 4} ${y}h8M${x} ${y - 4}v8"></path>${
    others ? svg`<text class="passed" x=${x + 14} y=${y + 33}>${texts.OTHER_UNITS}</text>` : nothing
  }`;
}

/** Where the knob is: the lower edge of a gate, raised as far as it is open; of a weight, on its scale. */
const knobAt = (box: ValveBox, { value, least, most }: Valve): number => {
  const part = value === undefined ? 0 : (value - least) / (most - least);
  return box.y + box.height * (1 - Math.max(0, Math.min(1, box.rest ? 1 - part : part)));
};

const VALVE_ROLES = { gate: 'weight', weight: 'parameter', input: 'input' } as const satisfies Record<string, Role>;

function valve(scene: CellScene, box: ValveBox, here: Spot | null): TemplateResult {
  const at = scene.valves.findIndex(({ letter }) => letter === box.letter);
  const each = scene.valves[at]!;
  const [middle, knob, bottom] = [box.x + box.width / 2, knobAt(box, each), box.y + box.height];
  const zero = box.y + box.height / 2;
  const [from, to] = each.kind === 'gate' ? [box.y - 2, knob] : [Math.min(knob, zero), Math.max(knob, zero)];
  return svg`<g class="valve r-${VALVE_ROLES[each.kind]} ${each.set ? 'set' : ''}" data-letter=${each.letter} data-rest=${box.rest}>
    <rect class="ground" x=${box.x - 6} y=${box.y - 8} width=${box.width + 12} height=${box.height + 16}></rect>
    <path class="posts" d="M${middle - 6} ${box.y - 2}v${box.height + 4}M${middle + 6} ${box.y - 2}v${box.height + 4}"></path>
    <path class="plate" d=${boxPath(middle - 3, from, 6, to - from)}></path>
    <circle class="knob" cx=${middle} cy=${knob} r=${KNOB}></circle>
    ${each.kind === 'input' ? nothing : svg`<text x=${middle} y=${bottom + box.label}>${valveText(scene, box, each)}</text>`}
    ${here?.row === 0 && here.column === at ? frame('here', box, 3, 4) : nothing}
  </g>`;
}

/** "z 0.53", "1 − z 0.47"; the number of an input stands in its box. */
function valveText(scene: CellScene, { rest }: ValveBox, { letter, value }: Valve): TemplateResult {
  const number = rest ? scene.of('left') : value;
  return svg`<tspan class="letter">${rest ? `1 − ${letter}` : letter}</tspan><tspan class="number" dx="4">${scene.number(number)}</tspan>`;
}

function track(scene: CellScene, layout: CellLayout, each: Track, row: number, here: Spot | null): TemplateResult {
  const [box, wide] = [layout.tracks[row]!, layout.column];
  const base = each.gate ? box.y + box.height : box.y + box.height / 2;
  const reach = each.gate ? box.height : box.height / 2;
  const bars = each.values.map((value, position) => {
    const high = Number.isFinite(value) ? Math.max(-1, Math.min(1, part(each, value!))) * reach : 0;
    return boxPath(box.x + position * wide, Math.min(base, base - high), barWidth(wide), Math.abs(high));
  });
  const dots = each.set.map((set, position) =>
    set ? `M${box.x + position * wide} ${box.y + box.height + 1.5}h${barWidth(wide)}v1.5h${-barWidth(wide)}z` : '',
  );
  const now = { x: box.x + scene.position * wide - 0.5, y: box.y - 2, width: wide, height: box.height + 4 };
  const at = here?.row === row + 1 ? { ...now, x: box.x + here.column * wide - 0.5 } : null;
  return svg`<g class="track r-${each.role}" data-letter=${each.letter}>
    <rect class="now" x=${now.x} y=${now.y} width=${now.width} height=${now.height}></rect>
    <text x=${box.x - 8} y=${box.y + box.height / 2 + 4}>${each.log ? svg`<tspan class="index">${texts.LOG} </tspan>` : nothing}${each.letter}</text>
    <path class="base" d="M${box.x} ${base}h${box.width}"></path>
    <path class="bars" d=${bars.join('')}></path>
    <path class="set-here" d=${dots.join('')}></path>
    ${at ? frame('here', at, 0) : nothing}
  </g>`;
}

/** Of the longest bar, with its sign. */
const part = ({ log, limit }: Track, value: number): number =>
  log ? (Math.sign(value) * Math.log1p(Math.abs(value))) / Math.log1p(limit) : value / limit;

const barWidth = (column: number): number => Math.max(1, column - (column > 4 ? 1 : 0));

/** The numbers of the first, the chosen and the last position. */
function axis(scene: CellScene, layout: CellLayout): TemplateResult[] {
  const last = layout.tracks.at(-1)!;
  const middle = (position: number): number => last.x + (position + 0.5) * layout.column;
  const shown = [scene.position, 0, scene.last].filter(
    (at, i, all) => all.indexOf(at) === i && (i === 0 || Math.abs(middle(at) - middle(scene.position)) > 24),
  );
  return shown.map(
    (at) =>
      svg`<text class="tick ${at === scene.position ? 'on' : ''}" x=${middle(at)} y=${last.y + last.height + 15}>${scene.network.cells[at]!.position}</text>`,
  );
}
