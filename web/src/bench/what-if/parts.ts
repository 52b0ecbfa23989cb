// Which parts of a tensor an intervention can be about, and what can be done to them: read off the name, shape and role.
import type { Trace, TraceNode } from '../../engine/types';
import { isOfUpdate } from '../../lab/cursor';
import { unravel } from '../../ui/index-rules';
import { isMask } from '../../figures/shared/edit-value';

export type Kind = 'zero' | 'mean' | 'hidden' | 'detach' | 'frozen' | 'from';
export type PartName = 'all' | 'head' | 'row' | 'column' | 'cell';

export interface Part {
  name: PartName;
  /** The same part of the tensors at all positions. */
  everywhere: boolean;
  /** As the engine reads it: "encoder/h[:, 2]". */
  tensor: string;
}

/** True for a tensor with a name of its own: a step that is named after its operation has none. */
export function canIntervene(trace: Trace, node: TraceNode): boolean {
  const own = node.name.slice(node.name.lastIndexOf('/') + 1).replace(/#\d+$/, '');
  return node.phase !== 'backward' && !isOfUpdate(trace, node) && own !== node.op;
}

/** The tensors of that name at all positions: * for the 3 of "decoder.t3/s". */
export const atEveryPosition = (name: string): string => name.replace(/\.t\d+(?=[./])/, '.t*');

/** The parts through the cell, the whole first. */
export function partsOf(node: TraceNode, index: number): Part[] {
  const everywhere = atEveryPosition(node.name);
  const names = everywhere === node.name ? [node.name] : [node.name, everywhere];
  const places = Object.entries(placesOf(node.shape, index)) as [PartName, string][];
  return places.flatMap(([name, place]) => names.map((each, i) => ({ name, everywhere: i > 0, tensor: each + place })));
}

/** In brackets, as the engine reads them; a part that is the whole is left out. */
function placesOf(shape: readonly number[], index: number): Partial<Record<PartName, string>> {
  const at = unravel(index, shape);
  const rank = shape.length;
  const place = (chosen: (axis: number) => boolean): string => {
    const indices = at.map((i, axis) => (shape[axis]! > 1 && chosen(axis) ? `${i}` : ':'));
    return indices.every((each) => each === ':') ? '' : `[${indices.join(', ').replace(/(, :)+$/, '')}]`;
  };
  const all: [PartName, string][] = [
    ['all', ''],
    ['head', rank > 3 ? place((axis) => axis === 1) : ''],
    ['row', place((axis) => axis === rank - 2 || (rank > 3 && axis === 1))],
    ['column', rank > 1 ? place((axis) => axis === rank - 1 || (rank > 3 && axis === 1)) : ''],
    ['cell', place(() => true)],
  ];
  const seen = new Set<string>();
  return Object.fromEntries(
    all.filter(([name, text]) => (name === 'all' || text) && !seen.has(text) && seen.add(text)),
  );
}

export function kindsFor(node: TraceNode, readsPairs: boolean): Kind[] {
  const kinds: Kind[] = ['zero'];
  if (node.shape.length > 1 && node.shape.at(-2)! > 1) kinds.push('mean');
  if (node.role === 'score' || isMask(node)) kinds.unshift('hidden');
  kinds.push('detach');
  if (node.role === 'parameter') kinds.push('frozen');
  else if (readsPairs) kinds.push('from');
  return kinds;
}
