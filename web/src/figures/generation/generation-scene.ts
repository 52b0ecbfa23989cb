// One position of a text being generated: its words, attention weights and likeliest next tokens, also as a sentence and
// as tables.
import * as texts from '#messages/figures/generation';
import { type Step, step } from '#messages/figures/generation';
import type { TraceNode } from '../../engine/types';
import { type AttentionWeights, type GenerationTrace, type Likely, likeliest, rowOf } from './generation-trace';
import { fixed, exact } from '../../ui/numbers';
import type { Table } from '../host/tables';

const MOST = 8;

/** Words of the run. */
export interface Words {
  /** Without <bos> and <eos>, with the prompt if it is a text; undefined for a model without a task. */
  target: readonly string[] | undefined;
  /** How many of them, from the first, are the prompt. */
  promptLength: number;
  source: (width: number) => string[];
  vocabulary: readonly string[] | undefined;
}

/** A position, an attention of each sort (counted from the last) and one of its heads. */
export interface Choice {
  at: number;
  layer: number;
  head: number;
}

export interface Group {
  name: 'source' | 'text';
  words: string[];
  /** The attention, its tensor, and its weights once reached; undefined without attention. */
  attention: AttentionWeights | undefined;
  node: TraceNode | undefined;
  weights: Float32Array | undefined;
}

export class GenerationScene {
  readonly groups: readonly Group[];
  /** The likeliest next tokens, likeliest first, and last the text's own next one if it is not among them; empty until reached. */
  readonly likely: readonly Likely[];

  constructor(
    readonly generation: GenerationTrace,
    readonly words: Words,
    readonly choice: Choice,
    private readonly reached: (node: TraceNode) => Float32Array | undefined,
    probabilities: (node: TraceNode) => Float32Array | undefined,
  ) {
    const source = this.group('source');
    this.groups = source.attention ? [source, this.group('text')] : [this.group('text')];
    const { logProbs, vocabulary } = generation;
    const row = (all: Float32Array | undefined): Float32Array | undefined =>
      all?.subarray(choice.at * vocabulary, (choice.at + 1) * vocabulary);
    const [values, chances] = [row(reached(logProbs)), row(probabilities(logProbs))];
    this.likely = values && chances ? this.withNext(likeliest(values, chances, MOST), values, chances) : [];
  }

  /** The likeliest `count` of them: the last gives way to the text's own next one. */
  barsOf(count: number): readonly Likely[] {
    const [first, own] = [this.likely.slice(0, count), this.likely.find(({ id }) => this.word(id) === this.next)];
    return !own || first.includes(own) ? first : [...first.slice(0, -1), own];
  }

  private withNext(likely: Likely[], values: Float32Array, chances: Float32Array): Likely[] {
    const id = this.next === undefined ? -1 : (this.words.vocabulary?.indexOf(this.next) ?? -1);
    if (id < 0 || likely.some((one) => one.id === id)) return likely;
    return [...likely, { id, logP: values[id]!, p: chances[id]! }];
  }

  word = (id: number): string => this.words.vocabulary?.[id] ?? `${id}`;

  /** The next word of the text, whatever the model predicts; undefined without a target. */
  get next(): string | undefined {
    const { target } = this.words;
    return target && (target[this.choice.at] ?? '<eos>');
  }

  get text(): string[] {
    const { target = [] } = this.words;
    return Array.from({ length: this.generation.positions }, (_, t) => (t ? (target[t - 1] ?? `${t}`) : '<bos>'));
  }

  /** True for a word of the prompt, which the model did not generate. */
  isPrompt = (t: number): boolean => t > 0 && t <= this.words.promptLength;

  /** Largest number of attentions of one sort, and of heads. */
  get layers(): number {
    return Math.max(1, this.attentionsOf('source').length, this.attentionsOf('text').length);
  }

  get heads(): number {
    return Math.max(1, ...this.generation.attentions.map(({ heads }) => heads));
  }

  /** "After b: attends to c 0.93, b 0.05; most likely next: b 0.57, a 0.32; the text continues with a". */
  describe(): string {
    const { at } = this.choice;
    const [first] = this.likely;
    return step({
      ...{ word: this.text[at]!, isPrompt: this.isPrompt(at) },
      attends: this.groups.flatMap(attendsOf),
      likely: this.likely.slice(0, 2).map(({ id, p }) => `${this.word(id)} ${fixed(p, 2)}`),
      continuation: first && this.word(first.id) !== this.next ? this.next : undefined,
    });
  }

  private attentionsOf(name: Group['name']): AttentionWeights[] {
    return this.generation.attentions.filter(({ own }) => own === (name === 'text'));
  }

  private group(name: Group['name']): Group {
    const { at, layer, head } = this.choice;
    const all = this.attentionsOf(name);
    const attention = all[Math.max(0, all.length - 1 - layer)];
    const row = attention && rowOf(attention, at, Math.min(head, attention.heads - 1));
    const words = name === 'text' ? this.text : this.words.source(attention?.width ?? 0);
    return {
      name,
      words,
      attention,
      node: row?.node,
      weights: row && this.reached(row.node)?.subarray(row.from, row.to),
    };
  }
}

/** Nothing until the weights are reached. */
function attendsOf({ name, words, weights }: Group): Step['attends'] {
  if (!weights) return [];
  const most = Array.from(weights, (weight, j) => ({ weight, j })).sort((a, b) => b.weight - a.weight);
  return [{ to: name, words: most.slice(0, 2).map(({ weight, j }) => `${words[j]} ${fixed(weight, 2)}`) }];
}

export const generationTables = (scene: GenerationScene): Table[] => [
  ...scene.groups.filter(({ attention }) => attention).map((group) => weightTable(group, scene.choice.at)),
  likelyTable(scene),
];

function weightTable({ name, words, attention, node, weights }: Group, at: number): Table {
  const cell = (value: number | undefined, index: number) => ({
    ...{ value, index },
    text: value === undefined ? '' : exact(value),
  });
  return {
    caption: texts.weightsAt(at, name, attention!.name),
    tensor: node?.name,
    head: words,
    rows: [{ heads: [], cells: words.map((_, j) => cell(weights?.[j], j)) }],
  };
}

function likelyTable({ likely, word, choice, generation }: GenerationScene): Table {
  return {
    caption: texts.likelyAfter(choice.at),
    tensor: generation.logProbs.name,
    kind: 'listed',
    head: texts.LIKELY_COLUMNS,
    rows: likely.map(({ id, p, logP }) => ({
      heads: [word(id)],
      cells: [
        { value: logP, index: choice.at * generation.vocabulary + id },
        { value: p, text: fixed(p, 4) },
      ],
    })),
  };
}

/** All values of the position in one table: the weights, then the log probabilities. */
export function generationValues({ groups, likely, choice: { at }, word }: GenerationScene, caption: string): Table {
  const row = (what: string, text: string | undefined, value: number | undefined) => ({
    heads: [what, at, text],
    cells: [value],
  });
  return {
    caption,
    head: texts.VALUE_COLUMNS,
    rows: [
      ...groups.flatMap(({ name, words, weights }) =>
        words.map((text, j) => row(texts.GROUPS[name], text, weights?.[j])),
      ),
      ...likely.map(({ id, logP }) => row('log p', word(id), logP)),
    ],
  };
}
