// The conformance runner fails when it should: on numbers, on files, on folders; and every ONNX operator that it
// composes itself is right on numbers computed by hand.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { builds, run, type Ended } from './modules';

const PROGRAMS = builds('unroll_conform');

/** Of the cases; before each test it is empty. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'conform-'));
  return () => rmSync(folder, { recursive: true });
});

const write = (name: string, content: unknown): void =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));

/** Runs the program on the folder, or with the given arguments. */
const conform = (program: string, ...words: string[]): Ended => run(program, words.length ? words : [folder]);

/** Expects the only case in the folder to fail with such a message. */
function fails(program: string, content: unknown, message: RegExp): void {
  write('case.json', content);
  const { status, output } = conform(program);
  expect(output).toMatch(message);
  expect(output).toMatch(/^FAIL case\.json: .+\n0 passed, 1 failed, 0 skipped\n$/u);
  expect(status).toBe(1);
}

/** A tensor of this shape. */
const t = (shape: number[], ...data: (number | string)[]) => ({ shape, dtype: 'float32', data });
type Values = ReturnType<typeof t>;

// y = x W, W = 2: by hand. Two SGD steps of rate 0.25 on the loss Σ y.
const right = () => ({
  op: 'linear',
  config: { in: 1, out: 1 },
  params: { 'fc.weight': t([1, 1], 2) },
  inputs: { x: t([2, 1], 1, -3) },
  cotangents: { y: t([2, 1], 1, 1) },
  outputs: { y: t([2, 1], 2, -6) },
  grads: {
    params: { 'fc.weight': t([1, 1], -2) },
    inputs: { x: t([2, 1], 2, 2) },
  },
  f32_err: { outputs: { y: 0 }, grads: { 'fc.weight': 0, 'inputs.x': 0 } },
  optim: [
    {
      type: 'SGD',
      lr: 0.25,
      steps: 2,
      losses: [-4, -5],
      params_after: { 'fc.weight': t([1, 1], 3) },
    },
  ],
});

describe.each(PROGRAMS)('%s', (program) => {
  it('passes correct cases, also in subfolders, and ignores INDEX.json', () => {
    mkdirSync(join(folder, 'below'));
    write('below/case.json', right());
    write('INDEX.json', []);
    expect(conform(program)).toMatchObject({ status: 0, output: '1 passed, 0 failed, 0 skipped\n' });
  });

  it('fails a value that is slightly off', () => {
    const wrong = right();
    wrong.outputs.y.data[1] = -6.00001;
    fails(program, wrong, /y\[1, 0\] is -6, expected -6\.00001/);
  });

  it('fails a wrong gradient of a parameter and of an input', () => {
    const parameter = right();
    parameter.grads.params['fc.weight'].data[0] = 2;
    fails(program, parameter, /∂fc\.weight\[0, 0\] is -2, expected 2/u);
    const input = right();
    input.grads.inputs.x.data[0] = 0;
    fails(program, input, /∂inputs\.x\[0, 0\] is 2, expected 0/u);
  });

  it('fails a wrong loss and a wrong parameter of an optimiser run', () => {
    const loss = right();
    loss.optim[0]!.losses[1] = -5.5;
    fails(program, loss, /SGD losses\[1\] is -5, expected -5\.5/);
    const parameter = right();
    parameter.optim[0]!.params_after['fc.weight'].data[0] = 2.5;
    fails(program, parameter, /SGD params_after\.fc\.weight\[0, 0\] is 3, expected 2\.5/);
  });

  it('fails NaN in place of a number, and a number in place of NaN', () => {
    const relu = { op: 'activation', config: { activation: 'relu' }, inputs: { x: t([1], 1) } };
    fails(program, { ...relu, outputs: { y: t([1], 'nan') } }, /y\[0\] is 1, expected nan/);
    const log = { op: 'activation', config: { activation: 'log' }, inputs: { x: t([1], -1) } };
    fails(program, { ...log, outputs: { y: t([1], 0) } }, /y\[0\] is -?nan, expected 0/);
  });

  it('fails a wrong shape and an unknown output', () => {
    const shape = right();
    shape.outputs.y.shape = [1, 2];
    fails(program, shape, /y has the shape \(2, 1\), expected \(1, 2\)/);
    fails(program, { ...right(), outputs: { z: t([1], 1) } }, /output "z" is not computed/);
  });

  it('fails files that are not cases, and names them', () => {
    fails(program, JSON.stringify(right()).slice(0, 200), /parse error/);
    fails(program, '', /parse error/);
    fails(program, [], /names no operation/);
    fails(program, { ...right(), params: {} }, /FAIL/);
  });

  it('skips what the engine lacks, with the reason', () => {
    write('case.json', { ...right(), op: 'hologram' });
    const reason = 'SKIP case.json: hologram: the engine has no such operation yet\n';
    expect(conform(program)).toMatchObject({ status: 0, output: `${reason}0 passed, 0 failed, 1 skipped\n` });
  });

  it('refuses an empty folder, a missing folder, and no argument', () => {
    for (const words of [[folder], [join(folder, 'nowhere')]]) {
      const { status, complaints } = conform(program, ...words);
      expect(status).toBe(1);
      expect(complaints).toContain(words[0]);
    }
    expect(run(program).status).toBe(1);
  });
});

