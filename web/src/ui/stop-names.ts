// The stops of a run in words, with the tokens that are read and written there. A name follows from the scopes and tensors of the
// trace; the words are messages.
import * as texts from '#messages/stops';
import { byName, isNamed, shortName } from '../lab/cursor';
import { madeBy, type Stop } from '../lab/stops';
import type { Lab } from '../lab/lab';
import type { Trace } from '../engine/types';
import { BOS, EOS, sourceColumns, targetWords, writesTarget } from './words';

/** A token within a sentence. */
export interface Token {
  token: string;
}

export type StopName = texts.StopText<Token>;

/** What is read and written at a position, if that is known. */
export interface Tokens {
  read: (network: string, position: number, positions: number) => string | undefined;
  written: (position: number) => string | undefined;
  /** Whether the model wrote the target itself. */
  isOwn: boolean;
}

/** The tokens of the pair; a language model reads its own text, from <bos>. */
export function tokensOf(lab: Lab): Tokens {
  const written = targetWords(lab).words;
  const read = (network: string, at: number, positions: number): string | undefined =>
    network === 'encoder' ? sourceColumns(lab, positions)[at] : [BOS, ...written][at];
  return {
    read: (network, at, positions) => (lab.pair && network !== 'cell' ? read(network, at, positions) : undefined),
    written: (at) => (lab.pair ? [...written, EOS][at] : undefined),
    isOwn: writesTarget(lab),
  };
}

export const plainText = ({ sentence }: StopName): string =>
  sentence.map((part) => (typeof part === 'string' ? part : part.token)).join('');

/** The names of the stops of one level, in order: names that are the same get the name of their network, or a number. */
export function namesOf(trace: Trace, level: readonly Stop[], tokens: Tokens): StopName[] {
  const names = level.map((stop) => nameOf(trace, stop, tokens));
  const twice = twiceIn(names);
  const networks = level.map((stop) => placeOf(trace, stop).split(/[./]/)[0]!);
  const areSeveral = new Set(networks.filter((_, i) => twice(names[i]!))).size > 1;
  const placed = names.map((name, i) => (areSeveral && twice(name) ? texts.belongingTo(name, networks[i]!) : name));
  const stillTwice = twiceIn(placed);
  const seen = new Map<string, number>();
  return placed.map((name) => (stillTwice(name) ? texts.numbered(name, count(seen, plainText(name))) : name));
}

function count(seen: Map<string, number>, name: string): number {
  const times = (seen.get(name) ?? 0) + 1;
  seen.set(name, times);
  return times;
}

/** Whether a name occurs twice; a token says enough. */
function twiceIn(names: readonly StopName[]): (name: StopName) => boolean {
  const seen = new Map<string, number>();
  for (const name of names) count(seen, plainText(name));
  return (name) => seen.get(plainText(name))! > 1 && name.sentence.every((part) => typeof part === 'string');
}

/** Stops of one series stand together: positions of a network, its blocks. */
export const areOneSeries = (trace: Trace, a: Stop, b: Stop): boolean => stemOf(trace, a) === stemOf(trace, b);

const stemOf = (trace: Trace, stop: Stop): string | Stop =>
  stop.scopes.length ? placeOf(trace, stop).replace(/\d+$/, '') : stop;

/** The path of its scope, or of its last operation. */
const placeOf = (trace: Trace, { scopes, last }: Stop): string =>
  (trace.scopes[scopes.at(-1) ?? -1]?.name ?? trace.nodes[last]!.name).replace(/^∂/, '');

function nameOf(trace: Trace, stop: Stop, tokens: Tokens): StopName {
  if (stop.scopes.length) return nameOfScope(trace, stop, tokens);
  if (!stop.members) return nameOfRun(trace, stop);
  return stop.phase === 'update' ? texts.UPDATE : texts.BACKWARD;
}

// Scopes.

