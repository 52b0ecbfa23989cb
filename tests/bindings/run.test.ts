// `lab run`: a learner's program, run natively on tensors from a file. Scripts that the engine exports print the same
// numbers under PyTorch, where that is installed: those of `lab run --pytorch`, and of whole models that a learner
// wrote and trained a little.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { engine, fromRoot, run as runProgram, scratch, value } from './modules';
import { hasPyTorch, PYTHON } from '../bench/in-pytorch.mjs';
import { readLibrary } from '../../web/plugin/library';
import { withCall } from '../../web/src/lesson/code/grade-code';
import { programIn } from '../../web/src/reader/clean';
import { TASK_SETTINGS } from '../../web/src/engine/own-data';
import { traceOf } from '../../web/src/engine/trace';

const native = (program: string, ...words: string[]): string =>
  execFileSync(fromRoot(`build/native/tests/${program}`), words, { encoding: 'utf8', maxBuffer: 1 << 28 });
const run = (...words: string[]): string => native('unroll_run', ...words);

/** What a refused run prints on stderr. */
function refused(...words: string[]): string {
  const { status, complaints } = runProgram('build/native/tests/unroll_run', words);
  expect(status).toBe(1);
  return complaints;
}

const ATTEND = scratch(
  'attend.py',
  'def attend(Q, K, V=eye(2)):\n    W = parameter("W", (2, 2))\n    return Q @ K.T @ V @ W\n',
);
const Q = { shape: [1, 2], data: [1, 2] };
const K = { shape: [2, 2], data: [1, 0, 0, 1] };

it('writes results, loss and the gradients of inputs and parameters', () => {
  const inputs = scratch('inputs.json', JSON.stringify({ Q, K, W: { shape: [2, 2], data: [2, 0, 0, 3] } }));
  const out = scratch('out.json');
  expect(run(ATTEND, '--inputs', inputs, '--json', out)).toBe('');
  const report = JSON.parse(readFileSync(out, 'utf8')) as Record<string, Record<string, unknown>>;
  expect(report).toEqual(JSON.parse(run(ATTEND, '--inputs', inputs)));
  expect(report.result).toEqual({ shape: [1, 2], data: [2, 6] });
  expect(report.loss).toBe(8);
  expect(report.gradients!.Q).toEqual({ shape: [1, 2], data: [2, 3] });
  expect(report.gradients!.W).toEqual({ shape: [2, 2], data: [1, 1, 2, 2] });
  expect(Object.keys(report.gradients!)).toEqual(['Q', 'K', 'V', 'W']);
});

it('writes infinite numbers as texts, since JSON has none', () => {
  const infinite = scratch('infinite.py', 'def f():\n    return [1e308 * 10, -1e308 * 10, 2.5]\n');
  expect((JSON.parse(run(infinite)) as { result: unknown }).result).toEqual(['inf', '-inf', 2.5]);
});

it('refuses a program, a tensor or a file in one sentence', () => {
  const inputs = (values: object): string => scratch('bad.json', JSON.stringify(values));
  expect(refused(ATTEND)).toBe(
    `${ATTEND}: line 1, column 12: attend needs a value for Q: give it one, such as Q=randn(4, 3).\n`,
  );
  expect(refused(ATTEND, '--inputs', inputs({ Q, K: { shape: [2, 3], data: [1, 2, 3, 4, 5, 6] } }))).toBe(
    `${ATTEND}: line 3, column 14: Q is 1 × 2 and K.T is 3 × 2: @ needs 2 = 3. Did you mean K?\n`,
  );
  expect(refused(ATTEND, '--inputs', inputs({ Q, K, X: Q }))).toContain('"X" is given, and nothing');
  expect(refused(ATTEND, '--inputs', inputs({ Q: { shape: [2], data: [1] } }))).toContain('has 2 values, not 1.');
  expect(refused(ATTEND, '--inputs', scratch('text.json', 'Q = 1'))).toContain('is not JSON of the form');
  expect(refused(`${ATTEND}x`)).toContain('there is no file');
});

