// The figures of a matrix: its singular values, and its rows on their principal axes, against NumPy.
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { Asked } from '../../web/src/figures/shared/asked';
import { isRecurrence, matricesOf, partsOf, rowsOf } from '../../web/src/figures/shared/matrices';
import { layOutMap, placeNames, rowAfterKey, rowAt } from '../../web/src/figures/map/map-drawing';
import { MapScene, axesLike, namesOfRows } from '../../web/src/figures/map/map-scene';
import { type Shown, SpectrumScene, barAt, layOutSpectrum } from '../../web/src/figures/spectrum/spectrum-scene';
import type { AxesInfo, EngineSession, Reply, Spectrum, Trace, TraceNode } from '../../web/src/engine/types';
import { cellOf } from '../../web/src/figures/host/table';
import type { Lab } from '../../web/src/lab/lab';
import { fromRoot } from '../bindings/modules';
import { areApart, sessionOf, traceIn } from './views-engine';

const header = readFileSync(fromRoot('tests/engine/linalg/numpy_values.h'), 'utf8');
/** Values that NumPy computed: see numpy_values.py. */
const numpy = (name: string): number[] =>
  new RegExp(`\\b${name} = \\{([^}]*)\\}`).exec(header)![1]!.split(',').map(Number);

const near = (actual: ArrayLike<number>, wanted: readonly number[]): void => {
  expect(actual).toHaveLength(wanted.length);
  for (const [i, value] of wanted.entries()) expect(Math.abs(actual[i]! - value)).toBeLessThan(1e-5);
};

/** A recurrent network in which X is NumPy's matrix. */
const READS_TALL = { kind: 'recurrent', size: 3, positions: 5, X: numpy('tall') };

let session: EngineSession;
let trace: Trace;
const open = async (config: object): Promise<void> => {
  session = await sessionOf(config);
  session.run([]);
  trace = traceIn(session);
};
const node = (name: string): TraceNode => trace.nodes.find((each) => each.name === name)!;

const shown = (of: TraceNode, rows: number): Shown => ({
  ...{ tensor: of.name, name: of.name, role: of.role },
  ...{ rows, columns: of.shape.at(-1)!, isRecurrence: isRecurrence(of) },
});

/** The spectrum of a part of a tensor, as the figure asks for it. */
function spectrumOf(name: string, part = 0): SpectrumScene {
  const { rows } = partsOf(trace, node(name));
  return new SpectrumScene(
    shown(node(name), rows),
    session.spectrum(node(name).id, part * rows, rows) as Reply<Spectrum>,
  );
}

const mapOf = (name: string, names?: readonly string[], before?: Float32Array): MapScene => {
  const told = session.principalAxes(node(name).id) as Reply<AxesInfo>;
  const values = session.values(node(name).id) as Reply<Float32Array>;
  const rows = Array.from({ length: rowsOf(node(name)) }, (_, row) => `row ${row}`);
  const of = { tensor: name, role: node(name).role, columns: node(name).shape.at(-1)!, names: names ?? rows };
  return new MapScene({ ...of, values: values.ok ? values.value : undefined }, told, before);
};

const ROOM = { width: 600, maxHeight: 300, line: 13 };

describe('the matrices of a trace', () => {
  it('are its parameters, then inputs and named results with two rows and columns at least', async () => {
    await open({ kind: 'attention_layer', seed: 3, words: 4, size: 6, heads: 2 });
    const names = matricesOf(trace).map(({ name }) => name);
    expect(names.slice(0, 3).every((name) => node(name).role === 'parameter')).toBe(true);
    expect(names).toContain('X');
    expect(names).toContain('attention/α');
    expect(names.filter((name) => /^∂|^update/.test(name))).toEqual([]);
    expect(matricesOf(trace).every(({ shape }) => shape.length > 1 && shape.at(-1)! > 1)).toBe(true);
  });

  it('consist of heads, or of gates by their letters', async () => {
    expect(partsOf(trace, node('attention/α'))).toEqual({ names: [0, 1], areGates: false, rows: 4 });
    await open({ kind: 'recurrent', cell: 'lstm', hidden: 5, size: 2 });
    for (const name of ['cell.0.U', 'cell.0.W'])
      expect(partsOf(trace, node(name))).toEqual({ names: ['i', 'f', 'g', 'o'], areGates: true, rows: 5 });
    expect(isRecurrence(node('cell.0.U'))).toBe(false);
    await open({ kind: 'recurrent', cell: 'gru' });
    expect(partsOf(trace, node('cell.0.U')).names).toEqual(['r', 'z', 'n']);
    await open({ kind: 'recurrent' });
    expect(partsOf(trace, node('cell.0.U'))).toEqual({ names: [0], areGates: false, rows: 4 });
    expect(isRecurrence(node('cell.0.U'))).toBe(true);
  });
});

