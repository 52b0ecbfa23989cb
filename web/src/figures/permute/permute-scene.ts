// The words of a model in another order: reordering rows, the reference run with the words in their original order, and
// comparing the outputs of the two runs, row by row.
import { type TemplateResult, nothing, svg } from 'lit';
import * as texts from '#messages/figures/permute';
import type { TraceNode } from '../../engine/types';
import { significant } from '../../ui/numbers';
import { type Experiment, replay } from '../../engine/replay';
import type { RemoteSession } from '../../engine/remote';
import type { Lab } from '../../lab/lab';
import { experimentOf } from '../../lab/changes';
import { cellsOf } from '../shared/attention/attention-map';
import { frame, inkCells } from '../shared/cells';
import type { Part } from '../host/contract';
import { type Table, matrixRows } from '../host/table';
import { scaleOf } from '../shared/palette';

/** Moves the entry at `from` to `to`; the others keep their order. */
export function moved(order: readonly number[], from: number, to: number): number[] {
  const rest = order.filter((_, i) => i !== from);
  return [...rest.slice(0, to), order[from]!, ...rest.slice(to)];
}

/** Row r of the result is row order[r]. */
export function permuteRows(values: ArrayLike<number>, order: readonly number[]): number[] {
  const columns = values.length / order.length;
  return order.flatMap((row) => Array.from({ length: columns }, (_, c) => values[row * columns + c]!));
}

/** The order in which row r of `now` is row order[r] of `base`, bit for bit; null if there is none. */
export function orderOf(base: ArrayLike<number>, now: ArrayLike<number>, rows: number): number[] | null {
  if (base.length !== now.length || !rows) return null;
  const columns = base.length / rows;
  const same = (a: number, b: number): boolean => {
    for (let c = 0; c < columns; c++) if (!Object.is(base[a * columns + c], now[b * columns + c])) return false;
    return true;
  };
  const order: number[] = [];
  for (let row = 0; row < rows; row++)
    order.push([...Array(rows).keys()].findIndex((each) => !order.includes(each) && same(each, row)));
  return order.includes(-1) ? null : order;
}

/** Largest absolute difference between row r of `now` and row order[r] of `before`, for each r. */
export function rowDifferences(before: ArrayLike<number>, now: ArrayLike<number>, order: readonly number[]): number[] {
  const columns = now.length / order.length;
  const gap = (from: number, row: number, c: number): number =>
    Math.abs(now[row * columns + c]! - before[from * columns + c]!);
  return order.map((from, row) => Math.max(...Array.from({ length: columns }, (_, c) => gap(from, row, c))));
}

/** Relative difference that summing in another order alone can cause. */
const ROUNDING = 1e-5;

export const isRounding = (difference: number, values: ArrayLike<number>): boolean =>
  difference <= ROUNDING * Math.max(1, ...Array.from(values, Math.abs));

/** "a" to "z", for words without names. */
export const letters = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => String.fromCharCode(97 + (i % 26)));

type PermuteLayout = ReturnType<typeof layOutPermute>;

const APART = 6;

/** `word`: width of the widest word; `note`: of a difference; `title`: of a heading. */
export function layOutPermute(
  { rows, inputs, outputs }: { rows: number; inputs: number; outputs: number },
  { width, line, word, note, title }: Record<'width' | 'line' | 'word' | 'note' | 'title', number>,
) {
  const between = Math.max(48, Math.min(130, width * 0.17));
  const rest = width - 2 * (word + 10) - between - note - 14;
  const withInputs = rest / (2 * (inputs + outputs)) >= 9;
  const cell = Math.max(
    3,
    Math.min(22, (rest - (withInputs ? 4 * APART : 0)) / (2 * ((withInputs ? inputs : 0) + outputs))),
  );
  /** Width of an input strip and of an output strip. */
  const [input, output] = [Math.floor(cell * inputs), Math.floor(cell * outputs)];
  const left = word + 10;
  const before = left + (withInputs ? input + 2 * APART : 0);
  const now = before + Math.max(output + between, title + 2 * APART);
  const inputNow = now + Math.max(output, title) + 2 * APART;
  const words = withInputs ? inputNow + input + 10 : now + output + 10;
  const row = Math.round(Math.max(24, line * 1.9));
  return {
    /** Left edges of the strips: X and outputs before, outputs and X now; null where there is no room for X. */
    x: { inputBefore: withInputs ? left : null, before, now, inputNow: withInputs ? inputNow : null },
    ...{ input, output, row, line, top: 1.8 * line },
    words: { before: word, now: words },
    difference: words + word + 14,
    width: Math.ceil(words + word + 14 + note),
    height: Math.ceil(1.8 * line + rows * row),
  };
}

