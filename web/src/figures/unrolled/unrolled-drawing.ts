// Draws an unrolled network, part by part: its strips and words, links between cells, attention arcs, and feedback of
// generated words.
import { type TemplateResult, html, nothing, svg } from 'lit';
import { OWN_WORD_FED_BACK, TEACHERS_WORDS_BELOW, WRONG_WORDS_ABOVE, wroteInstead } from '#messages/figures/unrolled';
import { scientific, significant } from '../../ui/numbers';
import { markTitle } from '../../ui/words';
import type { Part } from '../host/contract';
import { frame, inked } from '../shared/cells';
import { palette, wordWidth } from '../shared/palette';
import { shortName } from '../shared/marks';
import { argmax } from '../shared/summary';
import type { Strip, UnrolledLayout, Word } from './unrolled-layout';
import { GAP, NUMBER, footOf, inkStrips, norm, targetOf, topOf } from './unrolled-layout';
import type { AttentionRow, UnrolledCell } from './unrolled-trace';
import type { Scene } from './unrolled-scene';

const HEAD = 3;

/** From the word of the previous position, between the columns, down to where `position` reads it. */
export function feedbackPath(
  layout: UnrolledLayout,
  network: string,
  position: number,
  widthOf: (text: string) => number,
): Link | null {
  const word = (at: number, read: boolean): Word | undefined =>
    layout.words.find((each) => each.network === network && each.position === at && each.read === read);
  const [from, to] = [word(position - 1, false), word(position, true)];
  if (!from || !to) return null;
  const middle = (from.x + to.x) / 2;
  const [x0, y0] = [Math.min(middle - 4, from.x + widthOf(from.text) / 2 + 4), from.y - 4];
  const [x1, y1] = [Math.max(middle + 4, to.x - widthOf(to.text) / 2 - 4), to.y - 4];
  const line = `M${x0} ${y0}Q${middle} ${y0} ${middle} ${y0 + 8}V${y1 - 8}Q${middle} ${y1} ${x1} ${y1}`;
  return { line, head: headRight(x1, y1), back: '' };
}

interface Link {
  line: string;
  /** Arrowhead at the end of the line, and that of a gradient, at its start. */
  head: string;
  back: string;
  /** 'round' goes round the strips between its ends, 'handed' from one network to another. */
  kind?: 'round' | 'handed';
}

/** A line from one strip to another. */
export function linkPath(
  layout: UnrolledLayout,
  cells: readonly UnrolledCell[],
  link: { from: number; to: number },
): Link | null {
  const [a, b] = [layout.strips[link.from], layout.strips[link.to]];
  const [from, to] = [cells[link.from], cells[link.to]];
  if (!a || !b || !from || !to) return null;
  if (a.y === b.y) return along(a, b);
  if (from.network !== to.network) return across(layout, a, b, to);
  return from.position === to.position ? upwards(layout, a, b) : onwards(a, b);
}

/** Within a row, in either direction. */
function along(a: Strip, b: Strip): Link {
  const right = b.x > a.x;
  const y = a.y + a.height / 2;
  const [x0, x1] = right ? [a.x + a.width + 2, b.x - 3] : [a.x - 2, b.x + b.width + 3];
  const [ahead, behind] = right ? [headRight, headLeft] : [headLeft, headRight];
  return { line: `M${x0} ${y}H${x1}`, head: ahead(x1, y), back: behind(x0, y) };
}

/** To a higher layer of the same position: straight, beside bars, or round the strips between. */
function upwards(layout: UnrolledLayout, a: Strip, b: Strip): Link {
  const between = layout.rows.some((row) => row.y > b.y && row.y < a.y);
  const [y0, y1] = [a.y - 2, b.y + b.height + 3];
  const x = a.x + a.width * (between ? 0.85 : layout.bars ? 0.1 : 0.5);
  const back = headDown(x, y0);
  if (!between) return { line: `M${x} ${y0}V${y1}`, head: headUp(x, y1), back };
  const out = a.x + a.width + 8;
  return { line: `M${x} ${y0}C${out} ${y0 - 8} ${out} ${y1 + 8} ${x} ${y1}`, head: headUp(x, y1), back, kind: 'round' };
}

