// The stops of a run: the parts in which a person thinks of it (a position, a block, an attention, the loss), the parts of
// these, and so on down to single operations. Stepping goes from stop to stop. All are pure functions of (trace, cursor): the
// cursor alone says at which stop it is, and so among which others.
import { byName, isNamed, isReached, onceForEach, ROOT, sameCursor, START } from './cursor';
import type { Cursor, Phase, StepAction, Trace, TraceNode, TraceScope } from '../engine/types';

type Pass = Exclude<Phase, 'leaf'>;

/** Some operations in a row: a scope with what prepares it, several scopes, or loose operations. */
interface Part {
  /** Its first and last operation. */
  readonly first: number;
  readonly last: number;
  readonly phase: Pass;
  /** The scopes that it is as a whole, the outermost first. */
  readonly scopes: readonly number[];
  /** Operations that are in none of its scopes. */
  readonly loose: readonly number[];
  /** Of several scopes in a row: each of them. */
  readonly members?: readonly Part[];
}

export interface Stop extends Part {
  /** Undefined at the top level. */
  readonly parent: Stop | undefined;
  /** Where one stands on it as a whole. */
  readonly cursor: Cursor;
}

/** The most stops of a forward pass. */
export const MOST = 30;
/** A level of fewer parts than this is opened further, and any attention too, as long as there are no more than SOME. */
const FEW = 6;
const SOME = 12;
/** As few operations as this in front of a scope belong to it, if all that they make is the token that it reads. */
const PREPARATION = 3;

const isRun = ({ scopes, members }: Part): boolean => scopes.length === 0 && !members;

// What the trace says: which scopes are in which, and what a tensor is called.

/** By their parent; without those that recorded no operation. */
const scopesIn = onceForEach((trace: Trace): ReadonlyMap<number, readonly TraceScope[]> => {
  const inside = new Map<number, TraceScope[]>();
  for (const scope of trace.scopes) {
    if (!edges(trace, scope)) continue;
    const siblings = inside.get(scope.parent) ?? [];
    siblings.push(scope);
    inside.set(scope.parent, siblings);
  }
  return inside;
});

/** The first and the last operation in a scope. */
function edges(trace: Trace, { first, last }: Pick<TraceScope, 'first' | 'last'>): [number, number] | undefined {
  const isLeaf = (id: number): boolean => trace.nodes[id]?.phase === 'leaf';
  while (first <= last && isLeaf(first)) first++;
  while (first <= last && isLeaf(last)) last--;
  return first <= last ? [first, last] : undefined;
}

/** True for a tensor with a name of its own, and for the gradient of one. */
const hasName = (trace: Trace, node: TraceNode): boolean => {
  const of = node.name.startsWith('∂') ? byName(trace).get(node.name.slice(1)) : node;
  return of !== undefined && isNamed(of);
};

/** The last operation of a part that makes a tensor with a name. */
export const madeBy = (trace: Trace, { loose }: Part): TraceNode | undefined =>
  trace.nodes[loose.findLast((id) => hasName(trace, trace.nodes[id]!)) ?? -1];

