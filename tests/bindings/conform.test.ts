// The conformance runner fails when it should: on numbers, on files, on folders.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { conform, fails, folder, PROGRAMS, useFolder, write } from './conform';
import { run } from './modules';

useFolder();

const tensor = (...data: unknown[]) => ({ shape: [data.length], dtype: 'float32', data });

// y = x W, W = 2: by hand. Two SGD steps of rate 0.25 on the loss Σ y.
const right = () => ({
  op: 'linear',
  config: { in: 1, out: 1 },
  params: { 'fc.weight': { shape: [1, 1], dtype: 'float32', data: [2] } },
  inputs: { x: { shape: [2, 1], dtype: 'float32', data: [1, -3] } },
  cotangents: { y: { shape: [2, 1], dtype: 'float32', data: [1, 1] } },
  outputs: { y: { shape: [2, 1], dtype: 'float32', data: [2, -6] } },
  grads: {
    params: { 'fc.weight': { shape: [1, 1], dtype: 'float32', data: [-2] } },
    inputs: { x: { shape: [2, 1], dtype: 'float32', data: [2, 2] } },
  },
  f32_err: { outputs: { y: 0 }, grads: { 'fc.weight': 0, 'inputs.x': 0 } },
  optim: [
    {
      type: 'SGD',
      lr: 0.25,
      steps: 2,
      losses: [-4, -5],
      params_after: { 'fc.weight': { shape: [1, 1], dtype: 'float32', data: [3] } },
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
    loss.optim[0].losses[1] = -5.5;
    fails(program, loss, /SGD losses\[1\] is -5, expected -5\.5/);
    const parameter = right();
    parameter.optim[0].params_after['fc.weight'].data[0] = 2.5;
    fails(program, parameter, /SGD params_after\.fc\.weight\[0, 0\] is 3, expected 2\.5/);
  });

  it('fails NaN in place of a number, and a number in place of NaN', () => {
    const relu = { op: 'activation', config: { activation: 'relu' }, inputs: { x: tensor(1) } };
    fails(program, { ...relu, outputs: { y: tensor('nan') } }, /y\[0\] is 1, expected nan/);
    const log = { op: 'activation', config: { activation: 'log' }, inputs: { x: tensor(-1) } };
    fails(program, { ...log, outputs: { y: tensor(0) } }, /y\[0\] is -?nan, expected 0/);
  });

  it('fails a wrong shape and an unknown output', () => {
    const shape = right();
    shape.outputs.y.shape = [1, 2];
    fails(program, shape, /y has the shape \(2, 1\), expected \(1, 2\)/);
    fails(program, { ...right(), outputs: { z: tensor(1) } }, /output "z" is not computed/);
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
