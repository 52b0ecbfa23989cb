// The figure of a recurrent cell, read from real traces: what it finds, what its formula says, and where its parts stand.
import { describe, expect, it } from 'vitest';
import { layOutCell, nearest, partUp, roundest, spotAfter, spotAt } from '../../web/src/figures/cell/cell-layout';
import { CellScene, short } from '../../web/src/figures/cell/cell-scene';
import { readCells, rowOf } from '../../web/src/figures/cell/cell-trace';
import { areApart, runOf, type Run } from './views-engine';

const RECURRENT = { kind: 'recurrent', size: 1, hidden: 2, positions: 5, seed: 3 };
const CELLS = ['rnn', 'rnn_relu', 'gru', 'gru_reset_before', 'lstm'] as const;
const KINDS = { rnn: 'rnn', rnn_relu: 'rnn', gru: 'gru', gru_reset_before: 'gru', lstm: 'lstm' };

const tensor = ({ trace, values }: Run, name: string): Float32Array =>
  values.get(trace.nodes.find((node) => node.name === name)!.id)!;

const sceneOf = (run: Run, unit: number, position: number, gradients = false): CellScene => {
  const gradientOf = gradients ? ({ gradient }: { gradient: number }) => run.trace.nodes[gradient] : null;
  return new CellScene(readCells(run.trace)[0]!, unit, position, ({ id }) => run.values.get(id), [], gradientOf);
};

for (const cell of CELLS)
  describe(cell, () => {
    const run = runOf({ ...RECURRENT, cell });

    it('is read with its kind, its sizes and a cell at each position', async () => {
      const [network, ...rest] = readCells((await run).trace);
      expect(rest).toEqual([]);
      expect(network).toMatchObject({ name: 'cell.0', kind: KINDS[cell], hidden: 2, size: 1 });
      expect(network!.cells.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4]);
    });

    it('adds what it keeps and what is new up to what it carries on, for each unit and position', async () => {
      for (const position of [0, 2, 4])
        for (const unit of [0, 1]) {
          const scene = sceneOf(await run, unit, position);
          const carried = scene.of(KINDS[cell] === 'lstm' ? 'c' : 'h')!;
          const state = tensor(await run, `cell.0.t${position}/h`)[unit]!;
          expect(scene.of('h')).toBe(state);
          if (cell === 'rnn') expect(Math.tanh(scene.of('sum')!)).toBeCloseTo(state, 6);
          else if (cell === 'rnn_relu') expect(Math.max(0, scene.of('sum')!)).toBe(state);
          else expect(Math.fround(scene.of('kept')! + scene.of('added')!)).toBe(carried);
        }
    });

    it('carries over what the position before carried on, and 0 at the first', async () => {
      expect(sceneOf(await run, 1, 0).of('before')).toBe(0);
      const before = sceneOf(await run, 1, 2);
      expect(sceneOf(await run, 1, 3).of('before')).toBe(before.of(KINDS[cell] === 'lstm' ? 'c' : 'h'));
      expect(sceneOf(await run, 1, 3).stateBefore).toBe(before.of('h'));
    });

    it('offers its gates or its weights, and the input, with the engine’s values', async () => {
      const scene = sceneOf(await run, 1, 2);
      const letters = { rnn: 'uwbx', gru: 'rzx', lstm: 'ifox' }[KINDS[cell] as 'rnn'];
      expect(scene.valves.map(({ letter }) => letter).join('')).toBe(letters);
      for (const { node, index, value, least, most } of scene.valves) {
        expect(value).toBe(tensor(await run, node.name)[index]);
        expect(least <= value! && value! <= most).toBe(true);
      }
    });

    it('finds the bias that gives a gate the wanted value', async () => {
      const [{ trace }, scene] = [await run, sceneOf(await run, 1, 2)];
      const sumOf = ({ inputs }: { inputs: number[] }) => trace.nodes[inputs[0]!];
      for (const valve of scene.valves.filter(({ kind }) => kind === 'gate')) {
        const bias = scene.biasFor(valve, 0.9, sumOf)!;
        const row = rowOf(scene.network, valve.letter, 1);
        expect(bias).toMatchObject({ name: 'cell.0.b', index: row });
        const sum = scene.value(sumOf(valve.node))! - tensor(await run, 'cell.0.b')[row]! + bias.value;
        expect(1 / (1 + Math.exp(-sum))).toBeCloseTo(0.9, 5);
      }
    });

    it('has a track for each letter, with the gradient of the state if asked for', async () => {
      const { tracks } = sceneOf(await run, 0, 0, true);
      expect(tracks.map(({ letter }) => letter).join(' ')).toBe(
        { rnn: 'x h ∂h', gru: 'x r z h ∂h', lstm: 'x i f o c h ∂h' }[KINDS[cell] as 'rnn'],
      );
      const gradient = tensor(await run, 'L') && tracks.at(-1)!.values;
      expect(gradient.every((value) => Number.isFinite(value) && value !== 0)).toBe(cell !== 'rnn_relu');
    });

    it('is laid out without overlaps, wide and narrow, below and beside', async () => {
      const scene = sceneOf(await run, 0, 1);
      const letters = scene.valves.map(({ letter }) => letter);
      const counts = { valves: letters.length, tracks: scene.tracks.length, positions: 5 };
      for (const [width, maxHeight] of [
        [326, 600],
        [700, 600],
        [700, 240],
        [326, 200],
      ] as const) {
        const layout = layOutCell(scene.network.kind, letters, counts, { width, maxHeight });
        expect(layout.width).toBeLessThanOrEqual(width);
        const parts = [...layout.boxes, ...layout.tracks];
        parts.forEach((a, i) => parts.slice(i + 1).forEach((b) => expect(areApart(a, b)).toBe(true)));
        for (const box of layout.valves) {
          const [x, y] = [box.x + box.width / 2, box.y + box.height / 4];
          expect(spotAt(layout, letters, x, y)).toEqual({ row: 0, column: letters.indexOf(box.letter) });
          expect(partUp(box, y)).toBe(0.75);
        }
        const track = layout.tracks[1]!;
        expect(spotAt(layout, letters, track.x + 2.5 * layout.column, track.y + 1)).toEqual({ row: 2, column: 2 });
      }
    });
  });