function nameOfScope(trace: Trace, stop: Stop, tokens: Tokens): StopName {
  const path = placeOf(trace, stop);
  if (path.startsWith('update.')) return texts.updateOf(texts.parameter(path.split('.').slice(1)));
  const name = stop.members ? texts.writesAll(path.split('.')[0]!) : nameOfPath(new Names(trace, stop), path, tokens);
  return stop.phase === 'backward' ? texts.gradientsIn(name) : name;
}

/** How many positions a layer has, "encoder.0" or "decoder". */
export function positionsOf(trace: Trace, layer: string): number {
  const found = new Set(trace.scopes.map(({ name }) => name).filter((name) => name.startsWith(`${layer}.t`)));
  return [...found].filter((name) => /^t\d+$/.test(name.slice(layer.length + 1))).length;
}

/** What else there is in the trace decides what has to be said. */
class Names {
  constructor(
    readonly trace: Trace,
    private readonly stop: Stop,
  ) {}

  has(pattern: RegExp): boolean {
    return this.trace.scopes.some(({ name }) => pattern.test(name));
  }

  /** The number of a layer, from 1, if its network has several. */
  layer(network: string, at: number): number | null {
    return this.has(new RegExp(`^${network}\\.1(\\.|$)`)) ? at + 1 : null;
  }

  /** What is within the stop. */
  holds(what: RegExp): boolean {
    const { first, last } = this.stop;
    return this.trace.scopes.some((scope) => first <= scope.first && scope.last <= last && what.test(scope.name));
  }
}

const POSITION = /^(\w+)\.(\d+)(_reverse|_both)?\.t(\d+)$/;
const LAYER = /^(\w+)\.(\d+)(_reverse|_both)?$/;
const WRITTEN = /^(\w+)\.t(\d+)$/;
const STATE = /\.t\d+\.\d+$/;

function nameOfPath(names: Names, path: string, tokens: Tokens): StopName {
  const position = POSITION.exec(path);
  const written = WRITTEN.exec(path);
  const layer = LAYER.exec(path);
  if (position) return nameOfReading(names, path, position, tokens);
  if (written) return nameOfWriting(written[1]!, Number(written[2]), tokens);
  if (STATE.test(path)) return texts.NEW_STATE;
  if (layer) return nameOfLayer(names, layer);
  return nameOfWord(names, path);
}

function nameOfReading(names: Names, path: string, match: RegExpExecArray, tokens: Tokens): StopName {
  const [network, side, at] = [match[1]!, match[3], Number(match[4])];
  const layer = names.layer(network, Number(match[2]));
  const token = tokens.read(network, at, positionsOf(names.trace, path.replace(/\.t\d+$/, '')));
  if (token === undefined) return texts.takesPosition(network, layer, at);
  if (side === '_both') return texts.joinsDirections({ token }, token);
  return (side ? texts.readsBackwards : texts.reads)(network, layer, { token }, labelOf(token));
}

const labelOf = (token: string): string => (token === EOS ? texts.END : token === BOS ? texts.START : token);

/** What is traced of writing, of its measures and of the coins of scheduled sampling. */
const OF_WRITING = /^(writing|bleu|alignment_error)|\.coin/;
type Words = typeof import('#messages/writing-stops');
let ofWriting: Words | null = null;

/** Fetches the words that few traces need, if this one does and they are not here; without a network it does without. */
export const fetchWords = ({ scopes }: Trace): Promise<Words | null> | null =>
  !ofWriting && scopes.some(({ name }) => OF_WRITING.test(name))
    ? import('#messages/writing-stops').then(
        (words) => (ofWriting = words),
        () => null,
      )
    : null;

const wordsOfWriting = (path: string, word: string): StopName | undefined =>
  OF_WRITING.test(path) ? ofWriting?.WRITING[word] : undefined;

function nameOfWriting(network: string, at: number, tokens: Tokens): StopName {
  if (network === 'writing' && ofWriting) return ofWriting.chooses(at);
  const token = tokens.written(at);
  if (token === undefined) return texts.takesPosition(network, null, at);
  if (token === EOS) return texts.ends(network, tokens.isOwn);
  return texts.writes(network, { token }, token, tokens.isOwn);
}