/** To another layer of another position: input feeding goes from the top layer to the bottom layer of the next. */
function onwards(a: Strip, b: Strip): Link {
  const down = b.y > a.y;
  const [x0, x1] = [a.x + a.width * 0.85, b.x + b.width * 0.15];
  const [y0, y1] = down ? [a.y + a.height + 2, b.y - 3] : [a.y - 2, b.y + b.height + 3];
  const bend = (y1 - y0) * 0.75;
  const line = `M${x0} ${y0}C${x0} ${y0 + bend} ${x1} ${y1 - bend} ${x1} ${y1}`;
  const [ahead, behind] = down ? [headDown, headUp] : [headUp, headDown];
  return { line, head: ahead(x1, y1), back: behind(x0, y0) };
}

/** From one network to another: to the foot of the position, or from the left into a higher layer. */
function across(layout: UnrolledLayout, a: Strip, b: Strip, to: UnrolledCell): Link {
  const foot = footOf(layout, to.network, to.position);
  const hidden = layout.rows.some((row) => row.network !== to.network && row.y < a.y);
  const start = hidden ? { x: a.x + a.width + 1, y: a.y + a.height / 2 } : { x: a.x + a.width / 2, y: a.y - 2 };
  const back = hidden ? headLeft(start.x, start.y) : headDown(start.x, start.y);
  const rise = hidden ? { x: start.x + 14, y: start.y } : { x: start.x, y: start.y - GAP * 0.6 };
  const lowest = layout.rows.filter((row) => row.network === to.network).at(-1)?.y === b.y;
  if (foot && lowest) {
    const line = `M${start.x} ${start.y}C${rise.x} ${rise.y} ${foot.x} ${foot.y + GAP * 0.75} ${foot.x} ${foot.y + 2}`;
    return { line, head: headUp(foot.x, foot.y + 2), back, kind: 'handed' };
  }
  const [x, y] = [b.x - 3, b.y + b.height / 2];
  const line = `M${start.x} ${start.y}C${rise.x} ${rise.y} ${x - 26} ${y + GAP} ${x} ${y}`;
  return { line, head: headRight(x, y), back, kind: 'handed' };
}

const headRight = (x: number, y: number): string => `M${x - HEAD} ${y - HEAD}L${x} ${y}L${x - HEAD} ${y + HEAD}`;
const headLeft = (x: number, y: number): string => `M${x + HEAD} ${y - HEAD}L${x} ${y}L${x + HEAD} ${y + HEAD}`;
const headDown = (x: number, y: number): string => `M${x - HEAD} ${y - HEAD}L${x} ${y}L${x + HEAD} ${y - HEAD}`;
const headUp = (x: number, y: number): string => `M${x - HEAD} ${y + HEAD}L${x} ${y}L${x + HEAD} ${y + HEAD}`;

/** Attention arc: from the foot of a position down to a state, or back over its own row. */
export function arcPath(layout: UnrolledLayout, network: string, position: number, memory: Strip): string {
  const own = layout.rows.find((row) => row.network === network);
  const [x1, y1] = [memory.x + memory.width / 2, memory.y - 3];
  if (own && own.y === memory.y) {
    const strip = layout.strips[own.cells[position] ?? -1];
    const x0 = strip ? strip.x + strip.width / 2 : x1;
    const high = y1 - Math.min(GAP * 0.85, 14 + Math.abs(x0 - x1) * 0.22);
    return `M${x0} ${y1}C${x0} ${high} ${x1} ${high} ${x1} ${y1}`;
  }
  const foot = footOf(layout, network, position) ?? { x: x1, y: 0 };
  const middle = (foot.y + y1) / 2;
  return `M${foot.x} ${foot.y + 3}C${foot.x} ${middle + 6} ${x1} ${middle - 6} ${x1} ${y1}`;
}

/** Of an arc, in lines of text. */
const THICKEST = 7 / 13;

export const rowNames = (scene: Scene, layout: UnrolledLayout): Part[] =>
  layout.rows.map((row) => {
    const cell = scene.network.cells[row.cells.find((at) => at >= 0) ?? -1];
    if (!cell) return nothing;
    const name = shortName(scene.node(cell.state).name).slice(0, 1);
    return svg`<text class="row-name" x=${row.label.x} y=${row.label.y}>${scene.rowName(row)}<tspan
      class="sym ${scene.gradient ? 'r-gradient' : 'r-state'}" dx="6">${scene.gradient ? `∂L/∂${name}` : name}</tspan></text>`;
  });

