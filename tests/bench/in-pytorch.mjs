// PyTorch, natively: on one thread and on all cores.
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { askPyTorch } from './blas.mjs';
import { compare } from './measure.mjs';
import * as ours from './ours.mjs';

const script = fileURLToPath(new URL('pytorch.py', import.meta.url));
export const PYTHON = process.env.PYTHON || 'python3';

export function hasPyTorch() {
  try {
    execFileSync(PYTHON, ['-c', 'import numpy, torch; torch.__version__'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What PyTorch says of itself; null without it. */
export const factsOfPyTorch = () => (hasPyTorch() ? askPyTorch(PYTHON) : null);

function runOn(threads, { kind, sizes }, input) {
  const count = String(threads);
  const env = { ...process.env, OMP_NUM_THREADS: count, OPENBLAS_NUM_THREADS: count, MKL_NUM_THREADS: count };
  const words = [kind, ...Object.values(sizes).map(Number), count];
  return JSON.parse(execFileSync(PYTHON, [script, ...words], { input, env, encoding: 'utf8', maxBuffer: 1 << 26 }));
}

// → { pytorch, pytorch_all }: seconds per run, from the engine's own values and so with its results.
export function inPyTorch(engine, one) {
  const input = Buffer.concat(ours.values(engine, one).map(({ buffer }) => Buffer.from(buffer)));
  const expected = ours[one.kind](engine, one.sizes).result();
  const counts = { pytorch: 1, ...(cpus().length > 1 && { pytorch_all: cpus().length }) };
  return Object.fromEntries(
    Object.entries(counts).map(([name, threads]) => {
      const { seconds, results } = runOn(threads, one, input);
      compare(one.name, { ours: expected, [name]: results });
      return [name, seconds];
    }),
  );
}
