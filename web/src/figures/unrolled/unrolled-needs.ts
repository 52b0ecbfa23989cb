// What one output, or one state, depends on: the cells behind it, and the attention through which it reads them.
import type { Output, Sources, Unrolled } from './unrolled-trace';

/** Of whom: a state by its cell, or the output of a position. */
export type Asked = { cell: number } | { output: Output };

export interface Needs {
  asked: Asked;
  /** Indexes into `cells`; the state itself is among them. */
  cells: ReadonlySet<number>;
  /** Node ids of α. */
  weights: ReadonlySet<number>;
}

export const outputAt = ({ outputs }: Unrolled, network: string, position: number): Output | undefined =>
  outputs.find((each) => each.network === network && each.position === position);

/** Backwards from what is asked, from cell to cell. */
export function needsOf(network: Unrolled, asked: Asked): Needs {
  const first: Sources = 'cell' in asked ? { cells: [asked.cell], weights: [] } : asked.output;
  const cells = new Set(first.cells);
  const weights = new Set(first.weights);
  for (const cell of cells) {
    const read = network.reads[cell]!;
    for (const each of read.cells) cells.add(each); // a set goes on to what is added while it is read
    for (const each of read.weights) weights.add(each);
  }
  return { asked, cells, weights };
}
