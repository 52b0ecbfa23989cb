// Draws an unrolled network, part by part.
import { type TemplateResult, html, nothing, svg } from 'lit';
import { OWN_WORD_FED_BACK, TEACHERS_WORDS_BELOW } from '#messages/figures/unrolled';
import type { Part } from '../host/contract';
import { frame, inked } from '../shared/cells';
import { palette } from '../shared/palette';
import { wordWidth } from '../shared/text-width';
import { shortName } from '../shared/marks';
import { scientific, significant } from '../../ui/numbers';
import { argmax } from '../shared/summary';
import { markTitle } from '../../ui/words';
import { BAR, type UnrolledLayout, targetOf, topOf, type Strip, inkStrips, norm } from './unrolled-layout';
import { arcPath, feedbackPath, linkPath } from './unrolled-links';
import type { Scene } from './unrolled-scene';
import type { AttentionRow, UnrolledCell } from './unrolled-trace';

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

/** An arrow wherever a cell reads another cell's state. */
export function flows({ network }: Scene, layout: UnrolledLayout): Part[] {
  return network.links.map((link) => {
    const path = linkPath(layout, network.cells, link);
    if (!path) return nothing;
    return svg`<path class="flow ${path.kind ?? ''}" d="${path.line}${path.head}"></path>`;
  });
}

/** Arrows where a position reads the token that the previous one generated. */
export function feedbacks(scene: Scene, layout: UnrolledLayout): Part[] {
  const wide = (text: string): number => wordWidth(text, layout.line);
  return scene.network.inputs.map(({ network, position }) => {
    const path = scene.reads(network)[position]?.own ? feedbackPath(layout, network, position, wide) : null;
    if (!path) return nothing;
    return svg`<path class="fed-back" d=${path.line}></path><path class="fed-back-head" d=${path.head}></path>`;
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
  return svg`<g data-tensor=${scene.node(row.weights).name}>${drawn}</g>`;
}

/** `open`: opens the cell of a strip. */
export function strips(
  scene: Scene,
  layout: UnrolledLayout,
  { here, opened }: { here: number | null; opened: number | null },
  open: (cell: number) => void,
): Part {
  const filled = layout.strips.map((strip) => ({ strip, values: scene.strip(scene.network.cells[strip.cell]!) }));
  return svg`${inkStrips(filled, scene.scale(), palette()).map(inked)}
    ${filled.map(({ strip, values }) => {
      const node = scene.node(scene.network.cells[strip.cell]!.state);
      return svg`<g class="strip" data-tensor=${scene.shown(node.id)?.name ?? node.name} @dblclick=${() => open(strip.cell)}>
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
  return layout.strips.map((strip, i) => {
    const size = sizes[i];
    if (size === undefined) return nothing;
    const wide = Math.max(8, strip.width * 0.45);
    const [x, base] = [strip.x + strip.width / 2, strip.y + strip.height + BAR];
    const height = (size / largest) * (BAR - 6);
    return svg`<path class="base" d="M${x - wide / 2} ${base + 0.5}h${wide}"></path>
      <rect class="norm" x=${x - wide / 2} y=${base - height} width=${wide} height=${height}></rect>
      <text class="norm-number" text-anchor="middle" x=${x} y=${base + layout.line * 1.06}>${brief(size)}</text>`;
  });
}

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
    if (read)
      return svg`<text class="token-word read" text-anchor="middle" x=${x} y=${y}>${text}${markTitle(text)}</text>`;
    const current = isHere(here);
    const attended = attending.some(isHere);
    const wide = wordWidth(text, layout.line) / 2 + 3;
    return svg`<text class="token-word ${current || attended ? 'on' : ''}" text-anchor="middle" x=${x} y=${y}>${text}${markTitle(text)}</text>
      ${current ? frame('here', { x: x - wide, y: y + 4, width: 2 * wide, height: 2 }) : nothing}`;
  });
}
