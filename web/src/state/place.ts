// Where the learner stands when one trace takes the place of another, and whether the places of a link are there.
import { cursorAt, pathOf, START, type NamedCursor } from '../stepper/names';
import { atPosition, position } from '../stepper/steps';
import type { Result } from '../engine/replay';
import { homeOf } from './home';
import type { Page } from './page';
import { cellCount, type Cursor, type Reply, type Selection, type State, type Trace } from '../types';

const FIX = 'Copy the link again, or remove everything after # to start afresh.';
const bad = (message: string): Reply<never> => ({
  ok: false,
  code: 'E_LINK',
  message: `In the link, ${message} ${FIX}`,
  detail: '',
});

/** The result itself, or the sentence that says which place is missing. */
export function inPlace(result: Result, state: State, at: NamedCursor | null): Reply<Result> {
  if (at && !cursorAt(result.trace, at)) return bad(`at is "${at[0]}"; it must be an operation of this model.`);
  if (state.selection && !hasCell(result.trace, state.selection)) {
    return bad(
      `cell is ${state.selection.index} of "${state.selection.node}"; it must be a cell of one of this model's tensors.`,
    );
  }
  return { ok: true, value: result };
}

function hasCell(trace: Trace, { node: name, index }: Selection): boolean {
  const node = trace.nodes.find((candidate) => candidate.name === name);
  return node !== undefined && index < cellCount(node.shape);
}

/**
 * The operation of the same name; as many steps in, if there is none: an edit can end the gradient's way early. Who has
 * not stepped yet stands where the page would open with this trace.
 */
export function carry(page: Page, old: Trace | null, trace: Trace, cursor: Cursor): Cursor {
  if (cursor.opening) return homeOf(page, trace);
  if (!old) return START;
  return cursorAt(trace, pathOf(old, cursor)) ?? atPosition(trace, position(old, cursor));
}

/** The state that a change has made, with where the learner has gone since, unless the change itself leads elsewhere. */
export const following = (made: State, before: State, now: State): State => ({
  ...made,
  cursor: made.cursor === before.cursor ? now.cursor : made.cursor,
  selection: made.selection === before.selection ? now.selection : made.selection,
  section: made.section === before.section ? now.section : made.section,
  shown: made.shown === before.shown ? now.shown : made.shown,
});

/** Where a link lands: the operation it names, which `inPlace` has found, or where the page opens. */
export const landing = (page: Page, trace: Trace, at: NamedCursor | null): Cursor =>
  (at && cursorAt(trace, at)) ?? homeOf(page, trace);

/** Row-major index of a cell; one number is the index itself. */
export const flatIndex = (shape: readonly number[], cell: readonly number[]): number =>
  cell.length === 1 ? cell[0]! : cell.reduce((flat, at, axis) => flat * (shape[axis] ?? 1) + at, 0);
