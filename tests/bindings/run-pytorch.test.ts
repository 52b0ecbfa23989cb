// A program that `lab run --pytorch` exports prints the same numbers under PyTorch, where that is installed.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hasPyTorch } from '../bench/in-pytorch.mjs';
import { fromRoot } from './modules';

const PYTHON = process.env.PYTHON || 'python3';
const TOLERANCE = 1e-5;

const PROGRAMS: Record<string, string> = {
  attention: `
def attend(Q=randn(4, 3), K=randn(5, 3), V=randn(5, 2), mask=tril(ones(4, 5)) == 0):
    S = Q @ K.T / sqrt(3)
    α = softmax(S.masked_fill(mask, -inf), dim=-1)
    return α @ V, α, mask.sum()
`,
  'operators and types': `
def f(x=randn(2, 3) + 2, n=arange(6), y=rand(3) + 0.5):
    a = n.reshape(2, 3) * 2 + 1
    b = (x > 2) * 1.5 + (x != y) - (a <= 3).float()
    c = x ** 2 + abs(x) ** 0.5 - 2 ** 3 // 3 % 2 + (-x) ** 3
    return (x * y).sum() + (b / a).mean() + c.var(0, unbiased=False).sum(), a, b, c, 7 // -2, -7 % 3, 2 ** -1, 10000 ** (2 / 6)
`,
  functions: `
def f(x=rand(2, 3) + 0.5, w=randn(3, 4)):
    parts = [exp(x), log(x), sqrt(x), tanh(x), sigmoid(x), relu(x - 1), erf(x), sin(x), cos(x), gelu(x)]
    parts += [gelu(x, approximate="tanh"), silu(x), softplus(x), square(x), pow(x, 3), clamp(x, 0.7, 1.2), cumsum(x, 1)]
    parts += [maximum(x, 1), minimum(x, x.flip([0])), where(x > 1, x, 0 * x), log_softmax(x, -1), rms_norm(x, [3])]
    parts += [layer_norm(x, [3]), linear(x, w.T)[:, :3], matmul(x, w)[:, 1:]]
    total = sum([p.sum() * (i + 1) for i, p in enumerate(parts)])
    return total + x.var(0).sum() + logsumexp(x, 1).sum() + amax(x, 1).sum() - amin(x).sum() + max(x) - min(x), parts, topk(x, 2)
`,
  'shapes and indices': `
def f(x=randn(2, 3, 4), ids=randint(0, 5, (2, 3)), E=randn(5, 4)):
    a = x.transpose(1, 2).reshape(2, -1).unsqueeze(1).squeeze(1)
    b = cat([x[:, 0], x[:, -1:, ::2].flatten(1)], dim=-1)
    c = stack([x[0, :, 1], x[1, 1:, 0].sum().expand(3)], dim=0)
    d = x.permute(2, 0, 1)[..., None].chunk(2, 0)[1].mT
    y = x + 0
    y[:, 0] = 1
    y[0, 1:, 2:] += 2
    z = embedding(ids, E) + one_hot(ids, 5).float()[:, :, :4] + E[ids]
    w = triu(ones(3, 3), 1) + eye(3) + full((3, 3), 2.0) + zeros_like(x[0, :, :3])
    return a.sum() + b.sum() * 2 + (c * c).sum() + (y * y).sum() + (z * y[:, :, :4]).sum(), a, b, c, d, y, z, w
`,
  'loops, parameters and losses': `
def cell(name, x, h):
    W = parameter(f"{name}.W", (x.shape[-1] + h.shape[-1], 4), init="normal")
    return tanh(cat([x, h], dim=-1) @ W + parameter(f"{name}.b", (4,), init="zeros"))

def f(x=randn(3, 2, 5), target=randint(0, 6, (2, 3)), n=2):
    h, all = zeros(2, 4), []
    for t in range(x.shape[0]):
        for i in range(n):
            h = cell(f"{i % 2}", x[t], h) if i == 0 else h + 0.1
        all.append(h)
    logits = stack(all, dim=1) @ parameter("out", (4, 6))
    loss = cross_entropy(logits.flatten(0, 1), target.flatten(), label_smoothing=0.1)
    return loss + mse_loss(h, 0.5 * h.detach()), logits, len(all)
`,
};

/** All numbers of a report, in order. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  if (typeof value === 'boolean') return [Number(value)];
  if (value === 'inf' || value === '-inf') return [value === 'inf' ? Infinity : -Infinity];
  return value && typeof value === 'object' ? Object.values(value).flatMap(numbersIn) : [];
}

/** The largest difference between two reports, as a fraction of numbers beyond 1. */
function distance(ours: string, theirs: string): number {
  const { result, loss, gradients } = JSON.parse(ours) as Record<string, unknown>;
  const [here, there] = [
    numbersIn([result, loss, gradients]),
    numbersIn(JSON.parse(theirs.replaceAll('Infinity', '1e999'))),
  ];
  expect(there.length).toBe(here.length);
  const off = here.map((value, i) =>
    value === there[i] ? 0 : Math.abs(value - there[i]!) / Math.max(1, Math.abs(value)),
  );
  return Math.max(...off);
}

const native = (program: string, ...words: string[]): string =>
  execFileSync(fromRoot(`build/native/tests/${program}`), words, { encoding: 'utf8' });

it.skipIf(!hasPyTorch()).each(Object.keys(PROGRAMS))('%s', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-pytorch-'));
  const [program, script] = [join(folder, 'program.py'), join(folder, 'script.py')];
  writeFileSync(program, PROGRAMS[name]!);
  const ours = native('unroll_run', program, '--pytorch', script);
  expect(distance(ours, execFileSync(PYTHON, [script], { encoding: 'utf8' }))).toBeLessThan(TOLERANCE);
});

/** Runs each of the scripts and prints a line: what it prints, or nothing if PyTorch differentiates no such program. */
const RUN_ALL = `
import contextlib, io, sys
for path in sys.argv[1:]:
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed): exec(open(path).read(), {})
        print(printed.getvalue().strip())
    except RuntimeError as error:
        if "modified by an inplace operation" not in str(error): raise
        print("")
`;

// Without random numbers, which are others there, and keepdims, which PyTorch 1.13 does not take everywhere.
const isComparable = (text: string): boolean => !/rand|keepdims/.test(text.replace(/def f.*/, ''));

it.skipIf(!hasPyTorch())('random programs', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-pytorch-'));
  const programs = Array.from({ length: 150 }, (_, i) => native('unroll_same_bits', 'program', String(i + 1))).filter(
    isComparable,
  );
  const scripts = programs.map((_, i) => join(folder, `script${i}.py`));
  const ours = programs.map((text, i) => {
    const path = join(folder, `program${i}.py`);
    writeFileSync(path, text);
    return native('unroll_run', path, '--pytorch', scripts[i]!);
  });
  const theirs = execFileSync(PYTHON, ['-c', RUN_ALL, ...scripts], { encoding: 'utf8' }).split('\n');
  const compared = programs.flatMap((text, i) => (theirs[i] ? [{ text, off: distance(ours[i]!, theirs[i]!) }] : []));
  expect(compared.filter(({ off }) => !(off < 2 * TOLERANCE))).toEqual([]);
  expect(compared.length).toBeGreaterThan(0.9 * programs.length);
  expect(programs.length).toBeGreaterThan(75);
});
