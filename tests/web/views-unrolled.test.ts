// The unrolled network, read from real traces: its strips, links and words.
import { beforeAll, describe, expect, it } from 'vitest';
import { cellTrace, shownOf } from '../../web/src/figures/unrolled/unrolled-cell';
import { normOf, readReturned } from '../../web/src/figures/unrolled/unrolled-flow';
import { type Needs, needsOf, outputAt } from '../../web/src/figures/unrolled/unrolled-needs';
import { Scene, stateTable } from '../../web/src/figures/unrolled/unrolled-scene';
import { type Unrolled, type UnrolledCell, readUnrolled } from '../../web/src/figures/unrolled/unrolled-trace';
import { areApart, BAHDANAU, runOf, SEQ2SEQ, sentences, type Run } from './views-engine';
import {
  type UnrolledLayout,
  footOf,
  layOutUnrolled,
  outputSpotAt,
  spotAfterKey,
  topOf,
  cellBox,
  cellIn,
  inkStrips,
  norm,
} from '../../web/src/figures/unrolled/unrolled-layout';
import { arcPath, feedbackPath, linkPath } from '../../web/src/figures/unrolled/unrolled-drawing';

const called = ({ network, layer, reverse, position }: UnrolledCell): string =>
  `${network}.${layer}${reverse ? '_reverse' : ''}.t${position}`;
const links = ({ cells, links: list }: Unrolled): string[] =>
  list.map(({ from, to }) => `${called(cells[from]!)} → ${called(cells[to]!)}`).sort();

describe('a bidirectional encoder with Bahdanau attention', () => {
  let run: Run;
  let network: Unrolled;
  beforeAll(async () => {
    run = await runOf(BAHDANAU, sentences(3, 2));
    network = readUnrolled(run.trace);
  });

  it('has a cell for each position of both directions and of the decoder', () => {
    expect(network.cells.map(called)).toEqual([
      ...[0, 1, 2].map((t) => `encoder.0.t${t}`),
      ...[2, 1, 0].map((t) => `encoder.0_reverse.t${t}`),
      ...[0, 1].map((t) => `decoder.0.t${t}`),
    ]);
    const names = network.cells.map(({ state }) => run.trace.nodes[state]!.name);
    expect(names.slice(0, 1)).toEqual(['encoder.0.t0/h']);
    expect(names.slice(-2)).toEqual(['decoder.t0/s', 'decoder.t1/s']);
  });
  it('is linked by its inputs: each direction its own way, and the decoder’s start from one end', () => {
    expect(links(network)).toEqual([
      'decoder.0.t0 → decoder.0.t1',
      'encoder.0.t0 → encoder.0.t1',
      'encoder.0.t1 → encoder.0.t2',
      'encoder.0_reverse.t0 → decoder.0.t0',
      'encoder.0_reverse.t1 → encoder.0_reverse.t0',
      'encoder.0_reverse.t2 → encoder.0_reverse.t1',
    ]);
  });
  it('attends to both directions of every source position', () => {
    const rows = network.attention.map(({ network: name, position }) => `${name}.t${position}`);
    expect(rows).toEqual(['decoder.t0', 'decoder.t1']);
    for (const row of network.attention) {
      expect(run.trace.nodes[row.weights]!.name).toBe(`decoder.t${row.position}.attention/α`);
      expect(row.memory.map((cells) => cells.map((i) => called(network.cells[i]!)))).toEqual(
        [0, 1, 2].map((t) => [`encoder.0.t${t}`, `encoder.0_reverse.t${t}`]),
      );
    }
  });
  it('has the gates of a GRU in order, with formulas of named tensors only', () => {
    const names = (ids: number[]): string[] => ids.map((id) => run.trace.nodes[id]!.name.split('/')[1]!);
    for (const cell of network.cells) expect(names(shownOf(cell)).slice(0, 3)).toEqual(['r', 'z', 'n']);
    const cell = network.cells[1]!;
    const { nodes } = cellTrace(run.trace, network, cell, run.trace.nodes[cell.gates[0]!]!);
    const reached = new Set<string>();
    const follow = (id: number): void => {
      for (const input of nodes[id]!.inputs)
        if (['add', 'matmul', 'multiply'].some((op) => nodes[input]!.name.includes(op))) follow(input);
        else reached.add(nodes[input]!.name);
    };
    follow(cell.gates[0]!);
    expect([...reached].sort()).toEqual(['U_r', 'W_r', 'b_r', 'c_r', 'h_0', 'x_1']);
  });
  it('describes values and gradients of one row', () => {
    const read = (node: { id: number }): Float32Array => run.values.get(node.id)!;
    const words = { source: ['I', 'am', '<eos>'], target: ['suis', '<eos>'] };
    const scene = new Scene(run.trace, network, words, false, 0, read);
    const cell = network.cells[1]!;
    expect(scene.strip(cell)).toEqual(run.values.get(cell.state));
    expect(scene.describe(cell)).toMatch(/^encoder →, am: norm 0\.\d+, largest magnitude −?0\.\d+ at \[\d\]$/);
    expect(scene.describeAttention(network.attention[0]!)).toMatch(/^suis attends to (\S+ 0\.\d+(, )?){3}$/);
    const slopes = new Scene(run.trace, network, words, true, 0, read);
    const gradient = run.trace.nodes[run.trace.nodes[cell.state]!.gradient]!;
    expect(slopes.strip(cell)).toEqual(run.values.get(gradient.id));
    expect(slopes.describe(cell)).toContain('‖∂L/∂h‖');
  });
});

