// A tensor of the run in words: what it is, as the stops say it, for which token, and in which part of the model. All follows from
// the trace, the role of the tensor and the tokens of the pair.
import { html, type TemplateResult } from 'lit';
import * as texts from '#messages/tensors';
import { byName, isNamed, onceForEach, shortName } from '../lab/cursor';
import { cellCount } from '../engine/types';
import type { Lab } from '../lab/lab';
import type { Config, Trace, TraceNode } from '../engine/types';
import { axesIn, lettersOf, type Axes } from './axes';
import { unravel } from './index-rules';
import { shapeText } from './numbers';
import { positionsOf, tokensOf, wordsOf, type Token, type Tokens } from './stop-names';
import { BOS, EOS } from './words';

export type Words = texts.Name<Token>;

export const inItalics = (words: Words): (TemplateResult | string)[] =>
  words.map((part) => (typeof part === 'string' ? part : html`<i class="token">${part.token}</i>`));

/** For screen readers, which have no italics. */
export const inQuotes = (words: Words): string =>
  words.map((part) => (typeof part === 'string' ? part : texts.quoted(part.token))).join('');

/** What the words are taken from. */
export interface Run {
  trace: Trace;
  config: Config;
  tokens: Tokens;
  /** The words of the target vocabulary. */
  vocabulary: readonly string[];
}

/** The run of a lab; null before there is one. */
export const runOf = (lab: Lab): Run | null =>
  lab.trace && {
    trace: lab.trace,
    config: lab.config(),
    tokens: tokensOf(lab),
    vocabulary: lab.task?.targetWords ?? [],
  };

/** The name of a tensor in words, of the head of cell `index` if it has heads; null if the rules have none for it. */
export function nameOfTensor(run: Run, node: TraceNode, index?: number): Words | null {
  const tensor = ownerOf(run.trace, node);
  if (tensor) return gradient(nameOfTensor(run, tensor, index));
  return isOfUpdate(node) ? nameInUpdate(run.trace, node) : nameOfResult(run, node, index);
}

const gradient = (name: Words | null): Words | null => name && texts.gradientOf(name);

/** The tensor whose gradient a node holds: the first, if several share it. */
const ownerOf = (trace: Trace, { id }: TraceNode): TraceNode | undefined => owners(trace).get(id);

const owners = onceForEach(
  (trace: Trace): ReadonlyMap<number, TraceNode> =>
    new Map(trace.nodes.toReversed().flatMap((node) => (node.gradient < 0 ? [] : [[node.gradient, node] as const]))),
);

// The update.

const isOfUpdate = ({ name }: TraceNode): boolean => /^update[./]/.test(name);

function nameInUpdate(trace: Trace, node: TraceNode): Words | null {
  const own = baseOf(trace, node);
  const [, parameter] = /^update\.(.+)\//.exec(node.name) ?? [];
  const of = byName(trace).get(parameter ?? node.name.slice('update/'.length));
  const name = of?.role === 'parameter' ? wordsOf(trace, of.name)?.sentence : null;
  if (parameter) return own && (name ? texts.ofParameter(own, name) : own);
  return name ? texts.updated(name) : own;
}

// Results, inputs and parameters.

function nameOfResult(run: Run, node: TraceNode, index: number | undefined): Words | null {
  const base = baseOf(run.trace, node);
  if (!base || node.role === 'parameter') return base;
  const place = new Place(run, node);
  const head = index === undefined ? null : headOf(run, node, index);
  const name = place.token && isState(node) ? [texts.STATE] : base;
  if (head === null) return [...name, ...place.words()];
  return isShort(name)
    ? [...name, texts.ofHead(head), ...place.words()]
    : [...name, ...place.words(texts.headAt(head))];
}

/** "the scores": what more is said of it can follow at once. */
const isShort = (name: Words): boolean => name.length === 1 && /^the [\w-]+( score)?$/.test(String(name[0]));

const hasOwnName = (node: TraceNode): boolean => node.phase !== 'backward' && isNamed(node);

