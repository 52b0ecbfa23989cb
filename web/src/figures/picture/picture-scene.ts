// The picture that a captioner reads, with the attention of the words of its caption or of one of its places.
import * as texts from '#messages/figures/picture';
import { notReached } from '#messages/figures/shared';
import type { TraceNode, Trace } from '../../engine/types';
import { fixed } from '../../ui/numbers';
import { type Table, type TableRow, matrixRows } from '../host/tables';
import { argmax } from '../shared/summary';
import { onceForEach } from '../../lab/cursor/once';
import { type Grid, gridOf } from './picture-layout';

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

  /** A place, and what is there. */
  where(place: number): string {
    const { columns } = this.attention.grid;
    const there = this.there?.[place];
    return texts.placeAt(Math.floor(place / columns), place % columns, there === EMPTY ? texts.EMPTY : there);
  }

  /** Of the word at `at`, or of the place there. */
  tellCell(at: number): string {
    const { between } = this.choice;
    const weights = this.weightsOf(between ? this.node : this.attention.wordWeights[at], at);
    const who = between ? this.where(at) : this.caption[at]!;
    if (!weights) return notReached(who);
    const best = argmax([...weights]);
    return texts.attendsMostWith(who, this.where(best), fixed(weights[best]!, 2));
  }

  tell(): string {
    if (this.choice.between) return this.tellCell(this.choice.place);
    const glance = (node: TraceNode, t: number): string => {
      const weights = this.weightsOf(node);
      const word = this.caption[t]!;
      return weights ? texts.attendsMostTo(word, this.where(argmax([...weights]))) : notReached(word);
    };
    return texts.inSentences(this.attention.wordWeights.map(glance));
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
      rows: matrixRows([...Array(rows).keys()], columns, (r, c) => cell(r * columns + c)),
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
      head: [texts.WHO, ...Array.from({ length: this.places }, (_, i) => `${Math.floor(i / columns)}.${i % columns}`)],
      rows: this.choice.between
        ? [row(this.where(this.choice.place), placeWeights!)]
        : wordWeights.map((node, t) => row(this.caption[t], node)),
    };
  }
}

export interface PictureAttention {
  picture: TraceNode;
  /** α of each word; and α between places, if they attend to each other. */
  wordWeights: TraceNode[];
  placeWeights: TraceNode | undefined;
  grid: Grid;
}

/** null for a model without attention over a picture. */
export const readPicture = onceForEach((trace: Trace): PictureAttention | null => {
  const named = (name: RegExp): TraceNode[] =>
    trace.nodes.filter((node) => node.phase === 'forward' && name.test(node.name));
  const picture = named(/^picture$/)[0];
  const wordWeights = named(/^decoder\.t\d+\.attention\/α$/);
  const placeWeights = named(/(^|\.)grid_attention\/α$/)[0];
  const count = (wordWeights[0] ?? placeWeights)?.shape.at(-1);
  return picture && count ? { picture, wordWeights, placeWeights, grid: gridOf(count) } : null;
});
