// Where a learner is in a finished trace: the names of its tensors and of cursor positions, and playback.
import type { Cursor, Trace, TraceNode, TraceScope } from '../engine/types';

/** The function, computed once for each object: for what is read out of a trace, which never changes. */
export function onceForEach<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key)!;
  };
}

// Names in a trace: of its tensors, and of cursor positions.

/** A cursor as a link holds it: [operation, scope]; scope "" unless a whole scope is stood on, both "" at the start. */
export type NamedCursor = [node: string, scope: string];

export const START: Cursor = { node: -1, scope: -1 };

export function pathOf(trace: Trace, cursor: Cursor): NamedCursor {
  const node = trace.nodes[cursor.node];
  return node ? [node.name, trace.scopes[cursor.scope]?.name ?? ''] : ['', ''];
}

/** True for nodes of the update, including its leaves: the moments that the optimiser keeps. */
export const isOfUpdate = (trace: Trace, node: TraceNode): boolean => trace.scopes[node.scope]?.phase === 'update';

const holds = (scope: TraceScope, node: number): boolean => scope.first <= node && node <= scope.last;

/** "attention/α" → "α", "∂attention/α" → "∂α", "attention.softmax/exp#2" → "exp". */
export function shortName(name: string): string {
  const own = name.slice(name.lastIndexOf('/') + 1).replace(/#\d+$/, '');
  return name.startsWith('∂') && !own.startsWith('∂') ? `∂${own}` : own;
}

/** False for an unnamed result: it is called after its operation. */
export const isNamed = (node: Pick<TraceNode, 'name' | 'op'>): boolean => shortName(node.name) !== node.op;

/** The nodes of a trace by their whole names. */
export const byName = onceForEach(
  (trace: Trace): ReadonlyMap<string, TraceNode> => new Map(trace.nodes.map((node) => [node.name, node])),
);

/** Undefined if the trace has no such operation, or no such scope around it. */
export function cursorAt(trace: Trace, [name, scopeName]: NamedCursor): Cursor | undefined {
  if (!name) return START;
  const node = byName(trace).get(name);
  if (!node || node.phase === 'leaf') return undefined;
  if (!scopeName) return { node: node.id, scope: -1 };
  const scope = trace.scopes.find((candidate) => candidate.name === scopeName && holds(candidate, node.id));
  return scope && { node: node.id, scope: scope.id };
}

/**
 * Exact name, or the only node whose path ends in "/name", gradients and the update aside; "∂x" is the gradient of x,
 * whatever node holds it.
 */
export function findNode(trace: Trace, name: string): TraceNode | undefined {
  const known = found(trace);
  if (!known.has(name)) known.set(name, searched(trace, name));
  return known.get(name);
}

/** What findNode has found in a trace, by name. */
const found = onceForEach((_: Trace) => new Map<string, TraceNode | undefined>());

function searched(trace: Trace, name: string): TraceNode | undefined {
  const exact = byName(trace).get(name);
  if (exact) return exact;
  if (name.startsWith('∂')) return trace.nodes[findNode(trace, name.slice(1))?.gradient ?? -1];
  const ending = trace.nodes.filter(
    (node) => node.name.endsWith(`/${name}`) && !node.name.startsWith('∂') && !isOfUpdate(trace, node),
  );
  return ending.length === 1 ? ending[0] : undefined;
}

// Where a cursor is in a finished trace: pure functions of (trace, cursor); nothing is recomputed.

export const ROOT = 0;

/** Ids of the operations, in order of execution; leaves are not steps. */
export const stepsOf = onceForEach((trace: Trace): readonly number[] =>
  trace.nodes.filter((node) => node.phase !== 'leaf').map((node) => node.id),
);

/** How many operations have run: 0 at the start, the number of steps at the end. */
export function position(trace: Trace, cursor: Pick<Cursor, 'node'>): number {
  const steps = stepsOf(trace);
  let low = 0;
  for (let high = steps.length; low < high;) {
    const middle = (low + high) >> 1;
    if (steps[middle]! <= cursor.node) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The cursor after `count` operations, clamped to the trace. */
export function atPosition(trace: Trace, count: number): Cursor {
  const steps = stepsOf(trace);
  const clamped = Math.min(steps.length, Math.max(0, Math.round(count)));
  return clamped === 0 ? START : { node: steps[clamped - 1]!, scope: -1 };
}

/** The cursor after the last operation of the forward pass. */
export const forwardDone = (trace: Trace): Cursor =>
  atPosition(trace, stepsOf(trace).filter((id) => trace.nodes[id]!.phase === 'forward').length);

/** True exactly at the end of the forward pass. */
export const isForwardDone = (trace: Trace, { node }: Cursor): boolean => node === forwardDone(trace).node;

export const sameCursor = (a: Cursor, b: Cursor): boolean =>
  a.node === b.node && a.scope === b.scope && !a.opening === !b.opening;

/** Leaves always; an operation once the cursor has passed it; where a lesson opens, the whole forward pass. */
export const isReached = ({ id, phase }: TraceNode, cursor: Cursor): boolean =>
  phase === 'leaf' || id <= cursor.node || (phase === 'forward' && cursor.opening === true);

/** The first, or last, operation within a scope; undefined if it recorded none. */
function edge(trace: Trace, scope: TraceScope, last: boolean): number | undefined {
  const end = position(trace, { node: last ? scope.last : scope.first - 1 });
  const id = stepsOf(trace)[last ? end - 1 : end];
  return id !== undefined && scope.first <= id && id <= scope.last ? id : undefined;
}

/** The scope around the cursor's scope, or else around its operation; undefined at the root. */
export function frame(trace: Trace, cursor: Cursor): TraceScope | undefined {
  const id = cursor.scope >= 0 ? trace.scopes[cursor.scope]?.parent : trace.nodes[cursor.node]?.scope;
  return id === undefined || id <= ROOT ? undefined : trace.scopes[id];
}

/** The cursor standing on a call as a whole. */
export const onWhole = (trace: Trace, scope: TraceScope): Cursor => ({
  node: edge(trace, scope, true) ?? scope.last,
  scope: scope.id,
});

// Playback

/** Milliseconds from one step to the next: slow enough to follow. */
const INTERVAL = 700;

export class Player {
  #timer = 0;

  /** `advance` steps once and returns whether there is more. */
  constructor(
    private readonly advance: () => boolean,
    private readonly changed: () => void,
  ) {}

  get playing(): boolean {
    return this.#timer !== 0;
  }

  play(): void {
    if (this.playing) return;
    this.#timer = window.setInterval(() => this.#tick(), INTERVAL);
    this.#tick();
  }

  pause(): void {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.changed();
  }

  #tick(): void {
    if (!this.advance()) this.pause();
  }
}

// What the pointer rests on, shared by the views of a lab: a cell, a whole tensor, or a line of the code.

export interface Hover {
  /** Node id, or null. */
  node: number | null;
  /** Flat index of a cell, or null for the whole tensor. */
  index: number | null;
  /** "engine/nn/attention/attention.h:38", or null. */
  line: string | null;
}

export const NOWHERE: Hover = { node: null, index: null, line: null };

export const sameHover = (a: Hover, b: Hover): boolean => a.node === b.node && a.index === b.index && a.line === b.line;

export const lineKey = (file: string, line: number): string => `${file}:${line}`;
