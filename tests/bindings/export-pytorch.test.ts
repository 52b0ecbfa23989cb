// Whole models that a learner wrote, trained a little, exported, and run under PyTorch where that is installed.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { programIn } from '../../web/src/editor/pasted';
import { TASK_SETTINGS } from '../../web/src/engine/own-data';
import { traceOf } from '../../web/src/engine/trace';
import { hasPyTorch } from '../bench/in-pytorch.mjs';
import { engine, fromRoot, value } from './modules';
import { distance, inPyTorch, TOLERANCE, type Report } from './pytorch';

const { Session } = await engine();
const asked = new Session();

const MODELS = [
  ['gpt', 'stories'],
  ['bahdanau', 'reverse'],
] as const;

const textOf = (name: string): string => readFileSync(fromRoot(`lessons/programs/${name}.py`), 'utf8');

/** The model after some training steps: what it makes of its inputs, and its script. */
function exported(program: string, task: string): { ours: Report; script: string } {
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
    const { ours, script } = exported(textOf(name), task);
    const [theirs] = inPyTorch([script]);
    const off = distance(ours, inOrder(theirs!, ours));
    await annotate(`${(ours.result as number[]).length} logits, loss and gradients differ by at most ${off}`);
    expect(off).toBeLessThan(TOLERANCE);
  });

  it('comes back by paste', () => {
    expect(programIn(exported(textOf(name), task).script)).toBe(textOf(name));
  });
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
