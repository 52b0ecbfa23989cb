// The heads of an attention layer with their weights: in words, as tables, and drawn side by side as small maps, with the
// front head below them, large enough for its values.
import { type TemplateResult, nothing, svg } from 'lit';
import * as texts from '#messages/figures/heads';
import { attendsTo, cellAt, hasNoWeights } from '#messages/figures/shared';
import type { TraceNode } from '../../engine/types';
import { type Place, cellIndex } from '../../ui/grid-layout';
import { exact, fixed, significant } from '../../ui/numbers';
import type { Table } from '../host/table';
import { wordTable } from '../host/tables';
import * as map from '../shared/attention/attention-map';
import { headPlane } from '../shared/attention/attention-trace';
import { argmax, entropyBits } from '../shared/summary';
import type { Part } from '../host/contract';
import { frame } from '../shared/cells';
import { FULL } from '../shared/palette';

export class HeadsScene {
  constructor(
    readonly node: TraceNode,
    /** undefined until reached. */
    readonly values: Float32Array | undefined,
    readonly words: map.Words,
    readonly heads: number,
    /** The head in front. */
    readonly front: number,
  ) {}

  at(head: number): map.At {
    const plane = headPlane(this.node, head, this.heads);
    return (row, c) => cellIndex(plane, row, c);
  }

  weight(head: number, { row, column }: Place): number {
    return this.values?.[this.at(head)(row, column)] ?? NaN;
  }

  /** "it attends to animal with weight 0.62", in the front head */
  tellPlace(place: Place): string {
    const [row, c] = this.#wordsAt(place);
    const weight = this.weight(this.front, place);
    return Number.isFinite(weight) ? attendsTo(row, c, fixed(weight, 2)) : hasNoWeights(row);
  }

  tellExactly(place: Place): string {
    const weight = this.weight(this.front, place);
    return Number.isFinite(weight) ? cellAt(this.tellPlace(place), exact(weight)) : this.tellPlace(place);
  }

  /** In every head. */
  tellInAll(place: Place): string {
    if (this.heads < 2 || !Number.isFinite(this.weight(0, place))) return this.tellPlace(place);
    const [row, c] = this.#wordsAt(place);
    const weights = this.#each((head) => fixed(this.weight(head, place), 2));
    return texts.attendsInAll(row, c, weights);
  }

  tell(): string {
    if (!this.values) return texts.headsNotReached(this.heads);
    return this.#each((head) => this.#tellHead(head)).join(' ');
  }

  tables(): Table[] {
    const { node, words, values } = this;
    return this.#each((head) => ({
      ...wordTable(node.name, texts.headTable(head), words, values, this.at(head)),
      key: [texts.HEAD, head],
    }));
  }

  #tellHead(head: number): string {
    const { rows, columns } = this.words;
    const descriptions = rows.map((word, row) => {
      const weights = columns.map((_, column) => this.weight(head, { row, column }));
      const most = argmax(weights);
      if (!(weights[most]! > 0)) return texts.attendsMost(word, undefined);
      const entropy = significant(entropyBits(weights), 2);
      return texts.attendsMost(word, { column: columns[most]!, weight: fixed(weights[most]!, 2), entropy });
    });
    return texts.rowsOfHead(head, descriptions);
  }

  #wordsAt({ row, column }: Place): [row: string, column: string] {
    return [this.words.rows[row]!, this.words.columns[column]!];
  }

  #each<R>(of: (head: number) => R): R[] {
    return Array.from({ length: this.heads }, (_, head) => of(head));
  }
}

export type HeadsLayout = ReturnType<typeof layOutHeads>;

interface Measures {
  heads: number;
  words: map.Widths;
  width: number;
  maxHeight: number;
  line: number;
}

const MAX_CELL = 20;
const MIN_CELL = 3;
const APART = 16;

/**
 * As many maps per row as fit with words beside the first and above each (`worded`); if words do not fit, plain cells for
 * all. `margins`: space to the left of and above the cells of a map.
 */
