// One position of a text being written: its words, where it looks, what is likely next; and both in words.
import type { TraceNode } from '../types';
import { type Gaze, type Likely, type Writing, likeliest, rowOf } from './generation-trace';
import { fixed } from './numbers';

const MOST = 8;

/** What is known of the words. */
export interface Words {
  /** Without <bos> and <eos>, of a text its opening with it; undefined for a model without a task. */
  target: readonly string[] | undefined;
  /** How many of them the model was given, from the first. */
  given: number;
  source: (width: number) => string[];
  vocabulary: readonly string[] | undefined;
}

/** What is chosen: a position; which attention of each sort, counted from the last; one of its heads. */
export interface Choice {
  at: number;
  layer: number;
  head: number;
}

export interface Group {
  name: 'source' | 'written';
  words: string[];
  /** The tensor, and its weights as far as they are reached; undefined without attention. */
  gaze: Gaze | undefined;
  node: TraceNode | undefined;
  weights: Float32Array | undefined;
}

export class GenerationScene {
  readonly groups: readonly Group[];
  /** The likeliest words, the likeliest first; empty while not reached. */
  readonly likely: readonly Likely[];

  constructor(
    readonly writing: Writing,
    readonly words: Words,
    readonly choice: Choice,
    private readonly reached: (node: TraceNode) => Float32Array | undefined,
    probabilities: (node: TraceNode) => Float32Array | undefined,
  ) {
    const source = this.group('source');
    this.groups = source.gaze ? [source, this.group('written')] : [this.group('written')];
    const { likely, vocabulary } = writing;
    const row = (all: Float32Array | undefined): Float32Array | undefined =>
      all?.subarray(choice.at * vocabulary, (choice.at + 1) * vocabulary);
    const [values, chances] = [row(reached(likely)), row(probabilities(likely))];
    this.likely = values && chances ? likeliest(values, chances, MOST) : [];
  }

  word = (id: number): string => this.words.vocabulary?.[id] ?? `${id}`;

  /** The word that comes next in the text, whatever the model finds likely. */
  get next(): string | undefined {
    const { target } = this.words;
    return target && (target[this.choice.at] ?? '<eos>');
  }

  get written(): string[] {
    const { target = [] } = this.words;
    return Array.from({ length: this.writing.positions }, (_, t) => (t ? (target[t - 1] ?? `${t}`) : '<bos>'));
  }

  /** A word that the model was given, and did not write. */
  isGiven = (t: number): boolean => t > 0 && t <= this.words.given;

  /** How many attentions of one sort there are, and heads. */
  get layers(): number {
    return Math.max(1, this.gazes('source').length, this.gazes('written').length);
  }

  get heads(): number {
    return Math.max(1, ...this.writing.gazes.map(({ heads }) => heads));
  }

  /** "After b: looks at c 0.93, b 0.05; next b 0.57, a 0.32; the text has a". */
  tale(): string {
    const likely = this.likely.slice(0, 2).map(({ id, p }) => `${this.word(id)} ${fixed(p, 2)}`);
    const { at } = this.choice;
    const next = likely.length ? `next ${likely.join(', ')}` : 'not reached yet';
    const other = this.likely[0] && this.next !== undefined && this.word(this.likely[0].id) !== this.next;
    const parts = [...this.groups.map(looked), next, other ? `the text has ${this.next}` : ''];
    return `After ${this.written[at]}${this.isGiven(at) ? ' (given)' : ''}: ${parts.filter(Boolean).join('; ')}`;
  }

  private gazes(name: Group['name']): Gaze[] {
    return this.writing.gazes.filter(({ own }) => own === (name === 'written'));
  }

  private group(name: Group['name']): Group {
    const { at, layer, head } = this.choice;
    const all = this.gazes(name);
    const gaze = all[Math.max(0, all.length - 1 - layer)];
    const row = gaze && rowOf(gaze, at, Math.min(head, gaze.heads - 1));
    const words = name === 'written' ? this.written : this.words.source(gaze?.width ?? 0);
    return { name, words, gaze, node: row?.node, weights: row && this.reached(row.node)?.subarray(row.from, row.to) };
  }
}

function looked({ name, words, weights }: Group): string {
  if (!weights) return '';
  const most = Array.from(weights, (weight, j) => ({ weight, j })).sort((a, b) => b.weight - a.weight);
  const told = most.slice(0, 2).map(({ weight, j }) => `${words[j]} ${fixed(weight, 2)}`);
  return `looks ${name === 'written' ? 'back at' : 'at'} ${told.join(', ')}`;
}
