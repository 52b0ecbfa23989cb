// What a board need not say twice: names of rows and columns that the tensor beside or above has said, and sizes whose
// letters have been said.
import type { TraceNode } from '../../engine/types';
import type { Names } from '../../figures/shared/summary';
import type { ShownShape } from '../../ui/tensor-names';

export interface Told {
  rows: boolean;
  columns: boolean;
  sizes: boolean;
}

export const NOTHING_TOLD: Told = { rows: false, columns: false, sizes: false };

type NamesOf = (node: TraceNode) => Names;

/** Of each tensor on a board of these rows. */
export function toldOn(
  rows: readonly (readonly TraceNode[])[],
  namesOf: NamesOf,
  shapeOf: (node: TraceNode) => ShownShape,
): ReadonlyMap<TraceNode, Told> {
  const sizes = toldSizes(rows.flat(), shapeOf);
  return new Map(
    rows.flatMap((row, i) =>
      row.map((node, j): [TraceNode, Told] => {
        const beside = row[j - 1];
        const above = isBelow(rows[i - 1], row, j) ? rows[i - 1]![j] : undefined;
        const same = (axis: 'rows' | 'columns', other: TraceNode | undefined): boolean =>
          other !== undefined && sameNames(namesOf(node)[axis], namesOf(other)[axis]);
        const columns = same('columns', beside) || same('columns', above);
        return [node, { rows: same('rows', beside), columns, sizes: sizes.has(node) }];
      }),
    ),
  );
}

const sameNames = (own: readonly string[] | undefined, other: readonly string[] | undefined): boolean =>
  own !== undefined && String(own) === String(other);

const widthOf = ({ shape }: TraceNode): number => shape.at(-1) ?? 1;

/** True if the tensor in that place begins where the one above it does. */
const isBelow = (above: readonly TraceNode[] | undefined, row: readonly TraceNode[], at: number): boolean =>
  above !== undefined && row.slice(0, at + 1).every((node, i) => above[i] && widthOf(above[i]) === widthOf(node));

/** So many rows or columns are counted at a glance. */
const COUNTED = 8;

/** The tensors whose every letter stands for a size that was said before, or whose cells say themselves how many they are. */
function toldSizes(nodes: readonly TraceNode[], shapeOf: (node: TraceNode) => ShownShape): ReadonlySet<TraceNode> {
  const said = new Map<string, number>();
  const told = new Set<TraceNode>();
  for (const node of nodes) {
    const { letters, sizes } = shapeOf(node);
    const isSaid = (letter: string, axis: number): boolean => letter === '1' || said.get(letter) === sizes[axis];
    const isClear = letters.length ? letters.every(isSaid) : sizes.every((size) => size <= COUNTED);
    if (isClear) told.add(node);
    for (const [axis, letter] of letters.entries()) said.set(letter, sizes[axis]!);
  }
  return told;
}