/** An arrow wherever a cell reads another cell's state; for gradients back to it, as thick as what comes back. */
export function flows(scene: Scene, layout: UnrolledLayout): Part[] {
  const { links, cells } = scene.network;
  const norms = scene.gradient ? links.map((_, i) => scene.returned(i)) : [];
  const largest = Math.max(0, ...norms.map((size) => size ?? 0)) || 1;
  return links.map((link, i) => {
    const path = linkPath(layout, cells, link);
    if (!path) return nothing;
    const off = scene.needsLink(link) ? '' : 'off';
    const size = norms[i];
    if (size === undefined)
      return svg`<path class="flow ${path.kind ?? ''} ${off}" d="${path.line}${path.head}"></path>`;
    const width = 1 + (size / largest) * THICKEST_RETURN;
    return svg`<path class="back ${off}" d=${path.line} stroke-width=${width}></path>
      <path class="back ${off}" d=${path.back}></path>`;
  });
}

/** Of an arrow back, in CSS pixels more than the thinnest has. */
const THICKEST_RETURN = 4;

/** Arrows where a position reads the token that the previous one generated. */
export function feedbacks(scene: Scene, layout: UnrolledLayout): Part[] {
  const wide = (text: string): number => wordWidth(text, layout.line);
  return scene.network.inputs.map(({ network, position }) => {
    const path = scene.reads(network)[position]?.own ? feedbackPath(layout, network, position, wide) : null;
    if (!path) return nothing;
    const off = scene.needsWord({ network, position, read: true }) ? '' : 'off';
    return svg`<path class="fed-back ${off}" d=${path.line}></path><path class="fed-back-head ${off}" d=${path.head}></path>`;
  });
}

/** Legend for the words a decoder reads: its own, or the teacher's. */
export function readsKey(scene: Scene): Part[] {
  const reads = [...new Set(scene.network.inputs.map(({ network }) => network))]
    .flatMap((network) => scene.reads(network).slice(1))
    .flatMap((read) => read ?? []);
  const own = html`<span class="legend"
    ><svg class="unrolled" width="26" height="9" aria-hidden="true">
      <path class="fed-back" d="M1 4.5H24"></path>
      <path class="fed-back-head" d="M21 1.5L24 4.5L21 7.5"></path></svg
    >${OWN_WORD_FED_BACK}</span
  >`;
  return [
    reads.some((read) => read.own) ? own : nothing,
    reads.some((read) => !read.own) ? html`<span class="legend">${TEACHERS_WORDS_BELOW}</span>` : nothing,
    scene.network.outputs.some((at) => scene.wrote(at) !== undefined)
      ? html`<span class="legend">${WRONG_WORDS_ABOVE}</span>`
      : nothing,
  ];
}

/** Attention of a position: an arc to each state, as thick as its weight. */
export function arcs(scene: Scene, layout: UnrolledLayout, row: AttentionRow | undefined): Part {
  const weights = row && scene.weights(row);
  if (!row || !weights) return nothing;
  const drawn = row.memory.map((memory, j) => {
    const strip = topOf(layout, memory);
    const weight = weights[j] ?? 0;
    if (!strip || !weight) return nothing;
    const width = Math.max(0.75, weight * THICKEST * layout.line);
    return svg`<path class="arc" d=${arcPath(layout, row.network, row.position, strip)} stroke-width=${width}
      opacity=${0.4 + 0.6 * Math.sqrt(weight)}></path>`;
  });
  return svg`<g class=${scene.needsRow(row) ? '' : 'off'} data-tensor=${scene.node(row.weights).name}>${drawn}</g>`;
}

/** `open`: opens the cell of a strip. */
export function strips(
  scene: Scene,
  layout: UnrolledLayout,
  { here, opened }: { here: number | null; opened: number | null },
  open: (cell: number) => void,
): Part {
  const filled = layout.strips.map((strip) => ({ strip, values: scene.strip(scene.network.cells[strip.cell]!) }));
  const ink = (isNeeded: boolean): Part => {
    const some = filled.filter(({ strip }) => scene.needsCell(strip.cell) === isNeeded);
    const paths = inkStrips(some, scene.scale(), palette()).map(inked);
    return isNeeded ? svg`${paths}` : svg`<g class="off">${paths}</g>`;
  };
  return svg`${ink(true)} ${scene.needs ? ink(false) : nothing}
    ${filled.map(({ strip, values }) => {
      const node = scene.node(scene.network.cells[strip.cell]!.state);
      return svg`<g class="strip ${scene.needsCell(strip.cell) ? '' : 'off'}" data-tensor=${scene.shown(node.id)?.name ?? node.name} @dblclick=${() => open(strip.cell)}>
        ${stripMarks(strip, !values, here === strip.cell, opened === strip.cell)}
      </g>`;
    })}`;
}

