// A beam search: in words, as tables (its hypotheses, and all its nodes), and as a tree from left to right, one column per
// position, no overlapping nodes; dropped branches behind, the best one in front. Where that is too wide, as a list:
// children below their parent and further in.
import { type TemplateResult, html, nothing, svg } from 'lit';
import * as texts from '#messages/figures/beam';
import { fixed, significant } from '../../ui/numbers';
import { markTitle, marked } from '../../ui/words';
import { type Box, type Point, spread } from '../shared/geometry';
import type { Table } from '../host/table';
import type { Part } from '../host/contract';
import { frame } from '../shared/cells';

export interface BeamNode {
  /** Index of the parent node; −1 for the root. */
  parent: number;
  token: string;
  /** log p(token | the tokens before). */
  logProbability: number;
  /** Sum of the log probabilities from the root. */
  score: number;
  /** p(token | the tokens before), and p of the sequence from the root. */
  probability: number;
  sequenceProbability: number;
  state: 'kept' | 'pruned' | 'finished';
}

export interface BeamTreeData {
  nodes: BeamNode[];
  /** Index of the last node of the best hypothesis. */
  best: number;
}

/** Left end and vertical middle of a text, and its width. */
interface Placed extends Point {
  width: number;
  depth: number;
}

type BeamLayout = ReturnType<typeof layOutBeam>;

/** Node indices from the root to `node`. */
export function pathTo(nodes: readonly BeamNode[], node: number): number[] {
  const path: number[] = [];
  for (let at = node; at >= 0; at = nodes[at]?.parent ?? -1) path.unshift(at);
  return path;
}

export const childrenOf = (nodes: readonly BeamNode[], node: number): number[] =>
  nodes.flatMap(({ parent }, i) => (parent === node ? [i] : [])).sort((a, b) => nodes[b]!.score - nodes[a]!.score);

/** Nodes by position, in the order of their parents; siblings by descending score. */
export function columnsOf(nodes: readonly BeamNode[]): number[][] {
  const columns: number[][] = [];
  let column = childrenOf(nodes, -1);
  while (column.length) {
    columns.push(column);
    column = column.flatMap((node) => childrenOf(nodes, node));
  }
  return columns;
}

/** Weights that keep branches straight: most of all the best, then those kept. */
const WEIGHTS = { best: 1e6, kept: 30, pruned: 1 };

/** In pixels: `widths` of the nodes' texts, `line` from one node to the next below, `gap` between columns. */
export function layOutBeam(data: BeamTreeData, widths: readonly number[], line: number, gap: number) {
  const { nodes } = data;
  const best = new Set(pathTo(nodes, data.best));
  const places: Placed[] = nodes.map((_, i) => ({ x: 0, y: 0, width: widths[i] ?? 0, depth: 0 }));
  /** Left end of each column. */
  const lefts: number[] = [];
  let x = 0;
  columnsOf(nodes).forEach((column, depth) => {
    const weights = column.map((i) =>
      best.has(i) ? WEIGHTS.best : nodes[i]!.state === 'pruned' ? WEIGHTS.pruned : WEIGHTS.kept,
    );
    const wanted = column.map((i) => places[nodes[i]!.parent]?.y ?? 0);
    spread(wanted, line, weights).forEach((y, k) => Object.assign(places[column[k]!]!, { x, y, depth }));
    lefts.push(x);
    x += Math.max(...column.map((i) => widths[i] ?? 0)) + gap;
  });
  const top = Math.min(0, ...places.map(({ y }) => y));
  for (const place of places) place.y += line / 2 - top;
  const bottom = Math.max(0, ...places.map(({ y }) => y));
  return { places, width: Math.max(0, x - gap), height: bottom + line / 2, columns: lefts };
}

/**
 * In pixels, as `layOutBeam`: children below their parent and `indent` further in, a line for each that was kept, and before
 * them one line, or as many as `room` needs, for all that were dropped.
 */
export function listBeam(data: BeamTreeData, widths: readonly number[], line: number, indent: number, room: number) {
  const { nodes } = data;
  const places: Placed[] = nodes.map((_, i) => ({ x: 0, y: 0, width: widths[i] ?? 0, depth: 0 }));
  const isDropped = (i: number): boolean => nodes[i]!.state === 'pruned';
  let [x, y] = [0, -line / 2];
  const place = (i: number, depth: number, isBeside: boolean): void => {
    const fits = isBeside && x + places[i]!.width <= room;
    if (!fits) [x, y] = [depth * indent, y + line];
    Object.assign(places[i]!, { x, y, depth });
    x += places[i]!.width + indent;
    placeAll(childrenOf(nodes, i), depth + 1);
  };
  const placeAll = (list: readonly number[], depth: number): void => {
    list.filter(isDropped).forEach((i, k) => place(i, depth, k > 0));
    for (const i of list) if (!isDropped(i)) place(i, depth, false);
  };
  placeAll(childrenOf(nodes, -1), 0);
  const width = Math.max(0, ...places.map((place) => place.x + place.width));
  return { places, width, height: y + line / 2, columns: columnsOf(nodes).map((_, depth) => depth * indent) };
}

/**
 * The node after a key: left to the parent, right along the best path or to the best child, up and down within a
 * position, Home to the root, End to the best node; null for other keys.
 */
export function nodeAfterKey(data: BeamTreeData, from: number, key: string): number | null {
  const { nodes, best } = data;
  if (key === 'Home') return childrenOf(nodes, -1)[0] ?? from;
  if (key === 'End') return best;
  if (key === 'ArrowLeft') return upwards(nodes, from);
  if (key === 'ArrowRight') return onwards(data, from);
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return null;
  const column = columnsOf(nodes).find((list) => list.includes(from)) ?? [from];
  return column[column.indexOf(from) + (key === 'ArrowUp' ? -1 : 1)] ?? from;
}