describe('the spectrum', () => {
  it('has NumPy’s singular values, as bars, in the table and in words', async () => {
    await open(READS_TALL);
    const scene = spectrumOf('X');
    near(scene.singularValues, numpy('tall_singular_values'));
    near(
      scene.table().rows.map(({ cells }) => Number(cellOf(cells[0]!).value)),
      numpy('tall_singular_values'),
    );
    expect(scene.tell()).toBe(
      'X, 5 × 3: the largest singular value is 8.88, the smallest 4.39. Their ratio, the condition number, is 2.02. Multiplying by X makes a vector at most 8.88 times as long.',
    );
    const layout = layOutSpectrum(scene, ROOM);
    const heights = layout.bars.map(({ height }) => height);
    near(
      heights.map((height) => height / heights[0]!),
      numpy('tall_singular_values').map((value) => value / numpy('tall_singular_values')[0]!),
    );
    for (const [i, { x, width }] of layout.bars.entries()) expect(barAt(layout, x + width / 2)).toBe(i);
    expect(barAt(layout, 0)).toBeNull();
  });

  it.each([
    [0.5, 'shrinks', 'All are below 1, so it becomes shorter'],
    [1, 'keeps', 'the matrix keeps its length'],
    [2, 'grows', 'All are above 1'],
  ] as const)('of an orthogonal U, times %d, says that the gradient %s', async (scale, goes, words) => {
    await open({ kind: 'recurrent', orthogonal: true, scale });
    const scene = spectrumOf('cell.0.U');
    near(scene.singularValues, [scale, scale, scale, scale]);
    near(scene.eigenvalues, [scale, scale, scale, scale]);
    expect(scene.recurrence).toBe(goes);
    expect(scene.tell()).toContain(words);
    expect(scene.tell()).toContain(`makes every vector ${scale} times as long`);
  });

  it('of a U that stretches some directions says that it depends, and of a gate nothing of the kind', async () => {
    await open({ kind: 'recurrent', hidden: 8, scale: 3 });
    const scene = spectrumOf('cell.0.U');
    expect(scene.recurrence).toBe('depends');
    expect(scene.tell()).toContain('its direction decides');
    expect(scene.tell()).toContain('in the end by a factor of');
    expect(scene.tellBriefly()).toMatch(/condition number, is [\d.]+\. Going back one position/);
    await open({ kind: 'recurrent', cell: 'gru', orthogonal: true });
    for (const gate of [0, 1, 2]) near(spectrumOf('cell.0.U', gate).singularValues, [1, 1, 1, 1]);
    expect(spectrumOf('cell.0.U', 1).tell()).not.toContain('Going back');
  });

  it('of a matrix of less than full rank, of zeros, and of one that is refused', async () => {
    await open({ kind: 'recurrent', size: 4, positions: 4, X: numpy('square') });
    const scene = spectrumOf('X');
    expect(scene.rank).toBe(3);
    expect(scene.tell()).toContain('Its rank is 3 of 4: some directions it takes to 0.');
    near(scene.eigenvalues, numpy('square_eigenvalues_absolute'));
    await open({ kind: 'recurrent', input_scale: 0 });
    expect(spectrumOf('X').rank).toBe(0);
    expect(layOutSpectrum(spectrumOf('X'), ROOM).bars.every(({ height }) => height === 0)).toBe(true);
    const refused = { ok: false, code: 'E_INPUT', message: 'No.', detail: '' } as const;
    expect(new SpectrumScene(shown(node('X'), 5), refused).tell()).toBe('No.');
    expect(new SpectrumScene(shown(node('X'), 5), undefined).tell()).toBe('X: not reached yet');
  });
});