it('takes lists of numbers by the names of parameters and of weights', () => {
  const file = scratch(
    'embedded.py',
    'import torch.nn as nn\nmodel = nn.Sequential(nn.Embedding(3, 2), nn.Linear(2, 1))\ndef forward(ids):\n    return model(ids)\n',
  );
  const values = {
    ids: [[2, 0]],
    'model.0.weight': [
      [1, 0],
      [0, 1],
      [2, 3],
    ],
    'model.1.weight': [[1, 10]],
    'model.1.bias': [0.5],
  };
  const inputs = scratch('lists.json', JSON.stringify(values));
  const report = JSON.parse(run(file, '--inputs', inputs)) as Record<string, Record<string, unknown>>;
  expect(report.result).toEqual({ shape: [1, 2, 1], data: [32.5, 1.5] });
  expect(report.gradients!['model.1.weight']).toEqual({ shape: [1, 2], data: [3, 3] });
  expect(report.gradients!['model.0.weight']).toEqual({ shape: [3, 2], data: [1, 10, 0, 0, 1, 10] });
  expect(Object.keys(report.parameters!)).toEqual(['model.0.weight', 'model.1.weight', 'model.1.bias']);
  const wrong = (ids: unknown): string => refused(file, '--inputs', scratch('wrong.json', JSON.stringify({ ids })));
  expect(wrong([[1, 2], [3]])).toContain('ids has lists of different lengths');
  expect(wrong([1, [2]])).toContain('ids has lists');
  expect(wrong([['one']])).toContain('ids has "one" among its data: use numbers');
  const other = scratch('other.json', JSON.stringify({ ...values, 'model.2.bias': [1] }));
  expect(refused(file, '--inputs', other)).toContain(
    '"model.2.bias" is given, and nothing in the program has that name',
  );
});

const WHOLE_FILE = `import torch
import torch.nn as nn

words = open('words.txt').read().split()

class Bigram(nn.Module):
    def __init__(self, vocab_size, n_embd):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        self.head = nn.Linear(n_embd, vocab_size)

    def forward(self, idx, targets=None):
        return self.head(self.table(idx)), None

model = Bigram(len(words), 384)
optimizer = torch.optim.AdamW(model.parameters())
`;

it('takes the models of a whole file, says what it leaves out, and joins them', () => {
  const file = scratch('whole.py', WHOLE_FILE);
  const inputs = scratch('ids.json', JSON.stringify({ ids: [[1, 2, 3]] }));
  const { status, output, complaints } = runProgram('build/native/tests/unroll_run', [file, '--inputs', inputs]);
  expect(status, complaints).toBe(0);
  expect(JSON.parse(output).result[0].shape ?? JSON.parse(output).result.shape).toEqual([1, 3, 32]);
  expect(complaints).toContain(`${file}: line 4 is left out: reads files or the network (open)\n`);
  expect(complaints).toContain(`${file}: line 16 is left out: makes an optimiser (torch.optim.AdamW)\n`);
  expect(complaints).toContain('model = Bigram(vocab_size=VOCABULARY, n_embd=32)\n');
  const trained = runProgram('build/native/tests/unroll_train', [
    'stories',
    'program',
    '--program',
    file,
    '--set',
    'steps=2',
    '--json',
    scratch('trained.json'),
  ]);
  expect(trained.status, trained.complaints).toBe(0);
  expect(trained.complaints).toContain('these lines join it to the lab');
});

it('names the operation that made a NaN, in the result or in a gradient', () => {
  const log = scratch('log.py', 'def f(x=zeros(2) - 1):\n    return 2 * log(x)\n');
  expect(refused(log)).toMatch(/log\.py: line 2, column 16: log\(x\) made NaN at \[0\] from -1; /);
  const root = scratch('root.py', 'def f(x=zeros(2)):\n    return 0 * sqrt(x)\n');
  const { status, output, complaints } = runProgram('build/native/tests/unroll_run', [root]);
  expect(status).toBe(0);
  expect(JSON.parse(output).gradients.x.data).toEqual(['nan', 'nan']);
  expect(complaints).toMatch(/root\.py: line 2, column 16: the gradient through sqrt\(x\) is NaN at \[0\]; /);
});

