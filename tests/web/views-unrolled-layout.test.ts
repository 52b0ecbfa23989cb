// The layout of the unrolled network: its strips, links and words.
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type UnrolledLayout,
  footOf,
  layOutUnrolled,
  spotAfterKey,
  topOf,
  cellBox,
  cellIn,
  inkStrips,
  norm,
} from '../../web/src/figures/unrolled/unrolled-layout';
import { arcPath, feedbackPath, linkPath } from '../../web/src/figures/unrolled/unrolled-links';
import { type Unrolled, readUnrolled } from '../../web/src/figures/unrolled/unrolled-trace';
import { SEQ2SEQ, runOf, sentences } from './views-engine';

describe('layout', () => {
  let network: Unrolled;
  const lay = (width: number, bars = false): UnrolledLayout =>
    layOutUnrolled(network, {
      width,
      line: 13,
      gutter: 90,
      sizes: network.cells.map(() => 6),
      words: { encoder: ['the', 'red', 'zone', '<eos>'], decoder: ['la', 'zone', '<eos>'] },
      reads: { decoder: ['<bos>', 'la', 'zone'] },
      widest: 40,
      bars,
    });
  beforeAll(async () => {
    const config = { ...SEQ2SEQ, cell: 'gru', bidirectional: true, attention: 'bahdanau', attention_size: 4 };
    network = readUnrolled((await runOf(config, sentences(4, 3))).trace);
  });

  it('has the decoder above the encoder, backward above forward, and a column per position', () => {
    const { rows, strips } = lay(700);
    expect(rows.map(({ network: name, reverse }) => `${name}${reverse ? ' ←' : ''}`)).toEqual([
      'decoder',
      'encoder ←',
      'encoder',
    ]);
    expect(rows.map(({ cells }) => cells.length)).toEqual([3, 4, 4]);
    for (let t = 0; t < 3; t++) {
      const middles = rows.map(({ cells }) => strips[cells[t]!]!).map(({ x, width }) => x + width / 2);
      expect(Math.max(...middles) - Math.min(...middles)).toBeLessThanOrEqual(1);
    }
  });
  it.each([700, 328, 150])('has no overlaps and stays within the drawing, at %i px', (width) => {
    for (const bars of [false, true]) {
      const { strips, height, width: wide } = lay(width, bars);
      for (const a of strips) {
        expect(a.x).toBeGreaterThanOrEqual(0);
        expect(a.x + a.width).toBeLessThanOrEqual(wide);
        expect(a.y + a.height).toBeLessThanOrEqual(height);
        for (const b of strips)
          if (a !== b)
            expect(a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(
              true,
            );
      }
    }
  });
  it('fits a phone', () => {
    expect(lay(328).width).toBe(328);
    expect(lay(328).narrow).toBe(true);
  });
  it('draws a path for every link, and arcs from a word to what it attends to', () => {
    const layout = lay(700);
    for (const link of network.links) expect(linkPath(layout, network.cells, link)?.line).toMatch(/^M[-\d.]+ [-\d.]+/);
    const row = network.attention[1]!;
    const memory = topOf(layout, row.memory[2]!)!;
    expect(network.cells[memory.cell]!.reverse).toBe(true);
    const foot = footOf(layout, 'decoder', 1)!;
    const arc = arcPath(layout, 'decoder', 1, memory);
    expect(arc.startsWith(`M${foot.x} ${foot.y + 3}`)).toBe(true);
    expect(arc.endsWith(`${memory.x + memory.width / 2} ${memory.y - 3}`)).toBe(true);
  });
  it('puts the decoder’s outputs above it and its inputs below, linked by feedback', () => {
    const layout = lay(700);
    const { words, strips, rows } = layout;
    const of = (position: number, read: boolean): (typeof words)[number] =>
      words.find((word) => word.network === 'decoder' && word.position === position && word.read === read)!;
    const strip = strips[rows[0]!.cells[1]!]!;
    expect(of(1, false).y).toBeLessThan(strip.y);
    expect(of(1, true).y).toBeGreaterThan(strip.y + strip.height);
    expect(footOf(layout, 'decoder', 1)!.y).toBe(of(1, true).y + 7);
    const path = feedbackPath(layout, 'decoder', 1, () => 20)!;
    expect(path.line.startsWith(`M${of(0, false).x + 14} ${of(0, false).y - 4}`)).toBe(true);
    expect(path.line.endsWith(` ${of(1, true).x - 14} ${of(1, true).y - 4}`)).toBe(true);
    expect(
      feedbackPath(layout, 'decoder', 0, () => 20),
      '<bos> is not generated',
    ).toBeNull();
  });
  it('has a cursor that moves by rows and positions and stays inside', () => {
    const { rows } = lay(700);
    expect(spotAfterKey(rows, { row: 1, column: 3 }, 'ArrowUp')).toEqual({ row: 0, column: 2 });
    expect(spotAfterKey(rows, { row: 2, column: 0 }, 'ArrowDown')).toEqual({ row: 2, column: 0 });
    expect(spotAfterKey(rows, { row: 2, column: 0 }, 'End')).toEqual({ row: 2, column: 3 });
    expect(spotAfterKey(rows, { row: 0, column: 0 }, 'x')).toBeNull();
  });
});

describe('strips', () => {
  const strip = { cell: 0, x: 10, y: 20, width: 12, height: 16, fold: { rows: 2, columns: 3, cell: 4 } };
  it('find the cell under a point', () => {
    for (let i = 0; i < 5; i++) {
      const { x, y, width, height } = cellBox(strip, i);
      expect(cellIn(strip, x + width / 2, y + height / 2, 5)).toBe(i);
    }
    expect(cellIn(strip, 21, 35, 5)).toBe(-1);
    expect(cellIn(strip, 9, 21, 5)).toBe(-1);
  });
  it('shade every value, mark negative ones with a slit, and leave unreached ones blank', () => {
    const map = Array.from({ length: 11 }, (_, i) => [i, i, i] as const);
    const colors = { diverging: map, sequential: map, paper: 'paper' } as never;
    const inked = inkStrips([{ strip, values: [1, -1, 1, 0, 0] }], { map: 'diverging', limit: 1 }, colors);
    const cells = (fill: string): number => inked.find((path) => path.fill === fill)?.d.match(/M/g)?.length ?? 0;
    expect([cells('rgb(10 10 10)'), cells('rgb(0 0 0)'), cells('rgb(5 5 5)'), cells('paper')]).toEqual([2, 1, 2, 1]);
    expect(inkStrips([{ strip, values: undefined }], { map: 'diverging', limit: 1 }, colors)).toEqual([]);
    expect(norm([3, -4])).toBe(5);
  });
});
