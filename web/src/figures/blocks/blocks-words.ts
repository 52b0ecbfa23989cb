// Texts of a box: its name, output and number of parameters; for the drawing, the spoken text, the table and CSV.
import * as texts from '#messages/figures/blocks';
import { grouped } from '../../messages/intl';
import type { Block, Blocks } from './blocks-trace';
import type { Table } from '../host/tables';
import { textWidth, wordWidth } from '../shared/text-width';
import { isNamed, shortName } from '../shared/marks';
import { shapeText } from '../../ui/numbers';

const SMALL = 12;

/** "× 4" for a repeated block; "matmul" for a result named q; "" for one named after its operation. */
export function noteOf({ scopes, count, output, folded }: Block): string {
  if (folded) return '';
  if (count > 1) return `× ${count}`;
  return !scopes.size && output && isNamed(output) && output.phase !== 'leaf' ? output.op : '';
}

export function titleOf({ name, scopes, count, folded }: Block): string {
  if (folded) return texts.moreOperations(folded);
  return scopes.size && count > 1 ? texts.POSITION : name.replace(/#\d+$/, '');
}

export const shapeOf = ({ output }: Block): string => (output ? shapeText(output.shape) : '');

export const sizeOf = ({ parameters, scopes }: Block): string =>
  parameters && scopes.size ? texts.parameters(parameters) : '';

export const linesOf = (block: Block): number => (!block.scopes.size ? 1 : sizeOf(block) ? 3 : 2);

/** Minimum width at which no text of a closed box is cut off. */
export function minWidthOf(block: Block, line: number): number {
  const small = (text: string): number => textWidth(text, (line * SMALL) / 13);
  const first = wordWidth(titleOf(block), line) + small(noteOf(block)) + (noteOf(block) ? 6 : 0);
  const shape = small(shapeOf(block));
  if (!block.scopes.size) return first + shape + line * 2;
  const symbol = block.output ? textWidth(shortName(block.output.name), line) + 6 : 0;
  return Math.max(first, symbol + shape, small(sizeOf(block))) + line * 1.6;
}

/** "attention: output o, 1 × 4 × 8; 1,088 parameters; 12 operations, 4 of which have run". */
export function describeBlock(block: Block, reached: (block: Block) => number): string {
  const { output, operations, count, at, scopes, parameters, folded } = block;
  const [title, shape, run] = [titleOf(block), shapeOf(block), reached(block)];
  if (folded) return title;
  if (!scopes.size)
    return texts.operation({
      ...{ title, shape, isReached: run > 0 },
      op: noteOf(block) && count < 2 ? output?.op : undefined,
      place: count > 1 ? { at: at + 1, of: count } : undefined,
    });
  return texts.box({
    ...{ title, parameters, operations: operations.length, run },
    place: count > 1 ? { at, last: count - 1 } : undefined,
    output: output && { name: shortName(output.name), shape },
  });
}

interface Listed {
  block: Block;
  depth: number;
}

/** All blocks, depth first, each box before its contents. */
export function listed(blocks: Blocks, box?: Block, depth = 0): Listed[] {
  return blocks
    .inside(box)
    .blocks.flatMap((block) => [{ block, depth }, ...(block.scopes.size ? listed(blocks, block, depth + 1) : [])]);
}

export const blocksTable = (shown: readonly Listed[], caption: string): Table => ({
  ...{ caption, quiet: true, kind: 'listed' },
  head: texts.COLUMNS,
  rows: shown.map(({ block, depth }) => {
    const { output, count, parameters, operations, scopes, folded } = block;
    if (folded) return { heads: [titleOf(block)], depth, cells: ['', '', '', grouped(folded)] };
    return {
      tensor: output?.name ?? '',
      heads: [count > 1 ? `${titleOf(block)} × ${count}` : titleOf(block)],
      depth,
      cells: [
        output ? shortName(output.name) : '',
        shapeOf(block),
        scopes.size ? grouped(parameters) : '',
        {
          value: scopes.size ? operations.length : output?.op,
          text: `${scopes.size ? operations.length : (output?.op ?? '')}`,
        },
      ],
    };
  }),
});

/** Each block by its key, with the full name of its output; many in one row have none. */
export const blockKeys = (all: readonly Listed[], caption: string): Table => ({
  caption,
  head: texts.KEY_COLUMNS,
  rows: all.map(({ block: { key, count, output, parameters, operations, folded } }) => ({
    heads: [folded ? texts.foldedRow(key.replace(/\/…$/, ''), folded) : key],
    cells: folded
      ? ['', '', '', parameters, folded]
      : [count, output?.name, output?.shape.join('x'), parameters, operations.length],
  })),
});
