// A mask and the weights that it leaves: in words, as tables, and drawn side by side; the values of the usual masks.
import { type TemplateResult, svg } from 'lit';
import * as texts from '#messages/figures/mask';
import type { TraceNode } from '../../engine/types';
import type { Place } from '../../ui/grid-layout';
import { fixed } from '../../ui/numbers';
import type { Table } from '../host/table';
import { wordTable } from '../host/tables';
import * as map from '../shared/attention/attention-map';
import type { Part } from '../host/contract';
import { type Scale, FULL } from '../shared/palette';

export class MaskScene {
  constructor(
    readonly mask: TraceNode,
    readonly weights: TraceNode,
    readonly words: map.Words,
    /** Values added to the scores, and the weights; undefined until reached. */
    readonly added: Float32Array | undefined,
    readonly values: Float32Array | undefined,
    /** Flat index of a weight of the head on show. */
    readonly weightAt: map.At,
    /** Value of a cell of the mask, also if it is painted but has not been run yet. */
    private readonly valueAt: (index: number) => number | undefined,
  ) {}

  /** Flat index of a cell of the mask. */
  readonly at: map.At = (row, c) => row * this.words.columns.length + c;

  isHidden({ row, column }: Place): boolean {
    return this.valueAt(this.at(row, column)) === -Infinity;
  }

  /** The query and the key of a cell. */
  pairAt(place: Place): texts.Pair {
    const weight = this.values?.[this.weightAt(place.row, place.column)];
    return {
      query: this.words.rows[place.row]!,
      key: this.words.columns[place.column]!,
      hidden: this.isHidden(place),
      weight: weight === undefined ? weight : fixed(weight, 2),
    };
  }

  /** Of words that see nothing; "" if all see something. */
  tellBlind(): string {
    const blind = this.words.rows.filter((_, row) => !this.#visible(row).length);
    return blind.length ? texts.seeNothing(blind) : '';
  }

  tell(): string {
    const { rows, columns } = this.words;
    return rows.map((word, row) => texts.seesKeys(word, this.#visible(row), columns.length)).join(' ');
  }

  tables(): Table[] {
    const { mask, weights, words, added, values } = this;
    return [
      { ...wordTable(mask.name, texts.ADDED_TABLE, words, added, this.at), key: [texts.TENSOR, mask.name] },
      {
        ...wordTable(weights.name, texts.WEIGHTS_TABLE, words, values, this.weightAt),
        key: [texts.TENSOR, weights.name],
      },
    ];
  }

  #visible(row: number): string[] {
    return this.words.columns.filter((_, column) => !this.isHidden({ row, column }));
  }
}

type MaskLayout = ReturnType<typeof layOutMask>;

const MAX_CELL = 48;
const APART = 36;

/** Side by side if the cells stay large enough to press, else one above the other. */
export function layOutMask(words: map.Widths, width: number, line: number) {
  const [T, S] = [words.target.length, words.source.length];
  const left = Math.ceil(Math.max(0, ...words.target)) + 12;
  /** Width of the longest column word. */
  const longest = Math.ceil(Math.max(0, ...words.source));
  const min = Math.max(24, Math.ceil(line * 1.6));
  const side = Math.floor((width - left - APART) / (2 * S));
  /** The weights are to the right of the mask and share its row words. */
  const beside = side >= min;
  const cell = Math.max(min, Math.min(MAX_CELL, beside ? side : Math.floor((width - left) / S)));
  const high = Math.max(min, Math.round(Math.min(cell * 0.7, line * 2.4)));
  const turn = longest + 6 <= cell ? 0 : -90;
  const above = 1.5 * line + (turn ? longest + 8 : line * 1.5);
  const box = (x: number, y: number): map.MapBox => ({
    x,
    y,
    cell: { width: cell, height: high },
    rows: T,
    columns: S,
  });
  const mask = box(left, above);
  const weights = beside ? box(map.rightOf(mask) + APART, above) : box(left, map.bottomOf(mask) + above + 0.8 * line);
  const size = { width: map.rightOf(weights) + 1, height: map.bottomOf(weights) + 1 };
  return { ...size, mask, weights, beside, turn, line, longest };
}

export type Preset = 'none' | 'causal' | 'padding' | 'window';
/** Additive mask (T, S), row-major: 0 lets a key through, −∞ hides it. `size`: keys that are padding or in a window. */
export function presetMask(preset: Preset, T: number, S: number, size: number): number[] {
  const hides: Record<Preset, (i: number, j: number) => boolean> = {
    none: () => false,
    causal: (i, j) => j > i,
    padding: (_, j) => j >= S - size,
    window: (i, j) => j > i || j <= i - size,
  };
  return Array.from({ length: T * S }, (_, at) => (hides[preset](Math.floor(at / S), at % S) ? -Infinity : 0));
}

const ADDED: Scale = { map: 'diverging', limit: 1 };

export function drawn(scene: MaskScene, layout: MaskLayout, here: Place | null): Part[] {
  const { mask, weights, words, added, values, weightAt } = scene;
  const { turn, line, longest, beside } = layout;
  const named = (box: map.MapBox, name: string): TemplateResult =>
    svg`<text class="map-name" x=${box.x} y=${box.y - (turn ? longest + 12 : line * 1.7)}>${name}</text>
      ${map.columnLabels(box, words, turn, line, here)}`;
  const rows = (box: map.MapBox) => map.rowLabels(box, words, line, here);
  const numbered = layout.weights.cell.width >= line * 2.3;
  return [
    svg`<g data-tensor=${mask.name}>${named(layout.mask, texts.ADDED_TO_SCORES)} ${rows(layout.mask)}
      ${map.mapCells(layout.mask, added, scene.at, ADDED)} ${map.ring(layout.mask, here)}</g>`,
    svg`<g data-tensor=${weights.name}>${named(layout.weights, texts.WEIGHTS)} ${beside ? [] : rows(layout.weights)}
      ${map.mapCells(layout.weights, values, weightAt, FULL)}
      ${numbered ? map.mapNumbers(layout.weights, values, weightAt, FULL, line) : []} ${map.ring(layout.weights, here, 'same')}</g>`,
  ];
}