describe('what a decoder reads', () => {
  const VOCABULARY = ['<pad>', '<bos>', '<eos>', '<unk>', ...'abcdefgh'];
  /** A run whose first input is the model's own best word, and whose second is a different one. */
  async function scene(generated: boolean, isThere = (_name: string): boolean => true): Promise<Scene> {
    const config = { ...SEQ2SEQ, cell: 'gru', attention: 'none' };
    const [source, into, out] = sentences(2, 3) as [object, { values: number[] }, object];
    const best = ({ trace, values }: Run, t: number): number => {
      const logits = [...values.get(trace.nodes.find(({ name }) => name === `decoder.t${t}/logits`)!.id)!];
      return logits.indexOf(Math.max(...logits));
    };
    const fed = async (tokens: number[]): Promise<Run> =>
      runOf(config, [source, { ...into, values: tokens }, out] as ReturnType<typeof sentences>);
    const first = best(await fed([1, 5, 6]), 0);
    const second = best(await fed([1, first, 6]), 1);
    const { trace, values } = await fed([1, first, second === 7 ? 8 : 7]);
    const words = { target: ['x', 'y', '<eos>'], vocabulary: VOCABULARY, generated };
    return new Scene(trace, readUnrolled(trace), words, false, 0, ({ id, name }) =>
      isThere(name) ? values.get(id) : undefined,
    );
  }

  it('is not called the teacher’s until the logits it is compared with have arrived', async () => {
    const early = await scene(true, (name) => !name.endsWith('/logits'));
    expect(early.reads('decoder').map((read) => read?.own)).toEqual([false, true, true]);
  });
  it('is <bos>, then its own words where they match the logits', async () => {
    const reads = (await scene(true)).reads('decoder');
    expect(reads.map((read) => read?.own)).toEqual([false, true, false]);
    expect(reads[0]!.word).toBe('<bos>');
    expect((await scene(true)).describeReads('decoder')).toMatch(
      /^It reads <bos>, then its own \S+, then the teacher’s \S+\.$/,
    );
  });
  it('is the teacher’s if a target was given, whatever the model would generate', async () => {
    const taught = await scene(false);
    expect(taught.reads('decoder').map((read) => read?.own)).toEqual([false, false, false]);
    expect(taught.reads('encoder')).toEqual([]);
  });
});

it('a captioner labels its steps with target words, not with the picture’s cells', async () => {
  const { trace } = await runOf({ kind: 'captioner', task: 'captions' });
  const target = ['a', 'red', 'circle'];
  const scene = new Scene(trace, readUnrolled(trace), { source: ['0,0', '0,1'], target }, false, 0, () => undefined);
  expect(Object.values(scene.words).map((words) => words.slice(0, 3))).toEqual([target]);
});

