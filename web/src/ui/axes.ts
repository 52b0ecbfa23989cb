// What the axes of a tensor count, as letters: B batch, S source length, T target length, E embedding, H hidden, A attention
// size, D model size, N heads, K size of a head, F feed-forward size, V vocabulary. They begin at the inputs and parameters that
// the engine's models name, and follow the index rules of the operations. An axis that they do not reach has no letter: equal
// lengths are no evidence.
import { onceForEach } from '../lab/cursor';
import type { Config, Trace, TraceNode } from '../engine/types';

export type Axes = readonly (string | null)[];

/** The axes of the tensors by their ids, in a model of these settings. */
export function axesIn(trace: Trace, config: Config): readonly Axes[] {
  const ofSettings = known(trace);
  const key = `${config.kind} ${config.heads}`;
  if (!ofSettings.has(key)) ofSettings.set(key, new Letters(trace, config).all());
  return ofSettings.get(key)!;
}

const known = onceForEach((_: Trace) => new Map<string, readonly Axes[]>());

/** In models of one attention, X has the words that ask and "source" those that are asked. */
const SINGLE = ['attention', 'attention_layer'];
const SEQUENCES = ['seq2seq', 'language_model', 'captioner', 'transformer', 'transformer_lm'];
const TRANSFORMERS = ['transformer', 'transformer_lm'];

/** Parameters of layers, by the ends of their names, in the order in which they are tried; null is left to their use. */
const PARAMETERS: readonly (readonly [RegExp, Axes])[] = [
  [/(^|\.)attention\.(W|U|(queries|keys)\.weight)$/, ['A', null]],
  [/(^|\.)attention\.(v|b|(queries|keys)\.bias)$/, ['A']],
  [/^(W_c|first_state|init\.\d+)\.weight$/, ['H', null]],
  [/^(first_state|init\.\d+)\.bias$/, ['H']],
  [/^out\.weight$/, ['V', null]],
  [/^out\.bias$/, ['V']],
  [/\.W_[QKVO]\.weight$/, ['D', 'D']],
  [/\.W_1\.weight$/, ['F', 'D']],
  [/\.W_2\.weight$/, ['D', 'F']],
  [/\.W_1\.bias$/, ['F']],
  [/\.(W_[QKVO2]|norm\d?)\.(weight|bias)$/, ['D']],
];

const INPUTS: Readonly<Record<string, Axes>> = { source: ['B', 'S'], target_in: ['B', 'T'], target_out: ['B', 'T'] };

const IN_CELL = /^((?:encoder|decoder|network|cell)\.\d+(?:_reverse)?)\.([WUbc])$/;

class Letters {
  readonly #axes: Axes[] = [];
  readonly #kind: string;
  readonly #names: ReadonlyMap<string, TraceNode>;

  constructor(
    private readonly trace: Trace,
    private readonly config: Config,
  ) {
    this.#kind = String(config.kind);
    this.#names = new Map(trace.nodes.map((node) => [node.name, node]));
  }

  all(): readonly Axes[] {
    for (const node of this.trace.nodes) this.#follow(node);
    return this.#axes;
  }