const one = (value: number): Values => t([], value);
const row = (...values: number[]): Values => t([values.length], ...values);

const named = (letter: string, values: Values[]) => values.map((each, i) => ({ name: `${letter}${i}`, ...each }));

/** A node with these attributes, inputs and outputs. */
const node = (op_type: string, attributes: object, given: Values[], expected: Values[]) => ({
  op_type,
  attributes,
  node_inputs: given.map((_, i) => `x${i}`),
  node_outputs: expected.map((_, i) => `y${i}`),
  inputs: named('x', given),
  outputs: named('y', expected),
});

// p = 1/4 and 3/4, in both columns of (1, 2, 2); the targets are class 0 and class 1.
const logits = t([1, 2, 2], 0, 0, Math.log(3), Math.log(3));
const log_p = t([1, 2, 2], -Math.log(4), -Math.log(4), Math.log(3 / 4), Math.log(3 / 4));
const target = t([1, 2], 0, 1);
const [first, second] = [Math.log(4), Math.log(4 / 3)]; // −log p of the targets

const LOSSES = [
  node('NegativeLogLikelihoodLoss', { reduction: 'none' }, [log_p, target], [t([1, 2], first, second)]),
  node('NegativeLogLikelihoodLoss', {}, [log_p, target], [one((first + second) / 2)]),
  node('NegativeLogLikelihoodLoss', {}, [log_p, target, row(1, 3)], [one((first + 3 * second) / 4)]),
  node('NegativeLogLikelihoodLoss', { reduction: 'sum', ignore_index: 0 }, [log_p, target], [one(second)]),
  node('SoftmaxCrossEntropyLoss', { reduction: 'none' }, [logits, target, row(1, 3)], [t([1, 2], first, 3 * second)]),
  node('SoftmaxCrossEntropyLoss', {}, [logits, target, row(1, 3)], [one((first + 3 * second) / 4), log_p]),
  node('SoftmaxCrossEntropyLoss', { ignore_index: 1 }, [logits, target, row(2, 3)], [one(first)]),
  node('SoftmaxCrossEntropyLoss', { reduction: 'sum' }, [logits, target], [one(first + second), log_p]),
  node('SoftmaxCrossEntropyLoss', { ignore_index: 5 }, [logits, t([1, 2], 5, 1)], [one(second)]),
  node('SoftmaxCrossEntropyLoss', { ignore_index: 5 }, [logits, t([1, 2], 5, 1), row(2, 3)], [one(second)]),
];

const exact = { epsilon: 0 };
const NORMS = [
  node('RMSNormalization', exact, [t([2, 2], 3, 3, 0.5, -0.5), row(1, 2)], [t([2, 2], 1, 2, 1, -2)]),
  // √((9 + 16) / 4) = 5/2
  node(
    'RMSNormalization',
    { axis: 0, ...exact },
    [t([2, 2], 3, 4, 0, 0), t([2, 2], 1, 2, 3, 4)],
    [t([2, 2], 1.2, 3.2, 0, 0)],
  ),
  node(
    'LayerNormalization',
    exact,
    [t([1, 2], 1, 5), row(2, 3), row(10, 20)],
    [t([1, 2], 8, 23), t([1, 1], 3), t([1, 1], 0.5)],
  ),
];

const x = t([2, 3], 1, 2, 3, 4, 5, 6);
const SHAPES = [
  node('Concat', { axis: -1 }, [x, t([2, 1], 7, 8)], [t([2, 4], 1, 2, 3, 7, 4, 5, 6, 8)]),
  node('Transpose', {}, [t([1, 2, 3], 1, 2, 3, 4, 5, 6)], [t([3, 2, 1], 1, 4, 2, 5, 3, 6)]),
  node('Transpose', { perm: [1, 0] }, [x], [t([3, 2], 1, 4, 2, 5, 3, 6)]),
  node('Transpose', { perm: [0, 2, 3, 1] }, [t([1, 2, 1, 2], 1, 2, 3, 4)], [t([1, 1, 2, 2], 1, 3, 2, 4)]),
  node('Gather', {}, [x, t([], -1)], [row(4, 5, 6)]),
  node('Gather', { axis: 1 }, [x, t([1, 2], -1, 0)], [t([2, 1, 2], 3, 1, 6, 4)]),
  node('OneHot', {}, [row(1, -2), one(2), row(5, 7)], [t([2, 2], 5, 7, 7, 5)]),
  node('OneHot', { axis: 0 }, [row(2, -3), one(3), row(5, 7)], [t([3, 2], 5, 7, 5, 5, 7, 5)]),
];

