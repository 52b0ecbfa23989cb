// Whether the places that a link names exist.
import { noSuchCell, noSuchOperation } from '#messages/link';
import { byName, cursorAt, type NamedCursor } from '../cursor';
import type { Result } from '../../engine/replay';
import { cellCount, type Reply, type Selection, type State, type Trace } from '../../engine/types';

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
