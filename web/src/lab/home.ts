// The cursor with which a page opens. A lesson names the code it is about and the tensors on its board: it opens at the
// last step of that code that computes one of them, and shows the whole forward pass, so that no view is empty.
import { findNode, START } from './cursor/names';
import { forwardDone, onWhole } from './cursor/steps';
import type { Cursor, Trace } from '../engine/types';
import type { Lines, Page } from './page';

export const homeOf = ({ code, board }: Pick<Page, 'code' | 'board'>, trace: Trace): Cursor =>
  code ? { ...declared(trace, code, (board ?? []).flat()), opening: true } : START;

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
  const own = trace.nodes.filter(lies).map(({ id }): Cursor => ({ node: id, scope: -1 }));
  return [...calls.map((scope) => onWhole(trace, scope)), ...own].sort((a, b) => a.node - b.node);
}