const SUMS = [
  node('Elu', { alpha: 2 }, [row(-Math.log(2), 3)], [row(-1, 3)]),
  node('Gemm', {}, [t([1, 2], 1, 2), t([2, 1], 3, 4)], [t([1, 1], 11)]),
  node(
    'Gemm',
    { alpha: 0.5, beta: 2, transA: 1, transB: 1 },
    [t([2, 1], 1, 2), t([2, 2], 3, 4, 5, 6), row(10, 20)],
    [t([1, 2], 25.5, 48.5)],
  ),
  node('ReduceMean', {}, [x], [t([1, 1], 3.5)]),
  node('ReduceMean', { keepdims: 0 }, [t([2, 1, 2], 1, 2, 3, 6), row(0, -1)], [row(3)]),
  node('ReduceMean', { noop_with_empty_axes: 1 }, [x], [x]),
  node('ReduceLogSumExp', { keepdims: 0 }, [t([2, 1], 0, Math.log(3))], [one(Math.log(4))]),
  node('ReduceLogSumExp', {}, [t([1, 0]), row(1)], [t([1, 1], '-inf')]),
];

// Rate and step, then weights, gradients and state.
const STEPS = [
  // Gradients 3 and 4 with the weight decay, at half the rate.
  node(
    'Adagrad',
    { decay_factor: 0.5, epsilon: 0, norm_coefficient: 1 },
    [one(1), one(2), row(1), row(2), row(2), row(2), row(16), row(9)],
    [row(0.7), row(1.6), row(25), row(25)],
  ),
  ...[
    { mode: 'standard', T: 0, beta: 0.25, after: 1.2, momentum: 8 },
    { mode: 'standard', T: 1, beta: 0.25, after: 1.5, momentum: 5 },
    { mode: 'nesterov', T: 0, beta: 0.25, after: 1.2, momentum: 8 },
    { mode: 'nesterov', T: 1, beta: 1, after: 1.2, momentum: 8 },
  ].map(({ T, after, momentum, ...options }) =>
    node(
      'Momentum',
      { alpha: 0.5, norm_coefficient: 1, ...options },
      [one(0.1), one(T), row(2), row(2), row(8)],
      [row(after), row(momentum)],
    ),
  ),
  ...[
    { T: 0, after: 0.5 },
    { T: 1, after: 1 - Math.SQRT1_2 }, // the rate times √(1 − β) / (1 − α)
  ].map(({ T, after }) =>
    node(
      'Adam',
      { alpha: 0.5, beta: 0.5, epsilon: 0 },
      [one(1), one(T), row(1), row(3), row(1), row(23)],
      [row(after), row(2), row(16)],
    ),
  ),
];

const ROTATIONS = [
  node(
    'RotaryEmbedding',
    { interleaved: 1 },
    [t([1, 1, 1, 4], 1, 2, 3, 4), t([1, 1, 2], 0, 1), t([1, 1, 2], 1, 0)],
    [t([1, 1, 1, 4], -2, 1, 3, 4)],
  ),
  node(
    'RotaryEmbedding',
    { num_heads: 2 },
    [t([1, 1, 4], 1, 2, 3, 4), t([1, 1, 1], 0), t([1, 1, 1], 1)],
    [t([1, 1, 4], -2, 1, -4, 3)],
  ),
  node(
    'RotaryEmbedding',
    { rotary_embedding_dim: 2 },
    [t([2, 1, 1, 3], 1, 2, 9, 1, 2, 9), t([2, 1], 1, 0), t([2, 1], 0, 1), t([2, 1], 0, 1)],
    [t([2, 1, 1, 3], 1, 2, 9, -2, 1, 9)],
  ),
];

const CASES = [...LOSSES, ...NORMS, ...SHAPES, ...SUMS, ...STEPS, ...ROTATIONS];

/** The case with its first expected number changed. */
const spoilt = ({ outputs: [first, ...others], ...whole }: (typeof CASES)[number]) => ({
  ...whole,
  outputs: [{ ...first!, data: [1234, ...first!.data.slice(1)] }, ...others],
});

describe.each(PROGRAMS)('%s', (program) => {
  it('passes correct numbers', () => {
    CASES.forEach((each, i) => write(`${i}-${each.op_type}.json`, each));
    expect(conform(program)).toMatchObject({ status: 0, output: `${CASES.length} passed, 0 failed, 0 skipped\n` });
  });

  it('fails every operator if one number is wrong', () => {
    CASES.forEach((each, i) => write(`${i}-${each.op_type}.json`, spoilt(each)));
    const { status, output } = conform(program);
    expect(output.match(/^FAIL \S+: y0(\[.*\])? is \S+, expected 1234 ± .*$/gmu)).toHaveLength(CASES.length);
    expect(status).toBe(1);
  });

  it('skips what the engine’s optimisers cannot do, with the reason', () => {
    const [before, after] = [[one(1), one(1), row(1), row(1), row(1)], [row(0)]];
    write('case.json', node('Momentum', { mode: 'nesterov', alpha: 0.5, beta: 0.5 }, before, after));
    const reason = "Momentum: the engine's nesterov has no factor of the gradient (beta)";
    expect(conform(program).output).toBe(`SKIP case.json: ${reason}\n0 passed, 0 failed, 1 skipped\n`);
  });
});