function nameOfLayer(names: Names, [, network = '', number, side]: RegExpExecArray): StopName {
  const at = Number(number) + 1;
  if (side === '_both') return texts.BOTH;
  if (side) return texts.backwards(network);
  if (network === 'convnet') return texts.convolution(at);
  if (!names.holds(/(attention|feed_forward)$/)) return texts.layer(network, at);
  return texts.block(at, names.has(/^encoder/) && names.has(/^decoder/) ? network : '');
}

function nameOfWord(names: Names, path: string): StopName {
  const [network, ...inside] = path.split('.');
  const word = path.split('.').at(-1)!.replace(/\d+$/, '');
  if (!inside.length && ['encoder', 'network', 'cell', 'convnet'].includes(word)) return texts.readsAll(word);
  if (!inside.length && word === 'decoder') return names.holds(LAYER) ? texts.readsAll(word) : texts.starts(word);
  if (word === 'block') return texts.tile(Number(/\d+$/.exec(path)?.[0] ?? 0) + 1);
  if (/attention$/.test(word) && !names.holds(/softmax$|block\d+$/)) return nameOfKeys(path);
  return wordsOfWriting(path, word) ?? texts.SCOPES[word] ?? texts.functionCalled(inside.at(-1) ?? network!);
}

function nameOfKeys(path: string): StopName {
  const block = /\.(\d+)\./.exec(path);
  return block ? texts.keysOfBlock(Number(block[1]) + 1) : texts.KEYS;
}

// Loose operations.

function nameOfRun(trace: Trace, stop: Stop): StopName {
  const made = madeBy(trace, stop);
  const last = trace.nodes[stop.last]!;
  if (made?.name.startsWith('∂')) return texts.gradientOf(nameOfTensor(trace, made.name.slice(1)));
  if (made) return nameOfTensor(trace, made.name);
  const looksUp = stop.phase === 'forward' && stop.loose.some((id) => trace.nodes[id]!.op === 'gather');
  return looksUp ? texts.LOOKED_UP : (wordsOfWriting(last.name, last.op) ?? texts.operation(last.op));
}

const IN_CELL = /(^|\.)(\d+(_reverse|_both)?\.t\d+|t\d+\.\d+)\//;

const nameOfTensor = (trace: Trace, name: string): StopName => wordsOf(trace, name) ?? other(shortName(name));

/** What a tensor is, without where; null if the rules have no words for it. */
export function wordsOf(trace: Trace, name: string): StopName | null {
  const own = shortName(name);
  const node = byName(trace).get(name);
  const ofOptimiser = name.startsWith('update') && !name.startsWith('update/') ? texts.OPTIMISER[own] : undefined;
  const apart = ofOptimiser ?? wordsOfWriting(name, own.replace(/#.*/, ''));
  if (apart) return apart;
  if (node?.role === 'parameter') return texts.parameter(name.replace(/^update\//, '').split('.'));
  if (name.startsWith('update')) return texts.OPTIMISER[own] ?? texts.parameter(own.split('.'));
  if (node && (node.phase === 'backward' || !isNamed(node))) return texts.operation(node.op);
  if (IN_CELL.test(name) || /\.t\d+\/s$/.test(name)) return texts.GATES[own] ?? null;
  if (/\.t\d+\/y$/.test(name)) return texts.EMBEDDED;
  const isMany = own === 'q' && (node?.shape.at(-2) ?? 1) > 1;
  return texts.TENSORS[isMany ? 'Q' : own] ?? texts.TENSORS[own.replace(/\d+$/, '')] ?? null;
}

/** What the learner calls it, or a parameter by its path. */
const other = (own: string): StopName => (/[._]/.test(own) ? texts.parameter(own.split('.')) : texts.tensorCalled(own));