export class PermuteScene {
  constructor(
    readonly words: readonly string[],
    readonly order: readonly number[],
    readonly base: Base | null,
    /** Outputs of the current run; undefined until reached, and while a word is being moved. */
    readonly now: Float32Array | undefined,
    readonly input: TraceNode,
    readonly output: TraceNode,
  ) {}

  get isReordered(): boolean {
    return this.order.some((from, to) => from !== to);
  }

  get ownOrder(): number[] {
    return this.order.map((_, i) => i);
  }

  /** How far the outputs of each row differ; [] if they cannot be compared. */
  get gaps(): number[] {
    const { base, now, order } = this;
    return base && now?.length === base.outputs.length ? rowDifferences(base.outputs, now, order) : [];
  }

  /** Compares the outputs of the two runs. */
  verdict(): string {
    const { now, gaps } = this;
    if (!now) return texts.OUTPUTS_NOT_REACHED;
    if (!gaps.length) return texts.DIFFERENT_SIZES;
    const largest = Math.max(...gaps);
    return texts.compared(isRounding(largest, now), largest === 0 ? null : significant(largest, 2));
  }

  tables(): Table[] {
    const before = this.#table('before', this.ownOrder, this.base?.outputs);
    return [before, { ...this.#table('now', this.order, this.now), tensor: this.output.name }];
  }

  /** The outputs of a run, one row per word. */
  #table(run: keyof typeof texts.RUNS, order: readonly number[], values: Float32Array | undefined): Table {
    const columns = this.output.shape[1]!;
    const cell = (index: number) => ({ index, value: values?.[index] });
    const heads = order.map((from) => this.words[from]);
    return {
      caption: texts.TABLES[run],
      key: [texts.RUN, texts.RUNS[run]],
      rows: matrixRows(heads, columns, (r, c) => cell(r * columns + c)),
    };
  }
}

export function permuted(scene: PermuteScene, layout: PermuteLayout): Part[] {
  const { order, base, now, input, output } = scene;
  const { x, difference } = layout;
  const own = scene.ownOrder;
  const gaps = scene.isReordered ? scene.gaps : [];
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
    ${gap === undefined ? nothing : svg`<text class="norm-number" x=${layout.difference} y=${y}>${significant(gap, 2)}</text>`}`;
}

/** A line from each row before to its word's row now; dashed if the row differs by more than rounding. */
function carried({ order, now }: PermuteScene, layout: PermuteLayout, gaps: readonly number[]): TemplateResult[] {
  const { x, output, top, row } = layout;
  const [a, b] = [x.before + output + 5, x.now - 5];
  const y = (i: number): number => top + (i + 0.5) * row;
  return order.map((from, to) => {
    const changed = now && gaps[to] !== undefined && !isRounding(gaps[to], now);
    const [start, end] = [y(from), y(to)];
    return svg`<path class="flow carried ${changed ? 'changed' : ''}" d="M${a} ${start}C${(a + b) / 2} ${start} ${(a + b) / 2} ${end} ${b} ${end}"></path>`;
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
  const cell = { width: width / columns, height };
  const cells = order.flatMap((from, r) =>
    cellsOf({ x, y: y(r), cell, rows: 1, columns }, values, (_, c) => from * columns + c),
  );
  return svg`<g data-tensor=${node.name}>${inkCells(cells, scaleOf('state', values))}</g>`;
}

export interface Base {
  /** The experiment that was run, as JSON. */
  key: string;
  inputs: Float32Array;
  outputs: Float32Array;
}

/** The learner's experiment without changes to `input`; `anchor` replaces its values, null keeps the page's own. */
export function baseExperiment({ page, state }: Lab, input: string, anchor: number[] | null): Experiment {
  const others = state.inputs.filter(({ name }) => name !== input);
  const edits = state.edits.filter(({ name }) => name !== input);
  const inputs = anchor ? [...others, { name: input, values: anchor, at: 0 }] : others;
  return experimentOf(page, { ...state, inputs, edits });
}

export async function runBase(
  session: RemoteSession,
  experiment: Experiment,
  input: string,
): Promise<Omit<Base, 'key'> | null> {
  const answer = await replay(session, experiment);
  if (!answer.ok) return null;
  const { trace, run } = answer.value;
  const node = trace.nodes.find(({ name }) => name === input);
  const [inputs, outputs] = await Promise.all([session.values(node?.id ?? -1), session.values(run.output)]);
  return inputs.ok && outputs.ok ? { inputs: inputs.value, outputs: outputs.value } : null;
}
