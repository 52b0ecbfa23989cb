// Figures and tables of traces as long as a learner's program can make them.
import { expect, it } from 'vitest';
import type { Trace, TraceNode } from '../../web/src/engine/types';
import { Blocks } from '../../web/src/figures/blocks/blocks-trace';
import { blockKeys, blocksTable, listed, titleOf } from '../../web/src/figures/blocks/blocks-drawing';
import { nodeOf, scopeOf } from './lab-parts';
import type { Table } from '../../web/src/figures/host/table';
import { pagesOf } from '../../web/src/figures/host/tables';

/** x = x + 1, so many times. */
function chain(operations: number): Trace {
  const node = (id: number): TraceNode =>
    id ? nodeOf(id, `x#${id}`, { op: 'add', inputs: [id - 1] }) : nodeOf(id, 'x', { op: 'input', phase: 'leaf' });
  return {
    nodes: Array.from({ length: operations + 1 }, (_, id) => node(id)),
    scopes: [scopeOf(0, '', -1, 1, operations)],
  };
}

it('folds the middle of a long box into one block that counts its operations', () => {
  const { blocks, flows } = new Blocks(chain(5000), 0).inside();
  expect(blocks).toHaveLength(80);
  const [middle] = blocks.filter(({ folded }) => folded);
  expect(titleOf(middle!)).toBe('… and 4,922 more operations');
  expect(blocks.reduce((sum, { operations }) => sum + operations.length, 0)).toBe(5001);
  const row = (table: Table) => table.rows.find(({ heads }) => String(heads[0]).includes('4,922'));
  const all = listed(new Blocks(chain(5000), 0));
  expect(row(blocksTable(all, ''))).toMatchObject({
    heads: ['… and 4,922 more operations'],
    cells: ['', '', '', '4,922'],
  });
  const said = '4,922 more operations, which the drawing does not show one by one';
  expect(row(blockKeys(all, ''))).toMatchObject({ heads: [said], cells: ['', '', '', 0, 4922] });
  expect(flows.map(({ from, to }) => to - from)).toEqual(Array.from({ length: 79 }, () => 1));
});

it('does not fold a box whose blocks can all be drawn', () => {
  const { blocks } = new Blocks(chain(79), 0).inside();
  expect(blocks).toHaveLength(80);
  expect(blocks.every(({ folded }) => folded === 0)).toBe(true);
});

it('reads 20,000 operations in far less than the seconds that a quadratic search takes', () => {
  const trace = chain(20_000);
  const began = performance.now();
  blocksTable(listed(new Blocks(trace, 0)), 'blocks');
  expect(performance.now() - began).toBeLessThan(5000);
});

const table = (rows: number, columns: number): Table => ({
  caption: `${rows} rows`,
  rows: Array.from({ length: rows }, (_, r) => ({
    heads: [r],
    cells: Array.from({ length: columns }, (_, c) => r + c),
  })),
});

const rowsOf = (tables: Table[]): number[][] => pagesOf(tables).map((page) => page.map(({ rows }) => rows.length));

it('splits long tables into pages of about 2,000 cells, without losing a row', () => {
  expect(rowsOf([table(3, 9), table(5, 9)])).toEqual([[3, 5]]);
  expect(rowsOf([table(100, 9), table(300, 9)])).toEqual([[100, 100], [200]]);
  expect(rowsOf([table(2, 5000), table(0, 0)])).toEqual([[1], [1], [0]]);
  expect(pagesOf([table(300, 9)])[1]![0]!.rows[0]!.heads).toEqual([200]);
});