function gridOf(measures: Measures) {
  const { heads, words, width, line, maxHeight } = measures;
  if (maxHeight < Infinity) return thumbnails(measures);
  const S = words.source.length;
  const wordsWide = Math.max(0, ...words.target) + 10;
  const cellFor = (across: number, left: number): number =>
    Math.min(MAX_CELL, Math.floor((width - left - (across - 1) * APART) / (across * S)));
  const margins = { left: wordsWide, above: Math.max(0, ...words.source) + 10 };
  for (let across = heads; across > 0; across--)
    if (cellFor(across, wordsWide) >= line) return { across, cell: cellFor(across, wordsWide), worded: true, margins };
  const plain = { left: 0, above: 4 };
  for (let across = heads; across > 1; across--)
    if (cellFor(across, 0) >= 6) return { across, cell: cellFor(across, 0), worded: false, margins: plain };
  return { across: 1, cell: Math.max(MIN_CELL, cellFor(1, 0)), worded: false, margins: plain };
}

/** The share of the height that the small maps have where the figure must fit. */
const SMALL_SHARE = 0.3;

/** All heads in one row, without words, so that there is room for the large map below. */
function thumbnails({ heads, words, width, line, maxHeight }: Measures) {
  const across = Math.floor((width - (heads - 1) * APART) / (heads * words.source.length));
  const high = Math.floor((maxHeight * SMALL_SHARE - 2.8 * line) / words.target.length);
  const cell = Math.max(MIN_CELL, Math.min(MAX_CELL, across, high));
  return { across: heads, cell, worded: false, margins: { left: 2, above: 4 } };
}

export function layOutHeads(measures: Measures) {
  const { heads, words, width, line, maxHeight } = measures;
  const [T, S] = [words.target.length, words.source.length];
  const { across, cell, worded, margins } = gridOf(measures);
  const [wide, high] = [S * cell + APART, margins.above + T * cell + 2.2 * line];
  const small = Array.from({ length: heads }, (_, head) => ({
    x: margins.left + (head % across) * wide,
    y: Math.floor(head / across) * high + margins.above,
    cell: { width: cell, height: cell },
    rows: T,
    columns: S,
  }));
  const top = heads > 1 ? Math.ceil(heads / across) * high + 0.6 * line : 0;
  const large = map.layOutAlignment(words, width, line, maxHeight - top);
  return {
    ...{ across, worded, small: heads > 1 ? small : [], large: { ...large, y: top + large.y } },
    ...{ line, turn: large.turn, numbered: large.numbered },
    width: Math.max(large.width, heads > 1 ? margins.left + across * wide - APART : 0),
    height: top + large.height,
  };
}

export function drawn(scene: HeadsScene, layout: HeadsLayout, here: Place | null): Part[] {
  const { small, large, turn, line, numbered } = layout;
  const { values, words } = scene;
  const at = scene.at(scene.front);
  return [
    ...small.map((_, head) => smallMap(scene, layout, head, here)),
    ...[...map.rowLabels(large, words, line, here), ...map.columnLabels(large, words, turn, line, here)],
    map.mapCells(large, values, at, FULL),
    ...(numbered ? map.mapNumbers(large, values, at, FULL, line) : []),
    map.ring(large, here),
  ];
}

function smallMap(scene: HeadsScene, layout: HeadsLayout, head: number, here: Place | null): TemplateResult {
  const { worded, across, line } = layout;
  const box = layout.small[head]!;
  const on = head === scene.front;
  const [width, height] = [box.columns * box.cell.width, box.rows * box.cell.height];
  return svg`<g class="head-map" data-head=${head}>
    <text class="token-word ${on ? 'on' : ''}" x=${box.x} y=${box.y + height + line * 1.1}>${worded || on ? texts.headName(head) : head}</text>
    ${worded ? map.columnLabels(box, scene.words, -90, line, here) : nothing}
    ${worded && head % across === 0 ? map.rowLabels(box, scene.words, line, here) : nothing}
    ${map.mapCells(box, scene.values, scene.at(head), FULL)}
    ${on ? frame('chosen', { x: box.x - 0.5, y: box.y - 0.5, width, height }, 2) : nothing} ${map.ring(box, here)}
  </g>`;
}
