// What an editor asks of the engine while a program is typed: the shape of each line, the first mistake, the names.
import { describe, expect, it } from 'vitest';
import { traceOf } from '../../web/src/engine/trace';
import { everything } from './boundary';
import { engine, value } from './modules';
import { said } from './translation';

const { Session } = await engine();
const asked = new Session();

const ATTENTION = `def attend(Q=randn(4, 3), K=randn(5, 3), V=randn(5, 2)):
    S = Q @ K.T / sqrt(3)
    α = softmax(S, dim=-1)
    return α @ V
`;
const outline = (program: string, kind = 'program', settings = {}) =>
  value(asked.outline({ kind, program, ...settings }));

describe('the outline of a program', () => {
  it('has the shape of the last tensor of each line', () => {
    expect(outline(ATTENTION)).toEqual({
      lines: [
        { line: 2, shape: [4, 5] },
        { line: 3, shape: [4, 5] },
        { line: 4, shape: [4, 2] },
      ],
      mistake: null,
    });
  });

  it('has the lines up to the first mistake, and where that is', () => {
    const { lines, mistake } = outline(ATTENTION.replace('α @ V', 'α @ V.T'));
    expect(lines.map(({ line }) => line)).toEqual([2, 3, 4]); // V.T
    expect(outline(ATTENTION.replace('α @ V', 'S @ Q')).lines.map(({ line }) => line)).toEqual([2, 3]);
    expect(mistake).toMatchObject({
      code: 'E_PROGRAM',
      id: 'product_inner_sizes_but_transposed_fits',
      place: { line: 4, column: 14 },
    });
    expect(said(mistake!)).toContain('4 × 5 and');
  });

  it('gives a line that calls a function what that returned', () => {
    const program = 'def double(x):\n    return x + x\n\ndef f(x=ones(2, 3)):\n    return double(x)\n';
    expect(outline(program).lines).toEqual([
      { line: 2, shape: [2, 3] },
      { line: 5, shape: [2, 3] },
    ]);
  });

  it('runs whole models on a few tokens, without their task', () => {
    const program = 'def forward(ids):\n    E = parameter("E", (VOCABULARY, 8))\n    return embedding(ids, E) @ E.T\n';
    const { lines, mistake } = outline(program, 'program_lm', { vocabulary: 20 });
    expect(mistake).toBeNull();
    expect(lines.at(-1)!.shape.at(-1)).toBe(20);
    expect(said(outline(program, 'program_seq2seq').mistake!)).toContain('forward(source, target_in)');
  });

  it('leaves the loaded model alone', () => {
    const session = new Session();
    value(session.load({ kind: 'program', program: ATTENTION }));
    value(session.run([]));
    const before = everything(session);
    outline('def f(x=ones(2)):\n    return 2 * x\n');
    expect(everything(session)).toEqual(before);
  });
});

it('a function that returns a plain number has shapes, too', () => {
  const { lines, mistake } = outline('def f(x=ones(2, 3)):\n    y = x + 1\n    return y.sum().item()\n');
  expect(mistake).toBeNull();
  expect(lines).toContainEqual({ line: 2, shape: [2, 3] });
});

describe('what another program takes over of trained weights', () => {
  const text = (names: string): string =>
    `def forward(ids):\n    E = parameter("E", (VOCABULARY, 8))\n    ${names}\n    return embedding(ids, E) @ W\n`;
  const before = { kind: 'program_lm', vocabulary: 9, program: text('W = parameter("W", (8, VOCABULARY))') };
  const after = { ...before, program: text('W = parameter("U", (8, VOCABULARY))') };

  it('has the name and the shape', () => {
    const [old, renewed] = [new Session(), new Session()];
    value(old.load(before));
    value(old.train(3));
    const over = value(asked.carryOver(after, value(old.save())));
    expect([over.kept, over.drawn]).toEqual([['E'], ['U']]);
    value(renewed.load(after));
    expect(value(renewed.restore(over.checkpoint as unknown as Uint8Array)).steps).toBe(3);
    const weight = (session: InstanceType<typeof Session>, name: string): number[] => {
      value(session.run([]));
      return [...value(session.values(traceOf(value(session.trace())).nodes.find((node) => node.name === name)!.id))];
    };
    expect(weight(renewed, 'E')).toEqual(weight(old, 'E'));
    for (const session of [old, renewed]) session.delete();
  });

  it('of a damaged checkpoint is nothing, in a sentence', () => {
    expect(asked.carryOver(after, new Uint8Array(9))).toMatchObject({
      ok: false,
      code: 'E_FORMAT',
      detail: 'carryOver',
    });
    expect(asked.carryOver(after, 'weights' as unknown as Uint8Array)).toMatchObject({ ok: false, code: 'E_FORMAT' });
  });
});

it('the operations of programs have a line of help each', () => {
  const all = value(asked.operations());
  expect(all.find(({ name, isMethod }) => name === 'softmax' && !isMethod)).toMatchObject({
    parameters: 'x, dim, dtype=None',
  });
  expect(all.find(({ name, isMethod }) => name === 'sum' && isMethod)?.parameters).toMatch(/^x, /);
  expect(all.length).toBeGreaterThan(100);
  for (const { help } of all) expect(help).toMatch(/^\S.{5,90}$/);
});
