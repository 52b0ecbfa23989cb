// Draws the outputs of two runs, row by row: before, and with the words in another order.
import { type TemplateResult, html, nothing, svg } from 'lit';
import type { TraceNode } from '../../engine/types';
import { inkCells } from '../cells';
import { csvOf } from '../figure-export';
import { column, shortest, significant } from '../../ui/numbers';
import { palette, scaleOf } from '../shared/palette';
import type { Base } from './permute-base';
import { type PermuteLayout, isRounding, rowDifferences } from './permute-order';

export interface PermuteScene {
  layout: PermuteLayout;
  line: number;
  words: readonly string[];
  order: readonly number[];
  base: Base | null;
  /** Outputs of the current run; undefined until reached, and while a word is being moved. */
  now: Float32Array | undefined;
  input: TraceNode;
  output: TraceNode;
}

type Part = TemplateResult | typeof nothing;

const ownOrder = ({ order }: PermuteScene): number[] => order.map((_, i) => i);
const isReordered = ({ order }: PermuteScene): boolean => order.some((from, to) => from !== to);
const gapsOf = ({ base, now, order }: PermuteScene): number[] =>
  base && now?.length === base.outputs.length ? rowDifferences(base.outputs, now, order) : [];

/** Compares the outputs of the two runs. */
export function verdict(scene: PermuteScene): string {
  const { now } = scene;
  if (!now) return 'The outputs have not been reached yet.';
  const gaps = gapsOf(scene);
  if (!gaps.length) return 'The outputs cannot be compared: their sizes differ.';
  const largest = Math.max(...gaps);
  const differ = largest === 0 ? 'they do not differ at all' : `they differ by at most ${significant(largest, 2)}`;
  return isRounding(largest, now)
    ? `The outputs are the same rows in the new order: ${differ}.`
    : `The output rows have changed: ${differ}.`;
}

export function permuted(scene: PermuteScene): TemplateResult {
  const { layout, line, words, order, base, now, input, output } = scene;
  const { x, words: at } = layout;
  const own = ownOrder(scene);
  const gaps = isReordered(scene) ? gapsOf(scene) : [];
  const y = (i: number): number => layout.top + (i + 0.5) * layout.row + line * 0.34;
  const strips = (
    left: number | null,
    list: readonly number[],
    values: Float32Array | undefined,
    node: TraceNode,
  ): Part => stripsOf(layout, left, list, values, node, node === input ? layout.input : layout.output);
  return svg`${headings(scene, gaps.length > 0)} ${carried(scene, gaps)}
    ${strips(x.inputBefore, own, base?.inputs, input)} ${strips(x.before, own, base?.outputs, output)}
    ${strips(x.now, own, now, output)} ${strips(x.inputNow, order, base?.inputs, input)}
    ${own.map(
      (i) => svg`<text class="token-word" text-anchor="end" x=${at.before} y=${y(i)}>${words[i]}</text>
        <text class="token-word" x=${at.now} y=${y(i)}>${words[order[i]!]}</text>
        ${gaps.length ? svg`<text class="gap-number" x=${layout.difference} y=${y(i)}>${significant(gaps[i]!, 2)}</text>` : nothing}`,
    )}`;
}

function headings({ layout, line, input }: PermuteScene, differ: boolean): Part[] {
  const { x } = layout;
  const heading = (at: number | null, text: string): Part =>
    at === null ? nothing : svg`<text class="map-name" x=${at} y=${line}>${text}</text>`;
  return [
    heading(x.before, 'outputs before'),
    heading(x.now, 'outputs now'),
    heading(x.inputBefore, input.name),
    heading(x.inputNow, input.name),
    heading(differ ? layout.difference : null, 'differ by'),
  ];
}

/** A line from each row before to its word's row now; dashed if the row differs by more than rounding. */
function carried({ layout, order, now }: PermuteScene, gaps: readonly number[]): TemplateResult[] {
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
  if (!values)
    return svg`${order.map((_, r) => svg`<rect class="hollow" x=${x + 0.5} y=${y(r) + 0.5} width=${width - 1} height=${height - 1}></rect>`)}`;
  const cells = order.flatMap((from, r) =>
    Array.from({ length: columns }, (_, c) => ({
      x: x + (c * width) / columns,
      y: y(r),
      width: width / columns,
      height,
      value: values[from * columns + c]!,
    })),
  );
  return svg`<g data-tensor=${node.name}>${inkCells(cells, scaleOf('state', values), palette())}</g>`;
}

export const permutedTables = (scene: PermuteScene): TemplateResult =>
  html`${table(scene, 'Outputs before', ownOrder(scene), scene.base?.outputs, nothing)}
  ${table(scene, 'Outputs now', scene.order, scene.now, scene.output.name)}`;

function table(
  { output, words }: PermuteScene,
  caption: string,
  order: readonly number[],
  values: Float32Array | undefined,
  name: string | typeof nothing,
): TemplateResult {
  const columns = output.shape[1]!;
  const texts = Array.from({ length: columns }, (_, c) =>
    values ? column(order.map((__, r) => values[r * columns + c]!)) : [],
  );
  return html`<table data-tensor=${name}>
    <caption>
      ${caption}
    </caption>
    <tbody>
      ${order.map(
        (from, r) =>
          html`<tr>
            <th scope="row">${words[from]}</th>
            ${texts.map((list, c) => html`<td data-index=${r * columns + c}>${list[r]}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

export function permutedLines(scene: PermuteScene): string {
  const { output, words, order, base, now } = scene;
  const columns = output.shape[1]!;
  const rows = (when: string, list: readonly number[], values: Float32Array | undefined): (string | number)[][] =>
    values
      ? list.map((from, r) => [
          when,
          words[from]!,
          ...[...values.subarray(r * columns, (r + 1) * columns)].map(shortest),
        ])
      : [];
  return csvOf([['run', 'word'], ...rows('before', ownOrder(scene), base?.outputs), ...rows('now', order, now)]);
}