/** Of numbers up to 1; of larger ones a fraction. */
const TOLERANCE = 1e-5;

/** What a script prints, and `lab run` writes. */
interface Report {
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
function distance({ result, loss, gradients }: Report, theirs: Report): number {
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
function inPyTorch(scripts: string[]): (Report | null)[] {
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
    const [compared] = compare([PROGRAMS[name]!]);
    expect(compared!.off).toBeLessThan(TOLERANCE);
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

const { Session } = await engine();
const asked = new Session();

const MODELS = [
  ['gpt', 'stories'],
  ['bahdanau', 'reverse'],
] as const;

const textOf = (name: string): string => readFileSync(fromRoot(`lessons/programs/${name}.py`), 'utf8');

/** The model after some training steps: what it makes of its inputs, and its script. */
function exportedModel(program: string, task: string): { ours: Report; script: string } {
  const session = new Session();
  const config = { ...value(asked.recipe(task, 'program')), program, batch: 4, seed: 3 };
  const info = value(session.load(config));
  value(session.train(5));
  const { source, target } = value(session.pairs('validation', 0, 1))[0]!;
  const { separator, sourceWords, targetWords } = value(session.task());
  value(session.read(source.join(separator as string), target.join(separator as string)));
  const run = value(session.run([]));
  const { nodes } = traceOf(value(session.trace()));
  const data = (id: number): number[] => [...value(session.values(id))];
  const leaf = (name: string) => nodes.find((node) => node.name === name && node.phase === 'leaf')!;
  const gradients = info.parameters.map(({ name }) => [name, data(leaf(name as string).gradient)] as const);
  const inputs = info.inputs.map(({ name }) => {
    const { id, shape } = leaf(name as string);
    return { name, shape, values: Float32Array.from(data(id)) };
  });
  const settings = Object.fromEntries(Object.entries(config).filter(([name]) => !TASK_SETTINGS.includes(name) || name === 'kind')); // prettier-ignore
  const sizes = {
    vocabulary: targetWords.length,
    source_vocabulary: sourceWords.length,
    target_vocabulary: targetWords.length,
  };
  const script = value(asked.pytorchScript({ ...settings, ...sizes }, value(session.save()), inputs)) as string;
  const ours = { result: data(run.output), loss: run.loss, gradients: Object.fromEntries(gradients) };
  session.delete();
  return { ours, script };
}

/** Numbers of `theirs` in the order of ours. */
function inOrder({ result, loss, gradients }: Report, ours: Report): Report {
  const names = Object.keys(ours.gradients!);
  expect(Object.keys(gradients!).sort()).toEqual([...names].sort());
  const data = (tensor: unknown): unknown => (tensor as { data: number[] }).data;
  return { result: data(result), loss, gradients: Object.fromEntries(names.map((name) => [name, data(gradients![name])])) }; // prettier-ignore
}

describe.each(MODELS)('%s on %s', (name, task) => {
  it.skipIf(!hasPyTorch())('prints the same numbers', { timeout: 60_000 }, async ({ annotate }) => {
    const { ours, script } = exportedModel(textOf(name), task);
    const [theirs] = inPyTorch([script]);
    const off = distance(ours, inOrder(theirs!, ours));
    await annotate(`${(ours.result as number[]).length} logits, loss and gradients differ by at most ${off}`);
    expect(off).toBeLessThan(TOLERANCE);
  });

  it('comes back by paste', () => expect(programIn(exportedModel(textOf(name), task).script)).toBe(textOf(name)));
});

it('other text is pasted as it is, with line ends as here', () => {
  for (const text of ['', 'x = 1\n', '# ---- program ----\nx = 1']) expect(programIn(text)).toBe(text);
  expect(programIn('import torch\r\n# ---- program ----\r\nx = 1\r\n\r\n# ---- end of program ----\r\n')).toBe(
    'x = 1\n',
  );
});

it('a model of the lab has no script', () => {
  const reply = asked.pytorchScript({ kind: 'attention' }, new Uint8Array(), []);
  expect(reply).toMatchObject({ ok: false, code: 'E_CONFIG', detail: 'pytorchScript' });
});
