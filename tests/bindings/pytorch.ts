// Scripts that the engine exports, run under PyTorch where that is installed.
import { execFileSync } from 'node:child_process';
import { expect } from 'vitest';
import { PYTHON } from '../bench/in-pytorch.mjs';
import { scratch } from './modules';

/** Of numbers up to 1; of larger ones a fraction. */
export const TOLERANCE = 1e-5;

/** What a script prints, and `lab run` writes. */
export interface Report {
  result: unknown;
  loss: unknown;
  gradients?: Record<string, unknown>;
}

/** All numbers of a report, in order. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (typeof value === 'boolean') return [Number(value)];
  if (typeof value === 'string') return [Number(value.replace('inf', 'Infinity'))];
  return value && typeof value === 'object' ? Object.values(value).flatMap(numbersIn) : [];
}

/** The largest difference between two reports, as a fraction of numbers beyond 1. */
export function distance({ result, loss, gradients }: Report, theirs: Report): number {
  const [here, there] = [
    numbersIn([result, loss, gradients]),
    numbersIn([theirs.result, theirs.loss, theirs.gradients]),
  ];
  expect(there.length).toBe(here.length);
  const off = here.map((value, i) =>
    Object.is(value, there[i]) || value === there[i] ? 0 : Math.abs(value - there[i]!) / Math.max(1, Math.abs(value)),
  );
  return Math.max(...off);
}

/** Runs each of the scripts and prints a line: what it prints, or nothing if PyTorch differentiates no such program. */
const RUN_ALL = `
import contextlib, io, sys
for path in sys.stdin.read().split():
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed): exec(open(path).read(), {})
        print(printed.getvalue().strip())
    except RuntimeError as error:
        if "modified by an inplace operation" not in str(error): raise
        print("")
`;

/** What each script prints under PyTorch; null if PyTorch cannot differentiate the program. */
export function inPyTorch(scripts: string[]): (Report | null)[] {
  const paths = scripts.map((text, i) => scratch(`script${i}.py`, text));
  const printed = execFileSync(PYTHON, ['-c', RUN_ALL], {
    input: paths.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return printed
    .split('\n')
    .slice(0, scripts.length)
    .map((line) =>
      line ? (JSON.parse(line.replaceAll('Infinity', '1e999').replaceAll('NaN', '"NaN"')) as Report) : null,
    );
}
