// The picture that a captioner reads, with the attention of the words of its caption or of one of its places.
import type { TraceNode } from '../../engine/types';
import { fixed } from '../../ui/numbers';
import type { Table, TableRow } from '../host/tables';
import { argmax } from '../shared/summary';
import type { PictureAttention } from './picture-trace';

/** Source word of an empty place. */
const EMPTY = '.';

export interface PictureChoice {
  /** Index of the caption's word, and of the picture's place. */
  at: number;
  place: number;
  /** Shows the weights of a place instead of a word's. */
  between: boolean;
}

export class PictureScene {
  constructor(
    readonly attention: PictureAttention,
    readonly choice: PictureChoice,
    readonly caption: readonly string[],
    /** What is at each place of the picture. */
    private readonly there: readonly string[] | undefined,
    private readonly reached: (node: TraceNode) => Float32Array | undefined,
  ) {}

  /** The attention weights on show. */
  get node(): TraceNode | undefined {
    const { placeWeights, wordWeights } = this.attention;
    return this.choice.between ? placeWeights : wordWeights[this.choice.at];
  }

  get places(): number {
    return this.attention.grid.rows * this.attention.grid.columns;
  }

  get pixels(): Float32Array | undefined {
    return this.reached(this.attention.picture);
  }

  /** One weight per place; undefined until the cursor has passed them. */
  weightsOf(node: TraceNode | undefined, place = this.choice.place): Float32Array | undefined {
    const from = this.choice.between ? place * this.places : 0;
    return node && this.reached(node)?.subarray(from, from + this.places);
  }

  /** "row 1, column 2 (red_circle)". */
  where(place: number): string {
    const { columns } = this.attention.grid;
    const there = this.there?.[place];
    return `row ${Math.floor(place / columns)}, column ${place % columns}${there ? ` (${there === EMPTY ? 'empty' : there})` : ''}`;
  }

  /** Of the word at `at`, or of the place there. */
  tellCell(at: number): string {
    const { between } = this.choice;
    const weights = this.weightsOf(between ? this.node : this.attention.wordWeights[at], at);
    const who = between ? this.where(at) : this.caption[at];
    if (!weights) return `${who}: not reached yet`;
    const best = argmax([...weights]);
    return `${who} attends most to ${this.where(best)}: ${fixed(weights[best]!, 2)}`;
  }

  tell(): string {
    if (this.choice.between) return this.tellCell(this.choice.place);
    const glance = (node: TraceNode, t: number): string => {
      const weights = this.weightsOf(node);
      const word = this.caption[t];
      return weights ? `${word} attends most to ${this.where(argmax([...weights]))}` : `${word}: not reached yet`;
    };
    return this.attention.wordWeights.map(glance).join('. ');
  }

  /** The weights on show, as the places lie. */
  table(caption: string): Table {
    const { rows, columns } = this.attention.grid;
    const weights = this.weightsOf(this.node);
    const cell = (index: number) => ({ index, value: weights?.[index] });
    return {
      caption,
      tensor: this.node?.name,
      head: ['', ...Array(columns).keys()],
      rows: Array.from({ length: rows }, (_, r) => ({
        heads: [r],
        cells: Array.from({ length: columns }, (__, c) => cell(r * columns + c)),
      })),
    };
  }

  /** The weights of every word, or of the place, one row each. */
  allWeights(caption: string): Table {
    const { columns } = this.attention.grid;
    const { wordWeights, placeWeights } = this.attention;
    const row = (who: string | undefined, node: TraceNode): TableRow => ({
      heads: [who],
      cells: [...(this.weightsOf(node) ?? [])],
    });
    return {
      caption,
      head: ['who', ...Array.from({ length: this.places }, (_, i) => `${Math.floor(i / columns)}.${i % columns}`)],
      rows: this.choice.between
        ? [row(this.where(this.choice.place), placeWeights!)]
        : wordWeights.map((node, t) => row(this.caption[t], node)),
    };
  }
}
