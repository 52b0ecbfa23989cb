// Places in a trace: where a page opens, and where the learner is in the next trace.
import type { NamedCursor } from './cursor';
import { cursorAt, findNode, pathOf, START, atPosition, forwardDone, onWhole, position } from './cursor';
import type { Lines, Page } from './page';
import type { Cursor, State, Trace } from '../engine/types';

/**
 * The operation of the same name, else the same number of steps in: an edit can cut the backward pass short. A cursor
 * that has not moved yet goes to where the page opens with this trace.
 */
export function cursorIn(page: Page, old: Trace | null, trace: Trace, cursor: Cursor): Cursor {
  if (cursor.opening) return homeOf(page, trace);
  if (!old) return START;
  return cursorAt(trace, pathOf(old, cursor)) ?? atPosition(trace, position(old, cursor));
}

/** The state after a change, at the place that the learner has moved to since, unless the change moved it too. */
export const withLaterMoves = (after: State, before: State, now: State): State => ({
  ...after,
  cursor: after.cursor === before.cursor ? now.cursor : after.cursor,
  selection: after.selection === before.selection ? now.selection : after.selection,
  section: after.section === before.section ? now.section : after.section,
  shown: after.shown === before.shown ? now.shown : after.shown,
  stage: after.stage === before.stage ? now.stage : after.stage,
  pinned: after.pinned === before.pinned ? now.pinned : after.pinned,
});

/** Where a change leads: to the operation it names, which `checkPlaces` has checked for a link, or where the page opens. */
export const targetCursor = (page: Page, trace: Trace, target: NamedCursor | null): Cursor =>
  (target && cursorAt(trace, target)) ?? homeOf(page, trace);

/** Row-major flat index of a cell; a single number is already flat. */
export const flatIndex = (shape: readonly number[], cell: readonly number[]): number =>
  cell.length === 1 ? cell[0]! : cell.reduce((flat, at, axis) => flat * (shape[axis] ?? 1) + at, 0);

/**
 * The cursor with which a page opens. A lesson names the code it is about and the tensors on its board: it opens at the
 * last step of that code that computes one of them, or at the tensor that it says it opens at, such as a gradient, and
 * shows the whole forward pass, so that no view is empty.
 */
export function homeOf({ code, board, opens }: Pick<Page, 'code' | 'board' | 'opens'>, trace: Trace): Cursor {
  if (!code) return START;
  const at = opens && findNode(trace, opens);
  return { ...(at ? { node: at.id, scope: -1 } : declared(trace, code, (board ?? []).flat())), opening: true };
}

/** If the code did not run with these settings: the last tensor of the board, else the end of the forward pass. */
function declared(trace: Trace, code: Lines, board: readonly string[]): Cursor {
  const shown = board.flatMap((name) => findNode(trace, name) ?? []).filter(({ phase }) => phase === 'forward');
  const ids = shown.map(({ id }) => id);
  const inside = stepsIn(trace, code);
  const last = Math.max(-1, ...ids);
  if (inside.length) return inside.findLast(({ node }) => ids.includes(node)) ?? inside.at(-1)!;
  return last < 0 ? forwardDone(trace) : { node: last, scope: -1 };
}

/** The steps these lines took in the forward pass, in order: their own operations, and calls as a whole. */
function stepsIn(trace: Trace, { file, first, last }: Lines): Cursor[] {
  const lies = (at: { phase: string; file: string; line: number }): boolean =>
    at.phase === 'forward' && at.file === file && first <= at.line && at.line <= last;
  const calls = trace.scopes.filter((scope) => scope.id > 0 && scope.first <= scope.last && lies(scope));
  const operations = trace.nodes.filter(lies).map(({ id }): Cursor => ({ node: id, scope: -1 }));
  return [...calls.map((scope) => onWhole(trace, scope)), ...operations].sort((a, b) => a.node - b.node);
}
