// A program that `lab run --pytorch` exports prints the same numbers under PyTorch, where that is installed.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readLibrary } from '../../web/plugin/library';
import { withCall } from '../../web/src/lesson/code/trial';
import { hasPyTorch } from '../bench/in-pytorch.mjs';
import { fromRoot, scratch } from './modules';
import { distance, inPyTorch, TOLERANCE, type Report } from './pytorch';

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

const native = (program: string, ...words: string[]): string =>
  execFileSync(fromRoot(`build/native/tests/${program}`), words, { encoding: 'utf8', maxBuffer: 1 << 28 });

/** What the engine makes of a program, and the script for PyTorch. */
function exported(text: string): { ours: Report; script: string } {
  const script = scratch('script.py');
  const ours = JSON.parse(native('unroll_run', scratch('program.py', text), '--pytorch', script)) as Report;
  return { ours, script: readFileSync(script, 'utf8') };
}

/** How far each is from PyTorch; without those that PyTorch cannot differentiate. */
function compare(programs: string[]): { text: string; off: number }[] {
  const all = programs.map((text) => ({ text, ...exported(text) }));
  const theirs = inPyTorch(all.map(({ script }) => script));
  return all.flatMap(({ text, ours }, i) => (theirs[i] ? [{ text, off: distance(ours, theirs[i]) }] : []));
}

describe.skipIf(!hasPyTorch())('under PyTorch', { timeout: 120_000 }, () => {
  it.each(Object.keys(PROGRAMS))('%s', (name) => {
    const [{ off }] = compare([PROGRAMS[name]!]) as [{ off: number }];
    expect(off).toBeLessThan(TOLERANCE);
  });

  it('random programs', () => {
    const all = Array.from({ length: 150 }, (_, i) => native('unroll_same_bits', 'program', String(i + 1)));
    const programs = all.filter(isComparable);
    const compared = compare(programs);
    expect(compared.filter(({ off }) => !(off < 2 * TOLERANCE))).toEqual([]);
    expect(compared.length).toBeGreaterThan(0.9 * programs.length);
    expect(programs.length).toBeGreaterThan(75);
  });

  it('every solution of every exercise, on every case', async ({ annotate }) => {
    const functions = (await readLibrary()).flatMap(({ found }) =>
      Object.values(found.tasks).flatMap((task) => (task.kind === 'code' ? [task.function!] : [])),
    );
    const programs = functions.flatMap((task) =>
      task.solution.flatMap((text) => task.cases.map((at) => withCall(text, task, at))),
    );
    const compared = compare(programs);
    expect(compared.filter(({ off }) => !(off < TOLERANCE))).toEqual([]);
    expect(programs.filter((text) => !compared.some((each) => each.text === text))).toEqual([]);
    const most = Math.max(...compared.map(({ off }) => off));
    await annotate(`${programs.length} programs differ by at most ${most}`);
  });
});

// Without random numbers, which are others there, and keepdims, which PyTorch 1.13 does not take everywhere.
function isComparable(text: string): boolean {
  return !/rand|keepdims/.test(text.replace(/def f.*/, ''));
}