  #follow(node: TraceNode): void {
    this.#axes[node.id] ??= node.phase === 'leaf' ? this.#leaf(node) : this.#computed(node);
    if (node.phase === 'forward') this.#tellLeaves(node);
    const gradient = this.trace.nodes[node.gradient];
    if (gradient && sameShape(gradient, node)) this.#axes[gradient.id] ??= this.#axes[node.id]!;
  }

  // Where letters begin.

  #leaf(node: TraceNode): Axes {
    const updated = this.#names.get(/^update\.(.+)\//.exec(node.name)?.[1] ?? '');
    if (updated) return sameShape(updated, node) ? this.#of(updated) : unknown(node);
    const found = node.role === 'parameter' ? this.#parameter(node) : this.#input(node);
    return found?.length === node.shape.length ? found : unknown(node);
  }

  #input({ name, op }: TraceNode): Axes | undefined {
    if (op === 'constant') return undefined;
    if (SEQUENCES.includes(this.#kind)) return INPUTS[name];
    if (!SINGLE.includes(this.#kind)) return undefined;
    return { X: ['T', 'D'], source: ['S', 'D'] }[name];
  }

  #parameter(node: TraceNode): Axes | undefined {
    if (SINGLE.includes(this.#kind)) return this.#projection(node.name);
    if (/(^|_)embedding\.weight$/.test(node.name)) return ['V', this.#isTransformer ? 'D' : 'E'];
    if (IN_CELL.test(node.name)) return this.#cell(node);
    return SEQUENCES.includes(this.#kind) ? PARAMETERS.find(([end]) => end.test(node.name))?.[1] : undefined;
  }

  get #isTransformer(): boolean {
    return TRANSFORMERS.includes(this.#kind);
  }

  /** The layer keeps its matrices with outputs first, and has them for all heads. */
  #projection(name: string): Axes | undefined {
    if (!/^W_[QK]$/.test(name)) return undefined;
    return this.#kind === 'attention' ? ['D', 'K'] : [Number(this.config.heads ?? 1) > 1 ? 'N·K' : 'K', null];
  }

  /** The matrices of a cell's gates lie in one, below each other: "3H". */
  #cell({ name, shape }: TraceNode): Axes {
    const [, cell = '', own = ''] = IN_CELL.exec(name)!;
    const hidden = this.#names.get(`${cell}.U`)?.shape[1] ?? NaN;
    const gates = times(shape[0]! / hidden, 'H');
    return own === 'W' ? [gates, null] : own === 'U' ? [gates, 'H'] : [gates];
  }

  // How they go on.

  #inputsOf(node: TraceNode): TraceNode[] {
    return node.inputs.map((id) => this.trace.nodes[id]!);
  }

  #of = ({ id }: TraceNode): Axes => this.#axes[id] ?? [];

  #computed(node: TraceNode): Axes {
    const inputs = this.#inputsOf(node);
    const [rule = '', numbers = ''] = node.rule.split(':');
    const along = numbers.split(',').map(Number);
    const found = rule.includes('->') ? this.#product(node, inputs) : this.#byRule(rule, along, node, inputs);
    return found?.length === node.shape.length ? found.map((letter) => letter ?? null) : unknown(node);
  }

  #byRule(rule: string, along: readonly number[], node: TraceNode, inputs: TraceNode[]): Axes | undefined {
    const [first, second] = inputs;
    if (!first) return undefined;
    const axes = this.#of(first);
    switch (rule) {
      case 'elementwise':
      case 'broadcast':
        return node.shape.map((size, axis) => this.#aligned(inputs, size, axis - node.shape.length));
      case 'scan':
        return axes;
      case 'reduce':
        return reduced(axes, along, node.shape);
      case 'transpose':
      case 'permute':
        return along.map((axis) => axes[axis] ?? null);
      case 'reshape':
        return this.#reshaped(node, first);
      case 'gather':
        return second && [...this.#of(second), axes.at(-1) ?? null];
      case 'pick':
        return axes.slice(0, -1);
      case 'put':
        return axes;
      case 'slice':
        return axes.map((letter, axis) => this.#cut(letter, first.shape[axis]!, node.shape[axis]!));
      case 'concat':
        return this.#joined(node, inputs, along[0]!);
      default:
        return undefined;
    }
  }

  /** The letter of the axis so many before the end, of an input that does not repeat along it. */
  #aligned(inputs: readonly TraceNode[], size: number, axis: number): string | null {
    const from = inputs.find((input) => input.shape.at(axis) === size && this.#of(input).at(axis));
    return from ? this.#of(from).at(axis)! : null;
  }

  #product(node: TraceNode, inputs: TraceNode[]): Axes {
    const [terms, right] = termsOf(node.rule);
    return node.shape.map((size, axis) => {
      const fromEnd = axis - node.shape.length;
      const letter = right.at(fromEnd) ?? '';
      if (right.length < -fromEnd) return this.#aligned(inputs, size, fromEnd);
      const at = terms.map((term) => (term.includes(letter) ? term.indexOf(letter) - term.length : 0));
      return inputs.map((input, i) => (at[i] ? this.#of(input).at(at[i]) : null)).find(Boolean) ?? null;
    });
  }

  /** One of the gates is as long as the state; any other part of an axis has no letter. */
  #cut(letter: string | null, before: number, after: number): string | null {
    const [, count, of] = /^(\d+)(\D)$/.exec(letter ?? '') ?? [];
    if (before === after) return letter;
    return of && before === after * Number(count) ? of : null;
  }

  #joined(node: TraceNode, inputs: TraceNode[], along: number): Axes {
    return node.shape.map((size, axis) =>
      axis === along ? this.#inARow(node, inputs, axis) : this.#aligned(inputs, size, axis - node.shape.length),
    );
  }

  /** Single positions make a sequence; states beside each other are counted or added. */
  #inARow(node: TraceNode, inputs: TraceNode[], axis: number): string | null {
    if (inputs.every(({ shape }) => shape[axis] === 1)) return this.#sequence(node);
    const letters = inputs.map((input) => this.#of(input)[axis]);
    if (!letters.every((letter) => typeof letter === 'string')) return null;
    const counted = [...new Set(letters)].map((letter) =>
      times(letters.filter((each) => each === letter).length, letter),
    );
    return counted.includes(null) ? null : counted.join(' + ');
  }

  #sequence({ name, phase }: TraceNode): string | null {
    if (phase !== 'forward' || !SEQUENCES.includes(this.#kind)) return null;
    if (/^encoder\/[^/]+$/.test(name)) return 'S';
    return /^((decoder|network|attention)\/[^/]+|logits)$/.test(name) ? 'T' : null;
  }

  #reshaped(node: TraceNode, from: TraceNode): Axes | undefined {
    return regrouped(from.shape, this.#of(from), node.shape, this.#heads(node)) ?? this.#undone(node, from);
  }

  /** An attention cuts an axis into heads, and joins them again. */
  #heads({ scope }: TraceNode): { whole: string } | null {
    const isAttention = /attention$/.test(this.trace.scopes[scope]?.name ?? '');
    return isAttention ? { whole: this.#isTransformer ? 'D' : 'N·K' } : null;
  }

  /** A rotation puts the numbers in pairs; its last step brings back the shape from which it began. */
  #undone(node: TraceNode, from: TraceNode | undefined): Axes | undefined {
    if (!from || from.rule.startsWith('transpose')) return undefined;
    const before = this.trace.nodes[from.inputs[0] ?? -1];
    if (!before || before.phase === 'leaf') return undefined;
    return from.op === 'reshape' && sameShape(before, node) ? this.#of(before) : this.#undone(node, before);
  }

  /** What is added to a tensor, or multiplied with it, has its axes. */
  #tellLeaves(node: TraceNode): void {
    for (const [i, input] of this.#inputsOf(node).entries())
      if (input.phase === 'leaf' && this.#of(input).includes(null)) this.#axes[input.id] = this.#told(node, input, i);
  }

  #told(node: TraceNode, leaf: TraceNode, place: number): Axes {
    const own = this.#of(leaf);
    if (node.rule === 'elementwise')
      return own.map((letter, axis) => letter ?? this.#aligned([node], leaf.shape[axis]!, axis - own.length));
    const [terms] = termsOf(node.rule);
    const term = terms[place];
    if (!node.rule.includes('->') || !term) return own;
    return own.map((letter, axis) => letter ?? this.#summedWith(node, place, term.at(axis - own.length) ?? ''));
  }

  #summedWith(node: TraceNode, place: number, letter: string): string | null {
    const other = 1 - place;
    const term = termsOf(node.rule)[0][other] ?? [];
    const at = term.indexOf(letter);
    return at < 0 ? null : (this.#of(this.#inputsOf(node)[other]!).at(at - term.length) ?? null);
  }
}

const unknown = ({ shape }: TraceNode): Axes => shape.map(() => null);

const sameShape = (a: TraceNode, b: TraceNode): boolean => String(a.shape) === String(b.shape);

/** "3H", "H"; null if it is not a whole number of times. */
const times = (count: number, letter: string): string | null =>
  !Number.isInteger(count) ? null : count === 1 ? letter : /^\D$/.test(letter) ? `${count}${letter}` : null;

/** "...nk,...mk->...nm" → [[n, k], [m, k]], [n, m] */
function termsOf(rule: string): [string[][], string[]] {
  const [left = '', right = ''] = rule.replaceAll('...', '').split('->');
  return [left.split(',').map((term) => [...term]), [...right]];
}

/** An axis that is kept has one cell. */
const reduced = (axes: Axes, along: readonly number[], shape: readonly number[]): Axes =>
  axes.length === shape.length
    ? axes.map((letter, axis) => (along.includes(axis) ? null : letter))
    : axes.filter((_, axis) => !along.includes(axis));

/**
 * Axes keep their letters when axes of one cell come or go, and when heads are cut or joined; undefined if anything else
 * happens.
 */
function regrouped(
  from: readonly number[],
  axes: Axes,
  to: readonly number[],
  heads: { whole: string } | null,
): Axes | undefined {
  const letters: (string | null)[] = [];
  let i = 0;
  for (let j = 0; j < to.length || i < from.length;) {
    const [before, after] = [from[i], to[j]];
    if (before === after) (letters.push(axes[i++] ?? null), j++);
    else if (after === 1) (letters.push(null), j++);
    else if (before === 1) i++;
    else if (heads && before !== undefined && before === after! * to[j + 1]! && axes[i]) {
      letters.push('N', 'K');
      i++;
      j += 2;
    } else if (heads && before! * from[i + 1]! === after && axes[i] === 'N' && axes[i + 1] === 'K') {
      letters.push(heads.whole);
      i += 2;
      j++;
    } else return undefined;
  }
  return letters;
}

/** The letters of a shape, with those of its axes that have one cell as 1 and without a batch of one; null if one is missing. */
export function lettersOf(
  shape: readonly number[],
  axes: Axes,
): { letters: string[]; sizes: readonly number[] } | null {
  const skipped = shape.length > 1 && shape[0] === 1 && axes[0] === 'B' ? 1 : 0;
  const sizes = shape.slice(skipped);
  const letters = axes.slice(skipped).map((letter, axis) => letter ?? (sizes[axis] === 1 ? '1' : null));
  if (!letters.every((letter) => letter !== null) || letters.every((letter) => letter === '1')) return null;
  return {
    letters: letters.map((letter) => (letter.includes('+') && letters.length > 1 ? `(${letter})` : letter)),
    sizes,
  };
}