/** The name of a tensor without path and numbers, "encoder/x3" → "x"; "" if it has none. */
function seriesOf(trace: Trace, id: number): string {
  const node = trace.nodes[id]!;
  return hasName(trace, node) ? node.name.replace(/^.*\//, '').replace(/#?\d+/g, '') : '';
}

/** The last word of a scope's path without its number: "t", "norm", "" of a layer or block. */
const kindOf = (trace: Trace, { scopes }: Part): string =>
  (trace.scopes[scopes.at(-1) ?? -1]?.name ?? '').replace(/^.*\./, '').replace(/\d.*/, '');

const isNumbered = (trace: Trace, part: Part): boolean =>
  part.scopes.some((id) => /(^|\.)(t|block)?\d+$/.test(trace.scopes[id]!.name));

/** What is done at one position. */
const isPosition = (trace: Trace, { scopes }: Part): boolean =>
  scopes.some((id) => /\.t\d+$/.test(trace.scopes[id]!.name));

const isLoss = (trace: Trace, { scopes }: Part): boolean =>
  scopes.some((id) => /(cross_entropy|squared_error)$/.test(trace.scopes[id]!.name));

const isAttention = (trace: Trace, part: Part): boolean => kindOf(trace, part).endsWith('attention');

const HAS_PARTS = /(attention|feed_forward)$/;

/** A block of a Transformer is a part in itself, although it may be one of a single block. */
const isBlock = (trace: Trace, part: Part): boolean =>
  kindOf(trace, part) === '' &&
  part.scopes.some((id) =>
    scopesIn(trace)
      .get(id)
      ?.some(({ name }) => HAS_PARTS.test(name)),
  );

// Parts.

const runOf = (trace: Trace, loose: readonly number[]): Part => ({
  first: loose[0]!,
  last: loose.at(-1)!,
  phase: trace.nodes[loose[0]!]!.phase as Pass,
  scopes: [],
  loose,
});

/** A scope, which is the same as another one that is all it contains. */
function whole(trace: Trace, scope: TraceScope): Part {
  const [first, last] = edges(trace, scope)!;
  const scopes = [scope.id];
  for (;;) {
    const [only, more] = scopesIn(trace).get(scopes.at(-1)!) ?? [];
    const inner = only && !more && edges(trace, only);
    if (!inner || inner[0] !== first || inner[1] !== last) break;
    scopes.push(only.id);
  }
  return { first, last, phase: scope.phase, scopes, loose: [] };
}

/** What is directly in a scope, in order: other scopes, and the runs of operations between them. */
function inScope(trace: Trace, around: number, phase: Pass): Part[] {
  const parts: Part[] = [];
  let run: number[] = [];
  const endRun = (): void => {
    if (run.length) parts.push(runOf(trace, run));
    run = [];
  };
  const scopes = (scopesIn(trace).get(around) ?? []).filter((scope) => scope.phase === phase);
  const { first, last } = around === ROOT ? { first: 0, last: trace.nodes.length - 1 } : trace.scopes[around]!;
  for (let id = first, next = 0; id <= last; id++) {
    if (scopes[next] && id >= scopes[next]!.first) {
      endRun();
      parts.push(whole(trace, scopes[next]!));
      id = scopes[next++]!.last;
    } else if (trace.nodes[id]!.phase === phase) run.push(id);
  }
  endRun();
  return parts;
}

/** A run ends where it has made a tensor with a name; tensors whose names differ by a number are made together. */
function split(trace: Trace, { loose }: Part): Part[] {
  const runs: { made: string; ids: number[] }[] = [];
  let ids: number[] = [];
  for (const id of loose) {
    ids.push(id);
    const made = seriesOf(trace, id);
    const before = runs.at(-1);
    if (made && made === before?.made) before.ids.push(...ids.splice(0));
    else if (made) runs.push({ made, ids: ids.splice(0) });
  }
  const rest = runs.at(-1)?.ids; // what makes nothing with a name belongs to what did
  if (rest) rest.push(...ids);
  else runs.push({ made: '', ids });
  return runs.map((run) => runOf(trace, run.ids));
}

/** A scope takes the few operations in front of it that make nothing with a name but the token it reads. */
function withPreparation(trace: Trace, parts: readonly Part[]): Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    const prepares = before && isRun(before) && !isRun(part) && before.loose.length <= PREPARATION;
    if (prepares && /^(|.*token(#\d+)?)$/.test(madeBy(trace, before)?.name ?? '')) {
      joined[joined.length - 1] = { ...part, first: before.first, loose: before.loose };
    } else joined.push(part);
  }
  return joined;
}

const isOperation = (part: Part): boolean => isRun(part) && part.loose.length === 1;

/** What a part is made of; nothing if it is one operation. */
function contentsOf(trace: Trace, part: Part): readonly Part[] {
  if (part.members) return part.members;
  if (isOperation(part)) return [];
  const { scopes, loose, phase } = part;
  const inner = scopes.at(-1);
  const inside = inner === undefined ? [] : inScope(trace, inner, phase);
  const all = loose.length ? withRun(trace, loose, inside) : inside;
  const parts = withPreparation(
    trace,
    all.flatMap((each) => (isRun(each) ? split(trace, each) : [each])),
  );
  return parts.length === 1 ? insideOnly(trace, parts[0]!) : parts;
}

/** What prepares a scope goes on in it. */
function withRun(trace: Trace, run: readonly number[], [first, ...rest]: readonly Part[]): Part[] {
  if (!first || !isRun(first)) return [runOf(trace, run), ...(first ? [first] : []), ...rest];
  return [runOf(trace, [...run, ...first.loose]), ...rest];
}

function insideOnly(trace: Trace, only: Part): readonly Part[] {
  if (!isRun(only)) return contentsOf(trace, only);
  return only.loose.map((id) => runOf(trace, [id]));
}

/** Scopes of one name in a row, as of a decoder that is called at each position, with what is between them, as one part. */
function grouped(trace: Trace, parts: readonly Part[]): Part[] {
  const nameOf = ({ scopes }: Part): string | undefined => trace.scopes[scopes[0] ?? -1]?.name;
  const groups: Part[][] = [];
  for (const part of parts) {
    const group = groups.at(-1);
    if (group && nameOf(part) !== undefined && nameOf(part) === nameOf(group[0]!)) group.push(part);
    else groups.push([part]);
  }
  return groups.map((group) => (group.length === 1 ? group[0]! : together(group)));
}

const together = (members: readonly Part[], scopes = members.at(-1)!.scopes): Part => ({
  first: members[0]!.first,
  last: members.at(-1)!.last,
  phase: members[0]!.phase,
  scopes,
  loose: [],
  members,
});

// Levels: which of the parts are opened at once.

/** Opens all parts of one kind that `may` be opened, kind after kind, as long as there are no more than `most` parts. */
function opened(trace: Trace, parts: readonly Part[], most: number, may: (part: Part) => boolean): readonly Part[] {
  for (const kind of new Set(parts.filter(may).map((part) => kindOf(trace, part)))) {
    const isOpened = (part: Part): boolean => may(part) && kindOf(trace, part) === kind;
    const after = parts.flatMap((part) => (isOpened(part) ? orItself(part, contentsOf(trace, part)) : [part]));
    if (after.length > parts.length && after.length <= most) return opened(trace, after, most, may);
  }
  return parts;
}

/** The name of a scope says more than that of its only operation. */
const orItself = (part: Part, contents: readonly Part[]): readonly Part[] => (contents.length > 1 ? contents : [part]);

/** What consists of positions or blocks is opened first, then attentions, then whatever there is, if that is little. */
function level(trace: Trace, parts: readonly Part[], most: number): readonly Part[] {
  const isPlain = (part: Part): boolean => !isRun(part) && !isLoss(trace, part) && part.phase !== 'update';
  const isSeries = (part: Part): boolean =>
    isPlain(part) &&
    !isBlock(trace, part) &&
    !isPosition(trace, part) &&
    contentsOf(trace, part).some((inner) => isNumbered(trace, inner) && inner.first < inner.last);
  const series = opened(trace, parts, most, isSeries);
  const attentions = opened(trace, series, SOME, (part) => isAttention(trace, part));
  return attentions.length < FEW ? opened(trace, attentions, SOME, isPlain) : attentions;
}

/**
 * The parts of a pass. Loose operations of a model itself are bookkeeping, and a run of them is one part, unless they are all
 * there is, as in a short program.
 */
function passOf(trace: Trace, phase: Pass): readonly Part[] {
  const parts = withPreparation(trace, inScope(trace, ROOT, phase));
  const stops = level(trace, parts.length > MOST ? grouped(trace, parts) : parts, MOST);
  return stops.length < FEW && phase === 'forward' ? opened(trace, stops, SOME, isRun) : stops;
}

const cursorOf = ({ last, scopes }: Part): Cursor => ({ node: last, scope: scopes.at(-1) ?? -1 });

const stopsOf = (parts: readonly Part[], parent?: Stop): readonly Stop[] =>
  parts.map((part) => ({ ...part, parent, cursor: cursorOf(part) }));

/** The stops of the whole run: those of the forward pass, then the backward pass and the update as one each. */
export const topStops = onceForEach((trace: Trace): readonly Stop[] => {
  const later = (['backward', 'update'] as const)
    .map((phase) => passOf(trace, phase))
    .filter((parts) => parts.length > 0)
    .map((parts) => (parts.length === 1 ? parts[0]! : together(parts, [])));
  return stopsOf([...passOf(trace, 'forward'), ...later]);
});

const knownParts = onceForEach((_: Trace) => new Map<Stop, readonly Stop[]>());

/** The stops that Into leads to; none of one operation. */
export function partsOf(trace: Trace, stop: Stop): readonly Stop[] {
  const known = knownParts(trace);
  if (!known.has(stop)) {
    const contents = contentsOf(trace, stop);
    known.set(stop, stopsOf(stop.members ? contents : level(trace, contents, SOME), stop));
  }
  return known.get(stop)!;
}

// Where a cursor is.

const holds = (stop: Stop, { first, last }: Pick<Stop, 'first' | 'last'>): boolean =>
  stop.first <= first && last <= stop.last;

/** True if the cursor stands on the stop as a whole; at the last operation of a run, on the run. */
const isWhole = ({ scopes, last }: Stop, { node, scope }: Cursor): boolean =>
  node === last && (scopes.length ? scopes.includes(scope) : scope < 0);

/** The stop at which a cursor is; undefined before the first. Where a lesson opens, one of the top level. */
export function stopAt(trace: Trace, cursor: Cursor): Stop | undefined {
  const scope = trace.scopes[cursor.scope];
  const [first, last] = (scope && edges(trace, scope)) ?? [cursor.node, cursor.node];
  let found: Stop | undefined;
  let among = topStops(trace);
  for (;;) {
    const next = among.find((stop) => holds(stop, { first: cursor.node, last: cursor.node }));
    if (!next) return found;
    found = next;
    if (cursor.opening || isWhole(next, cursor) || !holds(next, { first, last })) return next;
    among = partsOf(trace, next);
  }
}

/** The stops among which a cursor is. */
export function levelOf(trace: Trace, stop: Stop | undefined): readonly Stop[] {
  return stop?.parent ? partsOf(trace, stop.parent) : topStops(trace);
}

export const isStopReached = (trace: Trace, { last }: Stop, cursor: Cursor): boolean =>
  isReached(trace.nodes[last]!, cursor);

// Stepping.

/** The next stop, or that of the stop around it after its last part. */
function after(trace: Trace, stop: Stop): Stop | undefined {
  const among = levelOf(trace, stop);
  return among[among.indexOf(stop) + 1] ?? (stop.parent && after(trace, stop.parent));
}

function before(trace: Trace, stop: Stop): Stop | undefined {
  const among = levelOf(trace, stop);
  return among[among.indexOf(stop) - 1] ?? (stop.parent && before(trace, stop.parent));
}

function forward(trace: Trace, cursor: Cursor): Cursor {
  const stop = stopAt(trace, cursor);
  const next = stop ? after(trace, stop) : topStops(trace)[0];
  return next?.cursor ?? cursor;
}

function back(trace: Trace, cursor: Cursor): Cursor {
  const stop = stopAt(trace, cursor);
  return (stop && before(trace, stop))?.cursor ?? START;
}

function into(trace: Trace, cursor: Cursor): Cursor {
  const stop = stopAt(trace, cursor) ?? topStops(trace)[0];
  return (stop && partsOf(trace, stop)[0])?.cursor ?? cursor;
}

const moves: Record<StepAction, (trace: Trace, cursor: Cursor) => Cursor> = {
  first: () => START,
  back,
  forward,
  last: (trace) => topStops(trace).at(-1)?.cursor ?? START,
  into,
  out: (trace, cursor) => stopAt(trace, cursor)?.parent?.cursor ?? cursor,
};

/** Where the action leads; the same cursor if it leads nowhere. */
export const move = (trace: Trace, cursor: Cursor, action: StepAction): Cursor => moves[action](trace, cursor);

/** True if the action would leave the cursor where it is: its button is then unavailable. */
export const isStuck = (trace: Trace, cursor: Cursor, action: StepAction): boolean =>
  sameCursor(move(trace, cursor, action), cursor);