describe('other wirings', () => {
  const read = async (config: object): Promise<Unrolled> =>
    readUnrolled((await runOf({ ...SEQ2SEQ, ...config }, sentences(2, 2))).trace);

  it('pass the context at every step, or once', async () => {
    const often = await read({ cell: 'rnn', attention: 'none', context: 'every_step' });
    const handed = (network: Unrolled): string[] => links(network).filter((link) => /^encoder.*decoder/.test(link));
    expect(handed(often)).toEqual(['encoder.0.t1 → decoder.0.t0', 'encoder.0.t1 → decoder.0.t1']);
    expect(often.attention).toEqual([]);
    const once = await read({ cell: 'gru', attention: 'none', context: 'first_state' });
    expect(handed(once)).toEqual(['encoder.0.t1 → decoder.0.t0']);
  });
  it('feed attention back into the input (Luong), through two LSTM layers', async () => {
    const network = await read({ cell: 'lstm', layers: 2, attention: 'luong', score: 'dot' });
    expect(links(network)).toEqual(
      expect.arrayContaining([
        'decoder.0.t0 → decoder.1.t0',
        'decoder.1.t0 → decoder.0.t1',
        'decoder.1.t0 → decoder.1.t1',
        'encoder.0.t0 → encoder.1.t0',
        'encoder.1.t1 → decoder.1.t0',
      ]),
    );
    const decoder = network.cells.filter(({ network: name }) => name === 'decoder').map(called);
    expect(decoder).toEqual(['decoder.0.t0', 'decoder.1.t0', 'decoder.0.t1', 'decoder.1.t1']);
    expect(network.cells[0]!.gates).toHaveLength(5);
  });
  it('attend to their own past in a language model', async () => {
    const { trace, values } = await runOf(
      { kind: 'language_model', cell: 'gru', embedding: 4, hidden: 4, vocabulary: 12, attention: true, seed: 1 },
      sentences(2, 3).slice(1),
    );
    const { attention, cells } = readUnrolled(trace);
    const weights = trace.nodes.find(({ name }) => name === 'attention/α')!.id;
    expect(attention).toMatchObject([0, 1, 2].map((t) => ({ position: t, row: t })));
    for (const row of attention) {
      expect(row.weights).toBe(weights);
      expect(row.memory.map((seen) => seen.map((i) => cells[i]!.position))).toEqual([[0], [1], [2]]);
    }
    const scene = new Scene(trace, readUnrolled(trace), {}, false, 0, ({ id }) => values.get(id));
    expect(scene.describeAttention(attention[0]!)).toBe('0 attends to nothing');
    expect(scene.describeAttention(attention[1]!)).toBe('1 attends to 0 1');
    expect([...scene.weights(attention[2]!)!].at(-1)).toBe(0);
  });
});

describe('the gradient that comes back along an arrow', () => {
  const lengthOf = (values: ArrayLike<number>): number => Math.sqrt(Array.from(values).reduce((a, b) => a + b * b, 0));
  const returnedIn = ({ trace, values }: Run): (number | undefined)[] =>
    readReturned(trace).map((parts) => parts && normOf(parts, (id) => values.get(id)));
  const gradientOf = ({ trace, values }: Run, id: number): Float32Array => values.get(trace.nodes[id]!.gradient)!;

  it.each(['rnn', 'gru', 'lstm'])('is all of it where only the last state is read (%s)', async (cell) => {
    const run = await runOf({ kind: 'recurrent', cell, size: 2, hidden: 4, positions: 6, seed: 3 });
    const network = readUnrolled(run.trace);
    const found = returnedIn(run);
    expect(found).toHaveLength(5);
    network.links.forEach(({ from, to }, i) => {
      const gate = (name: string): number =>
        network.cells[to]!.gates.find((id) => run.trace.nodes[id]!.name.endsWith(`/${name}`))!;
      // c' = f c + i g: what reaches c from the next cell is f times what reached c' there
      const memory =
        cell === 'lstm' ? gradientOf(run, gate('c')).map((d, k) => d * run.values.get(gate('f'))![k]!) : [];
      const all = [...gradientOf(run, network.cells[from]!.state), ...memory];
      expect(found[i]).toBeCloseTo(lengthOf(all), 6);
    });
  });

  it('is the next cell’s share alone where each position has a loss of its own', async () => {
    const run = await runOf({ ...SEQ2SEQ, cell: 'rnn', attention: 'none' }, sentences(3, 4));
    const { trace, values } = run;
    const network = readUnrolled(trace);
    const found = returnedIn(run);
    const U = values.get(trace.nodes.find(({ name }) => name === 'decoder.0.U')!.id)!;
    let compared = 0;
    network.links.forEach(({ from, to }, i) => {
      const [a, b] = [network.cells[from]!, network.cells[to]!];
      if (a.network !== 'decoder') return;
      const [h, dh] = [values.get(b.state)!, gradientOf(run, b.state)];
      const size = h.length;
      const dz = Array.from(h, (x, k) => (1 - x * x) * dh[k]!);
      // h' = tanh(W y + U h), U (H, H): what reaches h is Uᵀ dz
      const back = Array.from(h, (_, j) => dz.reduce((sum, z, k) => sum + U[k * size + j]! * z, 0));
      expect(found[i]).toBeCloseTo(lengthOf(back), 5);
      expect(found[i]).not.toBeCloseTo(lengthOf(gradientOf(run, a.state)), 3);
      compared++;
    });
    expect(compared).toBe(3);
  });

  it('leaves out what comes back through attention', async () => {
    const run = await runOf(BAHDANAU, sentences(3, 2));
    const network = readUnrolled(run.trace);
    const found = returnedIn(run);
    expect(found.every((size) => size !== undefined && size > 0)).toBe(true);
    const scene = new Scene(run.trace, network, {}, true, 0, ({ id }) => run.values.get(id));
    expect(scene.describe(network.cells[0]!)).toMatch(/; 0?\.\d+ comes back from encoder →, 1$/);
  });
});

