// Stepping moves a cursor over a finished trace: pure functions of (trace, cursor); nothing is recomputed.
import type { Cursor, Phase, StepAction, Trace, TraceNode, TraceScope } from '../../engine/types';
import { onceForEach } from './once';
import { START } from './names';

const ROOT = 0;

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

/** By operation: the outermost scope, below the root, that begins with it. */
const scopesByStart = onceForEach(
  (trace: Trace): ReadonlyMap<number | undefined, TraceScope> =>
    new Map(
      trace.scopes
        .filter(({ id }) => id !== ROOT)
        .reverse() // of several, the first is set last
        .map((scope) => [edge(trace, scope, false), scope]),
    ),
);

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

function over(trace: Trace, cursor: Cursor): Cursor {
  const next = atPosition(trace, position(trace, cursor) + 1);
  const scope = next.node > cursor.node ? scopesByStart(trace).get(next.node) : undefined;
  return scope ? onWhole(trace, scope) : next.node > cursor.node ? next : cursor;
}

function into(trace: Trace, cursor: Cursor): Cursor {
  const whole = trace.scopes[cursor.scope];
  const first = whole && edge(trace, whole, false);
  return first === undefined ? forward(trace, cursor) : { node: first, scope: -1 };
}

function out(trace: Trace, cursor: Cursor): Cursor {
  const around = frame(trace, cursor);
  return around ? onWhole(trace, around) : cursor;
}

function forward(trace: Trace, cursor: Cursor): Cursor {
  const now = position(trace, cursor);
  return now === stepsOf(trace).length ? cursor : atPosition(trace, now + 1);
}

const back = (trace: Trace, cursor: Cursor): Cursor => atPosition(trace, position(trace, cursor) - 1);

const moves: Record<StepAction, (trace: Trace, cursor: Cursor) => Cursor> = {
  first: () => START,
  back,
  forward,
  last: (trace) => atPosition(trace, Infinity),
  into,
  over,
  out,
};

/** Where the action leads; the same cursor if it leads nowhere. */
export const move = (trace: Trace, cursor: Cursor, action: StepAction): Cursor => moves[action](trace, cursor);

/** True if the action would leave the cursor where it is: its button is then unavailable. */
export function isStuck(trace: Trace, cursor: Cursor, action: StepAction): boolean {
  return sameCursor(move(trace, cursor, action), cursor);
}

/** Number of operations in each phase, in order of the phases. */
export function phases(trace: Trace): { phase: Exclude<Phase, 'leaf'>; count: number }[] {
  const count = (phase: Phase): number => trace.nodes.filter((node) => node.phase === phase).length;
  return (['forward', 'backward', 'update'] as const)
    .map((phase) => ({ phase, count: count(phase) }))
    .filter((part) => part.count > 0);
}