const isState = (node: TraceNode): boolean => /^[hs]$/.test(shortName(node.name));

function baseOf(trace: Trace, node: TraceNode): Words | null {
  if (node.op === 'constant') return [texts.CONSTANT];
  const given = hasOwnName(node) ? texts.GIVEN[shortName(node.name)] : undefined;
  return given ? [given] : (wordsOf(trace, node.name)?.sentence ?? null);
}

function headOf({ trace, config }: Run, node: TraceNode, index: number): number | null {
  const axis = axesIn(trace, config)[node.id]!.indexOf('N');
  return axis < 0 || node.shape[axis] === 1 ? null : unravel(index, node.shape)[axis]!;
}

/** Where a result is made, read from its path. */
class Place {
  readonly token: { token: string } | undefined;
  readonly #path: readonly string[];
  readonly #position: number | null;

  constructor(
    private readonly run: Run,
    private readonly node: TraceNode,
  ) {
    const path = node.name.replace(/^∂/, '');
    this.#path = path.includes('/') ? path.slice(0, path.lastIndexOf('/')).split('.') : [];
    const at = this.#path.find((part) => /^t\d+$/.test(part));
    this.#position = at === undefined ? null : Number(at.slice(1));
    const token = this.#position === null ? undefined : this.#tokenAt(this.#position);
    this.token = token === undefined ? undefined : { token };
  }