describe('what depends on what', () => {
  const names = (network: Unrolled, needs: Needs): string[] =>
    [...needs.cells].map((at) => called(network.cells[at]!)).sort();

  it('is what an edit of the state changes: nothing else', async () => {
    const network = readUnrolled((await runOf({ ...SEQ2SEQ, cell: 'gru', attention: 'none' }, sentences(2, 3))).trace);
    const at = (name: string): number => network.cells.findIndex((cell) => called(cell) === name);
    expect(names(network, needsOf(network, { cell: at('decoder.0.t1') }))).toEqual([
      'decoder.0.t0',
      'decoder.0.t1',
      'encoder.0.t0',
      'encoder.0.t1',
    ]);
    expect(names(network, needsOf(network, { cell: at('encoder.0.t0') }))).toEqual(['encoder.0.t0']);
    const output = outputAt(network, 'decoder', 0)!;
    expect(names(network, needsOf(network, { output }))).toEqual(['decoder.0.t0', 'encoder.0.t0', 'encoder.0.t1']);
  });

  it('goes through attention, with its weights', async () => {
    const { trace } = await runOf(BAHDANAU, sentences(3, 2));
    const network = readUnrolled(trace);
    const needs = needsOf(network, { output: outputAt(network, 'decoder', 0)! });
    expect(needs.cells.size, 'both directions, and the first decoder state').toBe(7);
    expect([...needs.weights].map((id) => trace.nodes[id]!.name)).toEqual(['decoder.t0.attention/α']);
    const scene = new Scene(trace, network, { target: ['la', 'zone'] }, false, 0, () => undefined, needs);
    expect(scene.describeNeeds()).toBe(
      'The output of decoder, la depends on 7 of 8 states: encoder 6 of 6, decoder 1 of 2.',
    );
    const [YES, NO] = ['yes', 'no'].map((value) => ({ value, kind: 'reads' }));
    const lit = (network: string, position: number, read: boolean): boolean =>
      scene.needsWord({ network, position, read });
    expect([lit('encoder', 2, false), lit('decoder', 0, true), lit('decoder', 0, false)]).toEqual([true, true, true]);
    expect([lit('decoder', 1, true), lit('decoder', 1, false)]).toEqual([false, false]);
    expect(stateTable(scene).rows.map(({ cells }) => cells[0])).toEqual([...Array(7).fill(YES), NO]);
  });

  it('in a language model reaches back through its own row of the attention', async () => {
    const config = { kind: 'language_model', cell: 'gru', embedding: 4, hidden: 4, vocabulary: 12, attention: true };
    const network = readUnrolled((await runOf(config, sentences(2, 3).slice(1))).trace);
    expect(network.outputs.map(({ position }) => position)).toEqual([0, 1, 2]);
    for (const output of network.outputs) expect(needsOf(network, { output }).cells.size).toBe(output.position + 1);
  });
});