/** The outline of a strip that is hollow, at the cursor, or opened. */
function stripMarks(strip: Strip, hollow: boolean, here: boolean, opened: boolean): Part {
  const { x, y, width, height } = strip;
  return svg`${frame('target', targetOf(strip))}
    ${hollow ? frame('outline', strip, -0.5) : nothing} ${here ? frame('here', strip, 2) : nothing}
    ${opened ? svg`<path class="opening" d="M${x} ${y + height + 3.5}h${width}"></path>` : nothing}`;
}

/** Below each strip a bar as high as the norm of its gradient, all on one scale, and the norm as a number. */
export function norms(scene: Scene, layout: UnrolledLayout): Part[] {
  const sizes = layout.strips.map((strip) => {
    const values = scene.strip(scene.network.cells[strip.cell]!);
    return values && norm(values);
  });
  const largest = Math.max(0, ...sizes.map((size) => size ?? 0)) || 1;
  const last = Math.max(...layout.rows.map((row) => row.cells.length)) - 1;
  const isNumbered = ({ cell }: Strip): boolean => (last - scene.network.cells[cell]!.position) % layout.numbered === 0;
  return layout.strips.map((strip, i) => {
    const size = sizes[i];
    if (size === undefined) return nothing;
    const wide = Math.max(8, strip.width * 0.45);
    const [x, base] = [strip.x + strip.width / 2, strip.y + strip.height + layout.bar];
    const height = (size / largest) * (layout.bar - 6);
    return svg`<g class=${scene.needsCell(strip.cell) ? '' : 'off'}><path class="base" d="M${x - wide / 2} ${base + 0.5}h${wide}"></path>
      <rect class="norm" x=${x - wide / 2} y=${base - height} width=${wide} height=${height}></rect>
      ${isNumbered(strip) ? normNumber(layout, x, base + layout.line * 1.06, size) : nothing}</g>`;
  });
}

/** Under its bar, and not past the right edge. */
const normNumber = ({ line, width }: UnrolledLayout, x: number, y: number, size: number): Part =>
  svg`<text class="norm-number" text-anchor="middle" x=${Math.min(x, width - (line * NUMBER) / 2)} y=${y}>${brief(size)}</text>`;

/** Short enough for a narrow column: "0.31", "4e−5". */
const brief = (value: number): string =>
  value === 0 || (value >= 0.001 && value < 100) ? significant(value, 2) : scientific(value, 0);

export function words(
  scene: Scene,
  layout: UnrolledLayout,
  here: UnrolledCell | null,
  row: AttentionRow | undefined,
): TemplateResult[] {
  const weights = row && scene.weights(row);
  const best = weights ? argmax([...weights]) : -1;
  const attendedCells = (row?.memory[best] ?? []).flatMap((i) => scene.network.cells[i] ?? []);
  const attending = weights ? [row, ...attendedCells] : [];
  return layout.words.map((word) => {
    const { text, read, x, y } = word;
    const isHere = (a: Pick<UnrolledCell, 'network' | 'position'> | null | undefined): boolean =>
      a?.network === word.network && a.position === word.position;
    const off = scene.needsWord(word) ? '' : 'off';
    if (read)
      return svg`<text class="token-word read ${off}" text-anchor="middle" x=${x} y=${y}>${text}${markTitle(text)}</text>`;
    const current = isHere(here);
    const attended = attending.some(isHere);
    const wrote = scene.wrote(word);
    const wide = wordWidth(wrote ?? text, layout.line) / 2 + 3;
    const written =
      wrote === undefined
        ? svg`${text}${markTitle(text)}`
        : svg`<tspan class="missed">${wrote}</tspan><tspan class="wanted" dx="2" dy="-4">${text}</tspan><title>${wroteInstead(wrote, text)}</title>`;
    return svg`<text class="token-word ${current || attended ? 'on' : ''} ${off}" text-anchor="middle" x=${x} y=${y}>${written}</text>
      ${current ? frame('here', { x: x - wide, y: y + 4, width: 2 * wide, height: 2 }) : nothing}`;
  });
}