it('writes a large number as a power of ten', () => {
  expect([0, 0.66, -0.005, 9999].map(short)).toEqual(['0.00', '0.66', '−0.01', '9999.00']);
  expect([4.28e13, 10_000, 5.4957e-10].map(short)).toEqual(['4.3 × 10¹³', '1.0 × 10⁴', '0.00']);
  expect([Infinity, NaN].map(short)).toEqual(['∞', 'NaN']);
});

it('draws states that grow without limit by their logarithm, and others as they are', async () => {
  const LESSON = { ...RECURRENT, hidden: 1, positions: 50, cell: 'rnn_relu', seed: 9 };
  const logOf = async (scale: number): Promise<(string | false)[]> => {
    const { tracks } = sceneOf(await runOf({ ...LESSON, scale }), 0, 0, true);
    return tracks.map(({ letter, log }) => log && letter);
  };
  expect(await logOf(3)).toEqual([false, 'h', false]);
  expect(await logOf(1)).toEqual([false, false, false]);
});

it('a drag and a key come to round values', () => {
  expect([1.94, 2.07, -0.03, 1.23].map((value) => roundest(value, 0.14))).toEqual([2, 2, 0, 1.2]);
  expect([0.994, 0.51, 0.337].map((value) => roundest(value, 0.025))).toEqual([1, 0.5, 0.34]);
  expect(roundest(0.3333, 0.001)).toBe(0.3333);
  expect([nearest(0.6483 + 0.1, 0.1), nearest(0.3, 0.1), nearest(1.15, 0.5)]).toEqual([0.7, 0.3, 1]);
});

it('is not read from a model without cells', async () => {
  expect(readCells((await runOf({ kind: 'softmax' })).trace)).toEqual([]);
});

it('is read in both directions and in each layer', async () => {
  const run = await runOf({ ...RECURRENT, cell: 'gru', layers: 2, bidirectional: true });
  const networks = readCells(run.trace);
  expect(networks.map(({ name }) => name).sort()).toEqual(['cell.0', 'cell.0_reverse', 'cell.1', 'cell.1_reverse']);
  const back = networks.find(({ name }) => name === 'cell.0_reverse')!;
  const scene = new CellScene(back, 0, 2, ({ id }) => run.values.get(id), [], null);
  expect(scene.of('before')).toBe(tensor(run, 'cell.0_reverse.t3/h')[0]);
  expect(networks.find(({ name }) => name === 'cell.1')!.size).toBe(4);
});

it('moves its cursor from the valves to the position on show, and back', () => {
  const counts = { valves: 3, tracks: 4, positions: 5 };
  expect(spotAfter({ row: 0, column: 1 }, 'ArrowRight', counts, 3)).toEqual({ row: 0, column: 2 });
  expect(spotAfter({ row: 0, column: 2 }, 'ArrowRight', counts, 3)).toEqual({ row: 0, column: 2 });
  expect(spotAfter({ row: 0, column: 2 }, 'ArrowDown', counts, 3)).toEqual({ row: 1, column: 3 });
  expect(spotAfter({ row: 1, column: 3 }, 'End', counts, 3)).toEqual({ row: 1, column: 4 });
  expect(spotAfter({ row: 1, column: 4 }, 'ArrowUp', counts, 3)).toEqual({ row: 0, column: 0 });
  expect(spotAfter({ row: 4, column: 4 }, 'ArrowDown', counts, 3)).toEqual({ row: 4, column: 4 });
  expect(spotAfter({ row: 0, column: 0 }, 'x', counts, 3)).toBe(null);
});