const upwards = (nodes: readonly BeamNode[], from: number): number => {
  const parent = nodes[from]?.parent ?? -1;
  return parent < 0 ? from : parent;
};

/** The next node of the best path if that passes here, else the best child; `from` at a leaf. */
function onwards({ nodes, best }: BeamTreeData, from: number): number {
  const children = childrenOf(nodes, from);
  const path = new Set(pathTo(nodes, best));
  return children.find((child) => path.has(child)) ?? children[0] ?? from;
}

/** Finished hypotheses, the best first; while there are none, the kept prefixes. */
export function hypothesesOf({ nodes, best }: BeamTreeData): number[] {
  const ends = nodes.flatMap(({ state }, i) => (state === 'finished' ? [i] : []));
  const parents = new Set(nodes.map(({ parent }) => parent));
  const open = nodes.flatMap(({ state }, i) => (state === 'kept' && !parents.has(i) ? [i] : []));
  const order = (ends.length ? ends : open).sort((a, b) => nodes[b]!.score - nodes[a]!.score);
  return order.includes(best) ? [best, ...order.filter((node) => node !== best)] : order;
}

/** The most hypotheses in the summary. */
const MAX_TOLD = 5;

export const probabilityText = (node: BeamNode): string => fixed(node.probability, 2);

/** The tokens after the root. */
const sequence = ({ nodes }: BeamTreeData, i: number): string =>
  pathTo(nodes, i)
    .slice(1)
    .map((at) => marked(nodes[at]!.token))
    .join(' ');

/** "je suis <eos>: p 0.78, log p of the whole sequence −1.00, finished, the best" */
export function tellNode(data: BeamTreeData, i: number): string {
  const node = data.nodes[i]!;
  const odds = { p: probabilityText(node), logP: fixed(node.score, 2) };
  return texts.prefix({
    ...{ words: sequence(data, i) || marked(node.token), state: node.state, isBest: i === data.best },
    ...(node.parent >= 0 && { odds }),
  });
}

export function tellTree(data: BeamTreeData): string {
  const dropped = data.nodes.filter(({ state }) => state === 'pruned').length;
  const ends = hypothesesOf(data).slice(0, MAX_TOLD);
  const best = ends.map((i) => ({ words: sequence(data, i), logP: fixed(data.nodes[i]!.score, 2) }));
  return texts.tree(data.nodes.length - 1, dropped, best);
}

export function hypothesisTable(data: BeamTreeData): Table {
  const row = (i: number, rank: number): Table['rows'][number] => {
    const { score, sequenceProbability: p, state } = data.nodes[i]!;
    return {
      heads: [rank + 1, sequence(data, i)],
      cells: [{ value: score, text: fixed(score, 4) }, { value: p, text: significant(p, 3) }, texts.STATES[state]],
    };
  };
  return {
    caption: texts.HYPOTHESES,
    quiet: true,
    kind: 'worded',
    head: texts.HYPOTHESIS_COLUMNS,
    rows: hypothesesOf(data).map(row),
  };
}

export const nodeTable = ({ nodes }: BeamTreeData): Table => ({
  caption: texts.NODES,
  head: texts.NODE_COLUMNS,
  rows: nodes.map((n, i) => ({
    heads: [i],
    cells: [n.parent, n.token, n.logProbability, n.score, texts.STATES[n.state]],
  })),
});

export const SIZE = 13;

interface DrawnTree extends BeamLayout {
  zoom: number;
  /** Drawn by `listBeam`. */
  asList: boolean;
}

/** The lines, each from the end of a node's text to the beginning of the next. */
export function branches(data: BeamTreeData, { places, columns, zoom, asList }: DrawnTree): Part[] {
  const best = new Set(pathTo(data.nodes, data.best));
  const order = data.nodes.map((_, i) => i).sort((a, b) => rank(data, best, a) - rank(data, best, b));
  return order.map((i) => {
    const node = data.nodes[i]!;
    const [from, to] = [places[node.parent], places[i]!];
    const kind = best.has(i) ? 'best' : node.state;
    // In a list, one beside another has the line of the first.
    if (!from || (asList && to.x > columns[to.depth]!)) return nothing;
    return asList ? elbow(from, to, kind, zoom) : branch(from, to, kind, zoom);
  });
}

/** In a list: down from below the parent, then right to the node. */
const elbow = (from: Placed, to: Placed, kind: string, zoom: number): TemplateResult =>
  svg`<path class="branch ${kind}" d="M${from.x + 6 * zoom} ${from.y + SIZE * 0.75 * zoom}V${to.y}H${to.x - 4}"></path>`;

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
    return svg`<g class="beginning ${kind}" data-node=${i}>${words(node, layout, i, here === i)}</g>`;
  });
}

/** What is highlighted when the pointer is on a node. */
export function boxOf({ places, zoom }: DrawnTree, i: number): Box {
  const { x, y, width } = places[i]!;
  return { x: x - 4, y: y - SIZE * 0.87 * zoom, width: width + 8, height: SIZE * 1.75 * zoom };
}

function words(node: BeamNode, layout: DrawnTree, i: number, here: boolean): TemplateResult {
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
  >${sample('best', texts.BEST)}${sample('kept', texts.STATES.kept)}${sample('pruned', texts.STATES.pruned)}<span
    class="sample"
    ><svg class="end-sign" viewBox="0 0 8 8" aria-hidden="true"><path class="stop" d="M0 0h8v8H0z" /></svg
    >${texts.END}</span
  ></span
>`;
