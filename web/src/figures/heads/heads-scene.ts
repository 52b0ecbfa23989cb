// The heads of an attention layer with their weights, in words and as tables.
import * as texts from '#messages/figures/heads';
import { attendsTo, cellAt, hasNoWeights } from '#messages/figures/shared';
import type { TraceNode } from '../../engine/types';
import { type Place, cellIndex } from '../../ui/grid-layout';
import { exact, fixed, significant } from '../../ui/numbers';
import { type Table, wordTable } from '../host/tables';
import type { At } from '../shared/attention/attention-map';
import { headPlane } from '../shared/attention/attention-trace';
import type { Words } from '../shared/attention/attention-words';
import { argmax, entropyBits } from '../shared/summary';

export class HeadsScene {
  constructor(
    readonly node: TraceNode,
    /** undefined until reached. */
    readonly values: Float32Array | undefined,
    readonly words: Words,
    readonly heads: number,
    /** The head in front. */
    readonly front: number,
  ) {}

  at(head: number): At {
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
