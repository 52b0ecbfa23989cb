// Draws the outputs of two runs, row by row: before, and with the words in another order.
import { type TemplateResult, nothing, svg } from 'lit';
import * as texts from '#messages/figures/permute';
import type { TraceNode } from '../../engine/types';
import { frame, inkCells } from '../shared/cells';
import type { Part } from '../host/contract';
import { type Table, matrixRows } from '../host/tables';
import { significant } from '../../ui/numbers';
import { scaleOf } from '../shared/palette';
import type { Base } from './permute-base';
import { type PermuteLayout, isRounding, rowDifferences } from './permute-order';

export interface PermuteScene {
  words: readonly string[];
  order: readonly number[];
  base: Base | null;
  /** Outputs of the current run; undefined until reached, and while a word is being moved. */
  now: Float32Array | undefined;
  input: TraceNode;
  output: TraceNode;
}

const ownOrder = ({ order }: PermuteScene): number[] => order.map((_, i) => i);
const isReordered = ({ order }: PermuteScene): boolean => order.some((from, to) => from !== to);
const gapsOf = ({ base, now, order }: PermuteScene): number[] =>
  base && now?.length === base.outputs.length ? rowDifferences(base.outputs, now, order) : [];

/** Compares the outputs of the two runs. */
export function verdict(scene: PermuteScene): string {
  const { now } = scene;
  if (!now) return texts.OUTPUTS_NOT_REACHED;
  const gaps = gapsOf(scene);
  if (!gaps.length) return texts.DIFFERENT_SIZES;
  const largest = Math.max(...gaps);
  return texts.compared(isRounding(largest, now), largest === 0 ? null : significant(largest, 2));
}

export function permuted(scene: PermuteScene, layout: PermuteLayout): Part[] {
  const { order, base, now, input, output } = scene;
  const { x, difference } = layout;
  const own = ownOrder(scene);
  const gaps = isReordered(scene) ? gapsOf(scene) : [];
  const heading = (at: number | null, text: string): Part =>
    at === null ? nothing : svg`<text class="map-name" x=${at} y=${layout.line}>${text}</text>`;
  const strips = (left: number | null, rows: readonly number[], values: Float32Array | undefined, node: TraceNode) =>
    stripsOf(layout, left, rows, values, node, node === input ? layout.input : layout.output);
  return [
    heading(x.before, texts.OUTPUTS_BEFORE),
    heading(x.now, texts.OUTPUTS_NOW),
    heading(x.inputBefore, input.name),
    heading(x.inputNow, input.name),
    heading(gaps.length ? difference : null, texts.DIFFER_BY),
    ...carried(scene, layout, gaps),
    strips(x.inputBefore, own, base?.inputs, input),
    strips(x.before, own, base?.outputs, output),
    strips(x.now, own, now, output),
    strips(x.inputNow, order, base?.inputs, input),
    ...own.map((i) => rowWords(scene, layout, i, gaps[i])),
  ];
}

/** The words of a row, before and now, and how far its outputs differ. */
function rowWords(
  { words, order }: PermuteScene,
  layout: PermuteLayout,
  i: number,
  gap: number | undefined,
): TemplateResult {
  const y = layout.top + (i + 0.5) * layout.row + layout.line * 0.34;
  return svg`<text class="token-word" text-anchor="end" x=${layout.words.before} y=${y}>${words[i]}</text>
    <text class="token-word" x=${layout.words.now} y=${y}>${words[order[i]!]}</text>
    ${gap === undefined ? nothing : svg`<text class="gap-number" x=${layout.difference} y=${y}>${significant(gap, 2)}</text>`}`;
}

/** A line from each row before to its word's row now; dashed if the row differs by more than rounding. */
function carried({ order, now }: PermuteScene, layout: PermuteLayout, gaps: readonly number[]): TemplateResult[] {
  const { x, output, top, row } = layout;
  const [a, b] = [x.before + output + 5, x.now - 5];
  const y = (i: number): number => top + (i + 0.5) * row;
  return order.map((from, to) => {
    const changed = now && gaps[to] !== undefined && !isRounding(gaps[to], now);
    const [start, end] = [y(from), y(to)];
    return svg`<path class="carried ${changed ? 'changed' : ''}" d="M${a} ${start}C${(a + b) / 2} ${start} ${(a + b) / 2} ${end} ${b} ${end}"></path>`;
  });
}

/** One strip per row: strip r shows row order[r]. */
function stripsOf(
  { row, top }: PermuteLayout,
  x: number | null,
  order: readonly number[],
  values: Float32Array | undefined,
  node: TraceNode,
  width: number,
): Part {
  if (x === null) return nothing;
  const columns = node.shape[1]!;
  const height = row - 8;
  const y = (r: number): number => top + r * row + 4;
  if (!values) return svg`${order.map((_, r) => frame('hollow', { x, y: y(r), width, height }, -0.5))}`;
  const cells = order.flatMap((from, r) =>
    Array.from({ length: columns }, (_, c) => ({
      x: x + (c * width) / columns,
      y: y(r),
      width: width / columns,
      height,
      value: values[from * columns + c]!,
    })),
  );
  return svg`<g data-tensor=${node.name}>${inkCells(cells, scaleOf('state', values))}</g>`;
}

export const permutedTables = (scene: PermuteScene): Table[] => [
  tableOf(scene, 'before', ownOrder(scene), scene.base?.outputs),
  { ...tableOf(scene, 'now', scene.order, scene.now), tensor: scene.output.name },
];

/** The outputs of a run, one row per word. */
function tableOf(
  { output, words }: PermuteScene,
  run: keyof typeof texts.RUNS,
  order: readonly number[],
  values: Float32Array | undefined,
): Table {
  const columns = output.shape[1]!;
  const cell = (index: number) => ({ index, value: values?.[index] });
  const heads = order.map((from) => words[from]);
  return {
    caption: texts.TABLES[run],
    key: [texts.RUN, texts.RUNS[run]],
    rows: matrixRows(heads, columns, (r, c) => cell(r * columns + c)),
  };
}