  get #network(): string {
    return this.#path[0] ?? '';
  }

  get #writes(): boolean {
    return /^t\d+$/.test(this.#path[1] ?? '');
  }

  #tokenAt(position: number): string | undefined {
    const { tokens, trace } = this.run;
    if (this.#writes) return tokens.written(position);
    return tokens.read(this.#network, position, positionsOf(trace, this.#path.slice(0, 2).join('.')));
  }

  /** `first`: what is said before the parts around it. */
  words(...first: string[]): Words {
    return [...this.#forToken(), texts.within([...first, ...this.#around()])];
  }

  #forToken(): Words {
    if (this.#position === null) return [];
    if (!this.token) return [texts.atPosition(this.#position)];
    if (this.#writes) return this.token.token === EOS ? [texts.FOR_THE_END] : texts.writing(this.token);
    return isState(this.node) ? texts.after(this.token) : texts.at(this.token);
  }

  /** From the inside out. */
  #around(): string[] {
    const inner = this.#path.slice(1).flatMap((part) => this.#part(part));
    const first = this.#path.length === 1 || !this.#isNetwork ? this.#part(this.#network) : [];
    const back = this.node.phase === 'backward' ? [texts.BACKWARD] : [];
    return [...new Set([...inner.reverse(), ...first, ...this.#layer(), ...back])];
  }

  get #isNetwork(): boolean {
    return /^(encoder|decoder|network|cell|convnet)$/.test(this.#network);
  }

  /** An attention goes without saying in what has a name of its own, unless the model has attentions of two kinds. */
  #part(part: string): string[] {
    const tile = /^block(\d+)$/.exec(part);
    if (tile) return [texts.tile(Number(tile[1]) + 1)];
    const isPlain = part === 'attention' || /^(softmax|.*_score)$/.test(part);
    return (isPlain && hasOwnName(this.node) && !/\/o$/.test(this.node.name)) || !texts.PARTS[part]
      ? []
      : [texts.PARTS[part]];
  }

  #layer(): string[] {
    const number = /^(\d+)(_reverse)?$/.exec(this.#path[1] ?? '');
    const network = this.#has(/^encoder/) && this.#has(/^decoder/) ? this.#network : '';
    const end = number?.[2] ? [texts.FROM_THE_END] : [];
    if (!number || !this.#has(new RegExp(`^${this.#network}\\.[1-9]`))) return [...end, ...this.#inNetwork(network)];
    const isBlock = this.#position === null && this.#network !== 'convnet';
    const layer = (isBlock ? texts.block : texts.layer)(Number(number[1]) + 1);
    return [...end, network ? texts.ofNetwork(layer, network) : layer];
  }

  /** A token says in which network it is read or written. */
  #inNetwork(network: string): string[] {
    return network && this.#isNetwork && this.#position === null ? [network] : [];
  }

  #has(what: RegExp): boolean {
    return this.run.trace.scopes.some(({ name }) => what.test(name));
  }
}

// Cells.

/** The cell in words: by the tokens of its row and column, or its number in a single row; null if there is neither. */
export function nameOfCell(run: Run, node: TraceNode, index: number): Words | null {
  const axes = axesIn(run.trace, run.config)[node.id]!;
  if (axes[0] === 'B' && node.shape[0] !== 1) return null; // the pair on show is one of a batch
  const at = unravel(index, node.shape);
  const [row, column] = [-2, -1].map((axis) => tokenAt(run, node, axes, at, axis));
  const rows = row === undefined ? null : { token: partOf(row), doing: doingOf(axes) };
  if (column !== undefined) return texts.cellOf(kindOf(node), partOf(column), rows);
  const count = node.shape.at(-1) ?? 1;
  if (rows) return texts.numberAt(at.at(-1)! + 1, count, rows);
  return count > 1 && count === cellCount(node.shape) ? [texts.numberOf(index + 1, count)] : null;
}

function tokenAt(run: Run, node: TraceNode, axes: Axes, at: readonly number[], axis: number): string | undefined {
  const [letter, position] = [axes.at(axis), at.at(axis) ?? 0];
  const { tokens, vocabulary, config } = run;
  if (letter === 'V' && axis === -1 && node.role !== 'parameter') return vocabulary[position];
  if (letter === 'S' && config.kind === 'captioner') return undefined; // places of a picture
  if (letter === 'S') return tokens.read('encoder', position, node.shape.at(axis)!);
  if (letter !== 'T') return undefined;
  const isWritten = axis === -2 && doingOf(axes) === 'writing';
  return isWritten ? tokens.written(position) : tokens.read('decoder', position, node.shape.at(axis)!);
}

/** What looks at the source, or is a guess of the next word, belongs to the word that is written. */
const doingOf = (axes: Axes): texts.Doing =>
  axes.at(-2) === 'T' && /^[SV]$/.test(axes.at(-1) ?? '') ? 'writing' : 'reading';

const kindOf = (node: TraceNode): string => texts.KINDS[node.role] ?? texts.KINDS[shortName(node.name)] ?? texts.NUMBER;

/** Tokens that mark an end are said in words. */
const partOf = (token: string): Token | string =>
  token === BOS ? texts.THE_START : token === EOS ? texts.THE_END : { token };

/** "T × S = 6 × 5"; digits alone where the model does not say what the axes count. */
export function shapeInLetters({ trace, config }: Pick<Run, 'trace' | 'config'>, node: TraceNode): string {
  const known = lettersOf(node.shape, axesIn(trace, config)[node.id]!);
  return known ? texts.shape(known.letters, shapeText(known.sizes)) : shapeText(node.shape);
}

/** "T × S" and what they are. */
export interface ShownShape {
  letters: readonly string[];
  sizes: readonly number[];
}

/** A shape where there is little room: without axes of one cell that count nothing, down to a matrix. No letters: unknown. */
export function shortShape({ trace, config }: Pick<Run, 'trace' | 'config'>, node: TraceNode): ShownShape {
  const known = lettersOf(node.shape, axesIn(trace, config)[node.id]!);
  const [letters, sizes] = [[...(known?.letters ?? [])], [...(known?.sizes ?? node.shape)]];
  const isIdle = (size: number, axis: number): boolean => size === 1 && (letters[axis] ?? '1') === '1';
  for (let axis = sizes.findIndex(isIdle); axis >= 0 && sizes.length > 2; axis = sizes.findIndex(isIdle)) {
    sizes.splice(axis, 1);
    if (known) letters.splice(axis, 1);
  }
  return { letters, sizes };
}