describe('the map', () => {
  beforeAll(() => open(READS_TALL));

  it('has NumPy’s points and shares of the variance', () => {
    const scene = mapOf('X');
    near(scene.points, numpy('tall_points'));
    near(scene.shares, numpy('tall_shares'));
    near(
      scene.table().rows.flatMap(({ cells }) => cells.map((cell) => Number(cellOf(cell).value))),
      numpy('tall_points'),
    );
    expect(scene.tell()).toBe(
      'X: 5 rows of 3 numbers, on the two axes along which they vary most. Axis 1 has 54 % of the variance, axis 2 39 %. Farthest right row 0, left row 3, up row 2, down row 1.',
    );
  });

  it('tells of a row where it is, and the nearest rows by all their numbers', () => {
    const scene = mapOf('X');
    const X = numpy('tall');
    const apart = (a: number, b: number): number => Math.hypot(...[0, 1, 2].map((c) => X[3 * a + c]! - X[3 * b + c]!));
    for (let row = 0; row < 5; row++) {
      const sorted = [0, 1, 2, 3, 4].filter((other) => other !== row).sort((a, b) => apart(row, a) - apart(row, b));
      expect(scene.nearest(row)).toEqual(sorted.slice(0, 3));
    }
    expect(scene.tellRow(0)).toMatch(/^row 0: 4\.84 on axis 1, 2\.37 on axis 2\. Nearest by all 3 numbers: row/);
  });

  it('turns no axis round from one drawing to the next', () => {
    const { points } = mapOf('X');
    const turned = points.map((value, i) => (i % 2 ? value : -value) + 0.01);
    expect([...mapOf('X', undefined, turned).points]).toEqual([...points].map((value, i) => (i % 2 ? value : -value)));
    const asTold = [0, 1].map((from) => ({ from, sign: 1 }));
    expect(axesLike(points, points)).toEqual(asTold);
    expect(axesLike(points, points.slice(2))).toEqual(asTold); // of another matrix
  });

  it('keeps an axis across, with its share, when the other comes to have more of the variance', async () => {
    const rows = (across: number): number[] =>
      [-2, -1, 0, 1, 2].flatMap((x, row) => [across * x, [2, -1, -2, -1, 2][row]!, 0]);
    const scales = [2, 1.8, 1.6, 1.4, 1.2, 1.1, 1, 0.8];
    let before: MapScene | undefined;
    const orders = new Set<boolean>();
    for (const across of scales) {
      await open({ ...READS_TALL, X: rows(across) });
      const scene: MapScene = mapOf('X', undefined, before?.points);
      for (const [i, value] of before?.points.entries() ?? [])
        expect(Math.abs(scene.points[i]! - value)).toBeLessThan(0.41);
      const shares = [10 * across ** 2, 14].map((variance) => variance / (10 * across ** 2 + 14));
      near(scene.shares, shares);
      orders.add(shares[0]! > shares[1]!);
      before = scene;
    }
    expect(orders.size).toBe(2); // they have changed places on the way
    await open(READS_TALL);
  });

  it('has one scale for both axes, and names that cover neither each other nor a point', async () => {
    await open({ kind: 'seq2seq', source_vocabulary: 60, target_vocabulary: 40, embedding: 8, hidden: 6, seed: 2 });
    const name = 'source_embedding.weight';
    const scene = mapOf(
      name,
      Array.from({ length: 60 }, (_, i) => `word${i}`),
    );
    const layout = layOutMap(scene, { ...ROOM, widths: scene.shown.names.map((name) => 7 * name.length) });
    const [[ax, ay], [bx, by]] = [scene.at(0), scene.at(1)];
    const [a, b] = layout.points as [{ x: number; y: number }, { x: number; y: number }];
    expect((b.x - a.x) / (bx - ax)).toBeCloseTo(-(b.y - a.y) / (by - ay), 3);
    const boxes = layout.names.filter((box) => box !== null);
    expect(boxes.length).toBeGreaterThan(20);
    boxes.forEach((box, i) => boxes.slice(i + 1).forEach((other) => expect(areApart(box, other, 0.001)).toBe(true)));
    for (const { x, y } of layout.points) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x).toBeLessThanOrEqual(layout.width);
      expect(y).toBeLessThanOrEqual(layout.bottom);
    }
    for (const [row, { x, y }] of layout.points.entries())
      expect(layout.points[rowAt(layout, x, y)!]).toEqual(layout.points[row]);
    expect(rowAt(layout, -100, -100)).toBeNull();
  });

  it('goes with each arrow to the nearest point that way', () => {
    const cross = [
      { x: 0, y: 0 },
      { x: 10, y: 1 },
      { x: 4, y: 9 },
      { x: -5, y: 0 },
      { x: 0, y: -7 },
    ];
    expect(rowAfterKey(cross, 0, 'ArrowRight')).toBe(1);
    expect(rowAfterKey(cross, 0, 'ArrowDown')).toBe(2);
    expect(rowAfterKey(cross, 0, 'ArrowLeft')).toBe(3);
    expect(rowAfterKey(cross, 0, 'ArrowUp')).toBe(4);
    expect(rowAfterKey(cross, 1, 'ArrowRight')).toBe(1);
    expect(rowAfterKey(cross, 3, 'End')).toBe(4);
    expect(rowAfterKey(cross, 3, 'Enter')).toBeNull();
  });

  it('leaves out a name that finds no room', () => {
    const same = Array.from({ length: 9 }, () => ({ x: 50, y: 50 }));
    const placed = (width: number): number => {
      const boxes = placeNames(same, Array<number>(9).fill(width), { width: 100, height: 100, line: 13 });
      return boxes.filter((box) => box !== null).length;
    };
    expect(placed(60)).toBe(2); // above and below
    expect(placed(120)).toBe(0);
  });

  it('calls the rows of an embedding by the words of its side, and others by the words of the pair', () => {
    const words = (side: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${side}${i}`);
    const task = { form: 'pairs', sourceWords: words('s', 60), targetWords: words('t', 40) };
    const pair = { source: ['a', 'b'], target: ['c'], alignment: [] };
    const lab = { task, pair, trace, page: { labels: {} }, config: () => ({}) } as unknown as Lab;
    expect(namesOfRows(lab, node('source_embedding.weight'))[7]).toBe('s7');
    expect(namesOfRows(lab, node('target_embedding.weight'))[7]).toBe('t7');
    const states = {
      ...node('source_embedding.weight'),
      name: 'encoder/h',
      role: 'state',
      shape: [1, 3, 6],
    } as TraceNode;
    expect(namesOfRows(lab, states)).toEqual(['a', 'b', '<eos>']);
    expect(namesOfRows(lab, { ...states, shape: [1, 9, 6] })).toEqual([...'012345678']);
  });

  it('is one point where all rows are the same', async () => {
    await open({ kind: 'recurrent', input_scale: 0 });
    expect(mapOf('X').tell()).toBe('X: all rows are the same, so they are one point.');
    expect(
      layOutMap(mapOf('X'), { ...ROOM, widths: Array<number>(5).fill(20) }).points.every(
        ({ x }) => x === ROOM.width / 2,
      ),
    ).toBe(true);
  });
});

it('what a figure asks is asked once for each change, and an answer that is overtaken is dropped', async () => {
  const answered = vi.fn();
  const asked = new Asked<number>(answered);
  const replies: ((value: number) => void)[] = [];
  const ask = vi.fn(
    () => new Promise<Reply<number>>((resolve) => replies.push((value) => resolve({ ok: true, value }))),
  );
  const settle = (): Promise<void> => new Promise((done) => setTimeout(done));
  expect(asked.of('U', [1], ask)).toBeUndefined();
  expect(asked.of('U', [1], ask)).toBeUndefined();
  expect(ask).toHaveBeenCalledTimes(1);
  replies[0]!(10);
  await settle();
  expect(asked.of('U', [1], ask)).toEqual({ ok: true, value: 10 });
  expect(asked.of('U', [2], ask)).toEqual({ ok: true, value: 10 }); // until the next has come
  asked.of('U', [3], ask);
  replies[1]!(20);
  await settle();
  expect(asked.of('U', [3], ask)).toEqual({ ok: true, value: 10 });
  replies[2]!(30);
  await settle();
  expect(asked.of('U', [3], ask)).toEqual({ ok: true, value: 30 });
  expect(answered).toHaveBeenCalledTimes(2);
  expect(asked.of('W', [3], ask)).toBeUndefined();
});
