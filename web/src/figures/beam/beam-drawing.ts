// Draws a beam search as a tree: dropped branches behind, the best one in front.
import { type TemplateResult, html, nothing, svg } from 'lit';
import { BEST, END, STATES } from '#messages/figures/beam';
import { markTitle, marked } from '../../ui/words';
import type { Part } from '../host/contract';
import { frame } from '../shared/cells';
import type { Box } from '../shared/geometry';
import { type BeamLayout, type BeamNode, type BeamTreeData, type Placed, pathTo } from './beam-tree-layout';
import { probabilityText } from './beam-words';

export const SIZE = 13;

export interface DrawnTree extends BeamLayout {
  zoom: number;
}

/** The lines, each from the end of a node's text to the beginning of the next. */
export function branches(data: BeamTreeData, { places, zoom }: DrawnTree): Part[] {
  const best = new Set(pathTo(data.nodes, data.best));
  const order = data.nodes.map((_, i) => i).sort((a, b) => rank(data, best, a) - rank(data, best, b));
  return order.map((i) => {
    const node = data.nodes[i]!;
    const [from, to] = [places[node.parent], places[i]!];
    return from ? branch(from, to, best.has(i) ? 'best' : node.state, zoom) : nothing;
  });
}

function branch(from: Placed, to: Placed, kind: string, zoom: number): TemplateResult {
  const [x0, x1] = [from.x + from.width + 6, to.x - 6];
  const left = Math.max(x0, to.x - 34 * zoom);
  const bend = (left + x1) / 2;
  return svg`<path class="branch ${kind}"
    d="M${x0} ${from.y}H${left}C${bend} ${from.y} ${bend} ${to.y} ${x1} ${to.y}"></path>`;
}

/** Drawing order: dropped branches first, the best last, on top. */
const rank = (data: BeamTreeData, best: ReadonlySet<number>, i: number): number =>
  best.has(i) ? 2 : data.nodes[i]!.state === 'pruned' ? 0 : 1;

export function nodes(data: BeamTreeData, layout: DrawnTree, here: number | null): TemplateResult[] {
  const best = new Set(pathTo(data.nodes, data.best));
  const onPath = new Set(here === null ? [] : pathTo(data.nodes, here));
  return data.nodes.map((node, i) => {
    const kind = `${node.state} ${best.has(i) ? 'best' : ''} ${onPath.has(i) ? 'on' : ''}`;
    return svg`<g class="beginning ${kind}" data-node=${i}>${texts(node, layout, i, here === i)}</g>`;
  });
}

/** What is highlighted when the pointer is on a node. */
export function boxOf({ places, zoom }: DrawnTree, i: number): Box {
  const { x, y, width } = places[i]!;
  return { x: x - 4, y: y - SIZE * 0.87 * zoom, width: width + 8, height: SIZE * 1.75 * zoom };
}

function texts(node: BeamNode, layout: DrawnTree, i: number, here: boolean): TemplateResult {
  const { x, y, width } = layout.places[i]!;
  const base = y + SIZE * 0.35 * layout.zoom;
  const ends = node.state === 'finished';
  const token = marked(node.token);
  return svg`${frame('target', boxOf(layout, i))}
    ${here ? frame('here', { x: x - 4, y: base + 4, width: width + 8, height: 2 }) : nothing}
    <text class="token" x=${x} y=${base}>${token}${markTitle(token)}</text>
    ${node.parent < 0 ? nothing : svg`<text class="odds" text-anchor="end" x=${x + width - (ends ? 14 : 0)} y=${base}>${probabilityText(node)}</text>`}
    ${ends ? svg`<path class="stop" d="M${x + width - 8} ${y - 4}h8v8h-8z"></path>` : nothing}`;
}

const sample = (kind: string, text: string): TemplateResult =>
  html`<span class="sample"
    ><svg viewBox="0 0 22 8" aria-hidden="true"><path class="branch ${kind}" d="M0 4h22" /></svg>${text}</span
  >`;

export const branchLegend: TemplateResult = html`<span class="legend"
  >${sample('best', BEST)}${sample('kept', STATES.kept)}${sample('pruned', STATES.pruned)}<span class="sample"
    ><svg class="end-sign" viewBox="0 0 8 8" aria-hidden="true"><path class="stop" d="M0 0h8v8H0z" /></svg>${END}</span
  ></span
>`;
