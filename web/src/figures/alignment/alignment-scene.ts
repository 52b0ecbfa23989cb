// An attention matrix with words for its rows and columns: in words, as a table with the sum of every row (one row per
// target word), and drawn, a cell for each pair, the true links outlined.
import { type TemplateResult, svg } from 'lit';
import * as texts from '#messages/figures/alignment';
import { cellAt, hasNoWeights } from '#messages/figures/shared';
import { exact, fixed, significant } from '../../ui/numbers';
import type { Place } from '../../ui/grid-layout';
import type { Table } from '../host/table';
import type { Part } from '../host/contract';
import * as map from '../shared/attention/attention-map';
import { type Cell, boxPath, frame, inkCells } from '../shared/cells';
import { FULL, palette } from '../shared/palette';

export interface AlignmentData {
  source: string[];
  target: string[];
  /** (T, S), row-major; one row per target word. */
  weights: Float32Array;
  /** The links known to be right. */
  truth?: [source: number, target: number][];
  /** The tensor's name. */
  name: string;
}

/** Column of the largest weight in row t. */
export function argmaxOfRow(data: AlignmentData, t: number): number {
  const S = data.source.length;
  let best = 0;
  for (let j = 1; j < S; j++) if (weightAt(data, t, j) > weightAt(data, t, best)) best = j;
  return best;
}

const weightAt = (data: AlignmentData, t: number, j: number): number => data.weights[t * data.source.length + j] ?? NaN;

export function sumOf(data: AlignmentData, t: number): number {
  const S = data.source.length;
  return data.weights.subarray(t * S, (t + 1) * S).reduce((sum, weight) => sum + weight, 0);
}

/** Flat cell indices of the true links; links outside the matrix are dropped. */
export function truthOf({ truth = [], source, target }: AlignmentData): Set<number> {
  const inside = truth.filter(([s, t]) => s >= 0 && s < source.length && t >= 0 && t < target.length);
  return new Set(inside.map(([s, t]) => t * source.length + s));
}

/** Indices of the target words that have weights already. */
const rowsWithWeights = (data: AlignmentData): number[] =>
  data.target.map((_, t) => t).filter((t) => Number.isFinite(weightAt(data, t, 0)));

/** Of the target words with weights and a true link, how many have their largest weight on one. */
export function agreement(data: AlignmentData): { right: number; of: number } {
  const truth = truthOf(data);
  const S = data.source.length;
  const linked = rowsWithWeights(data).filter((t) => data.source.some((_, j) => truth.has(t * S + j)));
  return { right: linked.filter((t) => truth.has(t * S + argmaxOfRow(data, t))).length, of: linked.length };
}

/** "étudiant attends to student with weight 0.91 (true link)" */
export function tellPair(data: AlignmentData, { row, column }: Place): string {
  const [target, source] = [data.target[row]!, data.source[column]!];
  const weight = weightAt(data, row, column);
  if (!Number.isFinite(weight)) return hasNoWeights(target);
  return texts.pair(target, source, fixed(weight, 2), isTrueLink(data, row, column));
}

const isTrueLink = (data: AlignmentData, row: number, column: number): boolean =>
  truthOf(data).has(row * data.source.length + column);

export function tellExactly(data: AlignmentData, at: Place): string {
  const weight = weightAt(data, at.row, at.column);
  return Number.isFinite(weight) ? cellAt(tellPair(data, at), exact(weight)) : tellPair(data, at);
}

export function tellAgreement(data: AlignmentData): string {
  const { right, of } = agreement(data);
  return of ? texts.agreement(right, of) : '';
}

export function tellAlignment(data: AlignmentData): string {
  const rows = rowsWithWeights(data).map((t) => tellRow(data, t));
  return [tellSums(data), truthOf(data).size ? tellAgreement(data) : '', ...rows].filter(Boolean).join(' ');
}

function tellRow(data: AlignmentData, t: number): string {
  const best = argmaxOfRow(data, t);
  const weight = fixed(weightAt(data, t, best), 2);
  return texts.mostOf(data.target[t]!, data.source[best]!, weight, isTrueLink(data, t, best));
}

function tellSums(data: AlignmentData): string {
  const rows = rowsWithWeights(data);
  if (!rows.length) return texts.NO_ROW_REACHED;
  if (rows.every((t) => Math.abs(sumOf(data, t) - 1) < 1e-4)) return texts.EVERY_ROW_SUMS_TO_1;
  return rows.map((t) => texts.rowSumsTo(data.target[t]!, significant(sumOf(data, t), 4))).join(' ');
}

export function alignmentTable(data: AlignmentData): Table {
  const truth = truthOf(data);
  const S = data.source.length;
  const cell = (t: number, j: number) => ({
    value: weightAt(data, t, j),
    index: t * S + j,
    ...(truth.has(t * S + j) && { kind: 'true-link' }),
  });
  return {
    caption: texts.captionOf(data.name),
    quiet: true,
    tensor: data.name,
    head: ['', ...data.source, texts.SUM],
    rows: data.target.map((word, t) => ({
      heads: [word],
      cells: [...data.source.map((_, j) => cell(t, j)), { value: Math.fround(sumOf(data, t)), kind: 'total' }],
    })),
  };
}

/** `outlined`: shows the true links. */
export function drawn(data: AlignmentData, layout: map.AlignmentLayout, outlined: boolean, here: Place | null): Part[] {
  const { columns, turn, line, numbered } = layout;
  const words = { rows: data.target, columns: data.source };
  const at = (row: number, column: number): number => row * columns + column;
  const cells = map.cellsOf(layout, data.weights, at);
  const reached = cells.filter(({ value }) => !Number.isNaN(value));
  const numbers = numbered ? map.mapNumbers(layout, data.weights, at, FULL, line) : [];
  const links = outlined ? [...truthOf(data)].map((index) => link(inner(cells[index]!))) : [];
  return [
    ...map.columnLabels(layout, words, turn, line, here),
    ...map.rowLabels(layout, words, line, here),
    inkCells(reached, FULL),
    ...cells.filter((cell) => !reached.includes(cell)).map((cell) => frame('hollow', inner(cell), -0.5)),
    ...numbers,
    ...links,
    map.ring(layout, here),
  ];
}

/** Without the gap to its neighbours. */
const inner = (cell: Cell): Cell => ({ ...cell, width: cell.width - 1, height: cell.height - 1 });

/** A true link: an outline inside its cell, with the upper left corner filled. */
function link(cell: Cell): TemplateResult {
  const { ink, paper } = palette();
  const { x, y, width, height } = cell;
  const corner = Math.min(8, (height + 1) / 3) + 2.5;
  const box = (inset: number): string => boxPath(x + inset, y + inset, width - 2 * inset, height - 2 * inset);
  return svg`<g class="truth"><path fill="none" stroke=${paper} stroke-width="3" d=${box(1.5)}></path>
    <path fill="none" stroke=${ink} stroke-width="1.25" d=${box(0.6)}></path>
    <path fill=${ink} stroke=${paper} stroke-width="1" d="M${x} ${y}h${corner}l${-corner} ${corner}z"></path></g>`;
}
