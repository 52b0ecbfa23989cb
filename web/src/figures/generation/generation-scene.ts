// Text generation, read out of a trace; one of its positions, with words, attention weights and likeliest next tokens,
// also as a sentence and as tables; and the cost of each token.
import * as texts from '#messages/figures/generation';
import type { GenerationCost, Reply, Trace, TraceNode } from '../../engine/types';
import { onceForEach } from '../../lab/cursor';
import { fixed, exact } from '../../ui/numbers';
import { shortName } from '../shared/marks';
import type { Table } from '../host/table';

interface AttentionWeights {
  /** "decoder.1.cross_attention", the same at all positions. */
  name: string;
  /** True for self-attention, false for attention to the source. */
  own: boolean;
  heads: number;
  /** Number of words attended to. */
  width: number;
  /** One α with a row per position, or one α per position. */
  nodes: TraceNode[];
}

export interface GenerationTrace {
  /** log p (B, T, V). */
  logProbs: TraceNode;
  positions: number;
  vocabulary: number;
  /** In execution order. */
  attentions: AttentionWeights[];
}

const PER_POSITION = /\.t(\d+)\.(?=[^/]*$)|\.t(\d+)(?=\.attention$)/;

/** null for a model that generates nothing. */
export const readGeneration = onceForEach((trace: Trace): GenerationTrace | null => {
  const logProbs = trace.nodes.find(({ name, phase }) => phase === 'forward' && /(^|\/)log p$/.test(name));
  const [positions, vocabulary] = logProbs?.shape.slice(-2) ?? [];
  if (!logProbs || logProbs.shape.length < 2 || !positions || !vocabulary) return null;
  const attentions = new Map<string, AttentionWeights>();
  for (const node of trace.nodes) {
    const scope = node.name.slice(0, node.name.lastIndexOf('/'));
    if (node.phase !== 'forward' || shortName(node.name) !== 'α' || /^encoder|^grid/.test(scope)) continue;
    const each = PER_POSITION.exec(scope);
    const [rows, width] = node.shape.slice(-2) as [number, number];
    if (node.shape.length < 2 || (!each && rows !== positions)) continue;
    const name = scope.replace(/\.t\d+/, '');
    const own = /self_attention/.test(name) || (!/cross_attention/.test(name) && !each && width === positions);
    const heads = node.shape.length > 3 ? node.shape[1]! : 1;
    const attention = attentions.get(name) ?? { name, own, heads, width, nodes: [] };
    attention.nodes.push(node);
    attentions.set(name, attention);
  }
  // The engine also collects the weights of all positions, or averages those of all heads, in attention/α.
  const all = [...attentions.values()];
  const single = all.filter(({ name }) => name !== 'attention');
  return { logProbs, positions, vocabulary, attentions: single.length ? single : all };
});

/** The tensor, and the range in it with the weights of one position; undefined if it is not in the trace. */
export function rowOf(
  attention: AttentionWeights,
  position: number,
  head: number,
): { node: TraceNode; from: number; to: number } | undefined {
  const each = attention.nodes.length > 1;
  const node = attention.nodes[each ? position : 0];
  if (!node) return undefined;
  const rows = each ? 1 : node.shape.at(-2)!;
  const from = (head * rows + (each ? 0 : position)) * attention.width;
  return { node, from, to: from + attention.width };
}

/** Index of these weights among the attentions of their sort, counted from the last; 0 if not found. */
export function layerOf({ attentions }: GenerationTrace, weights: TraceNode): number {
  const found = attentions.find(({ nodes }) => nodes.includes(weights));
  const sort = attentions.filter(({ own }) => own === found?.own);
  return found ? sort.length - 1 - sort.indexOf(found) : 0;
}

type Likely = ReturnType<typeof likeliest>[number];

/** The `max` likeliest tokens at a position with their ids, likeliest first. */
export function likeliest(row: Float32Array, probabilities: Float32Array, max: number) {
  return Array.from(row, (logP, id) => ({ id, logP, p: probabilities[id]! }))
    .sort((a, b) => b.logP - a.logP)
    .slice(0, max);
}

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
interface Choice {
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

/** A probability that is written as 0.000. */
const MIN_BAR = 0.0005;

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

  /** The likeliest `count` of them, but none without a bar: the last gives way to the text's own next one. */
  barsOf(count: number): readonly Likely[] {
    const [first, own] = [
      this.likely.slice(0, count).filter(({ p }) => p >= MIN_BAR),
      this.likely.find(({ id }) => this.word(id) === this.next),
    ];
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
    return texts.step({
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
function attendsOf({ name, words, weights }: Group): texts.Step['attends'] {
  if (!weights) return [];
  const most = Array.from(weights, (weight, j) => ({ weight, j })).sort((a, b) => b.weight - a.weight);
  return [{ to: name, words: most.slice(0, 2).map(({ weight, j }) => `${words[j]} ${fixed(weight, 2)}`) }];
}

export const tablesOf = (scene: GenerationScene): Table[] => [
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
export function valuesOf({ groups, likely, choice: { at }, word }: GenerationScene, caption: string): Table {
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

/** Cost of generating each token of a text, as the engine counts it; asked once per trace and position. */
export class Costs {
  #trace: Trace | null = null;
  readonly #cache = new Map<number, GenerationCost | null>();

  constructor(
    private readonly ask: (positions: number) => Promise<Reply<GenerationCost>>,
    private readonly arrived: () => void,
  ) {}

  /** null while pending, and for a model without a KV cache. */
  at(trace: Trace, positions: number): GenerationCost | null {
    if (trace !== this.#trace) this.#cache.clear();
    this.#trace = trace;
    if (!this.#cache.has(positions)) void this.#fetch(trace, positions);
    return this.#cache.get(positions) ?? null;
  }

  async #fetch(trace: Trace, positions: number): Promise<void> {
    this.#cache.set(positions, null);
    const reply = await this.ask(positions);
    if (!reply.ok || trace !== this.#trace) return;
    this.#cache.set(positions, reply.value);
    this.arrived();
  }
}
