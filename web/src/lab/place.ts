// Carries the learner's place over from one trace to the next, and checks that the places a link names exist.
import { noSuchCell, noSuchOperation } from '#messages/link';
import { byName, cursorAt, pathOf, START, type NamedCursor } from './cursor/names';
import { atPosition, position } from './cursor/steps';
import type { Result } from '../engine/replay';
import { homeOf } from './home';
import type { Page } from './page';
import { cellCount, type Cursor, type Reply, type Selection, type State, type Trace } from '../engine/types';

const bad = (message: string): Reply<never> => ({ ok: false, code: 'E_LINK', message, detail: '' });

/** The result itself, or E_LINK naming the place that is missing. */
export function checkPlaces(result: Result, state: State, target: NamedCursor | null): Reply<Result> {
  const { selection } = state;
  if (target && !cursorAt(result.trace, target)) return bad(noSuchOperation(target[0]));
  if (selection && !hasCell(result.trace, selection)) return bad(noSuchCell(selection.index, selection.node));
  return { ok: true, value: result };
}

function hasCell(trace: Trace, { node: name, index }: Selection): boolean {
  const node = byName(trace).get(name);
  return node !== undefined && index < cellCount(node.shape);
}

/**
 * The operation of the same name, else the same number of steps in: an edit can cut the backward pass short. A cursor
 * that has not moved yet goes to where the page opens with this trace.
 */
export function cursorIn(page: Page, old: Trace | null, trace: Trace, cursor: Cursor): Cursor {
  if (cursor.opening) return homeOf(page, trace);
  if (!old) return START;
  return cursorAt(trace, pathOf(old, cursor)) ?? atPosition(trace, position(old, cursor));
}

/** The state that a change made, at the place the learner has moved to since, unless the change moved it too. */
export const withLaterMoves = (made: State, before: State, now: State): State => ({
  ...made,
  cursor: made.cursor === before.cursor ? now.cursor : made.cursor,
  selection: made.selection === before.selection ? now.selection : made.selection,
  section: made.section === before.section ? now.section : made.section,
  shown: made.shown === before.shown ? now.shown : made.shown,
});

/** Where a change leads: to the operation it names, which `checkPlaces` has checked for a link, or where the page opens. */
export const targetCursor = (page: Page, trace: Trace, target: NamedCursor | null): Cursor =>
  (target && cursorAt(trace, target)) ?? homeOf(page, trace);

/** Row-major flat index of a cell; a single number is already flat. */
export const flatIndex = (shape: readonly number[], cell: readonly number[]): number =>
  cell.length === 1 ? cell[0]! : cell.reduce((flat, at, axis) => flat * (shape[axis] ?? 1) + at, 0);