it('a row of a batch has its own states, words and loss, whose mean is that of the batch', async () => {
  const config = { kind: 'language_model', cell: 'gru', embedding: 4, hidden: 4, vocabulary: 6, attention: true };
  const rows = [
    { name: 'target_in', shape: [2, 3], values: [1, 4, 5, 1, 5, 4] },
    { name: 'target_out', shape: [2, 3], values: [4, 5, 2, 5, 4, 2] },
  ];
  const { trace, values } = await runOf(config, rows);
  const words = { vocabulary: ['pad', 'bos', 'eos', 'unk', 'sun', 'sea'] };
  const scenes = [0, 1].map(
    (at) => new Scene(trace, readUnrolled(trace), words, false, at, ({ id }) => values.get(id)),
  );
  expect(scenes.map((scene) => [0, 1, 2].map((position) => scene.word({ network: 'network', position })))).toEqual([
    ['bos', 'sun', 'sea'],
    ['bos', 'sea', 'sun'],
  ]);
  const last = scenes.map((scene) => scene.strip(scene.network.cells[2]!)!);
  expect(last[0]).not.toEqual(last[1]);
  const losses = scenes.map((scene) => scene.loss!);
  expect(losses[0]).not.toBeCloseTo(losses[1]!, 3);
  const whole = values.get(trace.nodes.find(({ name }) => name === 'L')!.id)![0]!;
  expect((losses[0]! + losses[1]!) / 2).toBeCloseTo(whole, 5);
  // of a single row, the engine gives the same loss
  const alone = await runOf(
    config,
    rows.map((row) => ({ ...row, shape: [1, 3], values: row.values.slice(3) })),
  );
  expect(alone.values.get(alone.trace.nodes.find(({ name }) => name === 'L')!.id)![0]).toBeCloseTo(losses[1]!, 5);
});

describe('layout', () => {
  let network: Unrolled;
  let long: Unrolled;
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
      maxHeight: Infinity,
    });
  beforeAll(async () => {
    network = readUnrolled((await runOf(BAHDANAU, sentences(4, 3))).trace);
    long = readUnrolled((await runOf({ kind: 'recurrent', size: 2, hidden: 4, positions: 20 })).trace);
  });

  it('has the decoder above the encoder, backward above forward, and a column per position', () => {
    const { rows, strips } = lay(700);
    const names = rows.map(({ network: name, reverse }) => `${name}${reverse ? ' ←' : ''}`);
    expect(names).toEqual(['decoder', 'encoder ←', 'encoder']);
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
        for (const b of strips) if (a !== b) expect(areApart(a, b)).toBe(true);
      }
    }
  });
  it('gives its bars the height that is left, and narrow columns where nothing else fits', () => {
    const layIn = (room: object): UnrolledLayout =>
      layOutUnrolled(long, {
        ...{ width: 328, line: 13, gutter: 60, sizes: long.cells.map(() => 4), words: {}, widest: 12 },
        ...{ bars: true, maxHeight: Infinity, ...room },
      });
    const low = layIn({});
    const high = layIn({ maxHeight: low.height + 50 });
    expect(high.bar).toBe(low.bar + 50);
    expect(high.height).toBeLessThanOrEqual(low.height + 50);
    expect([low.width, low.numbered], 'no more than eight numbers').toEqual([800, 3]);
    const whole = layIn({ inPart: true });
    expect(whole.width).toBe(328);
    expect(whole.numbered, 'a number needs more than two columns').toBe(3);
    for (const a of whole.strips) for (const b of whole.strips) if (a !== b) expect(areApart(a, b)).toBe(true);
  });
  it('has each output under a finger, at the word that the position writes', () => {
    const layout = lay(328);
    const word = layout.words.find(
      ({ network: name, position, read }) => name === 'decoder' && position === 1 && !read,
    )!;
    const outputs = [1].map((position) => ({ network: 'decoder', position }));
    const press = (x: number, y: number, of = outputs): unknown => outputSpotAt(layout, of, x, y);
    expect(press(word.x + 11, word.y - 14)).toEqual({ row: 0, column: 1, output: true });
    expect(press(word.x, word.y, [])).toBeNull();
    expect(press(word.x, word.y + 30)).toBeNull();
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
    const bos = feedbackPath(layout, 'decoder', 0, () => 20);
    expect(bos, '<bos> is not generated').toBeNull();
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
