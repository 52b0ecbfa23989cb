// The page has every source that a trace can name; and every line of every function that readers write lights the
// tensors it made, and every tensor has its line.
import { expect, it } from 'vitest';
import { mayBeTraced } from '../../web/plugin/engine-sources';
import type { Config } from '../../web/src/engine/types';
import type { Code } from '../../web/src/lesson/format/tasks';
import { engine, value } from '../bindings/modules';
import { tensorsOfLine } from '../../web/src/bench/code/lines';
import { lineKey } from '../../web/src/lab/cursor';
import { withCall } from '../../web/src/lesson/code/grade-code';
import { allLessons } from '../lessons/read';
import { runOf } from './views-engine';

const asked = new (await engine()).Session();

const MODELS: Config[] = [
  { kind: 'attention' },
  { kind: 'attention_layer', positions: 'alibi', mask: 'causal' },
  { kind: 'recurrent', cell: 'lstm' },
  { kind: 'softmax' },
  { kind: 'seq2seq', task: 'reverse', optimiser: 'adam', clip_norm: 1 },
  { kind: 'seq2seq', task: 'reverse', attention: 'luong', window: 'local_p', optimiser: 'rmsprop' },
  { kind: 'transformer', task: 'reverse', optimiser: 'adamw', positions: 'rotary', norm: 'rms', activation: 'swiglu' },
  { kind: 'transformer_lm', task: 'stories', positions: 'learned' },
  { kind: 'language_model', task: 'stories' },
  { kind: 'captioner', task: 'captions' },
];

it.each(MODELS)('%o', async (config) => {
  const { nodes, scopes } = (await runOf(config)).trace;
  const files = new Set([...nodes, ...scopes].map(({ file }) => file).filter((file) => file.startsWith('engine/')));
  expect(files.size).toBeGreaterThan(2);
  expect([...files].filter((file) => !mayBeTraced(file))).toEqual([]);
});

/** What is computed from plain numbers makes no tensor. */
const ofTensors = ({ cases }: Code): boolean => !Object.values(cases[0]!).every((input) => /^\d+$/.test(String(input)));

const solutions = (await allLessons()).flatMap(({ slug, found }) =>
  Object.entries(found.tasks).flatMap(([id, task]) =>
    task.kind === 'code' && ofTensors(task.function!)
      ? task.function!.solution.map((text, i) => {
          return [`${slug}/${id} ${i + 1}`, withCall(text, task.function!, task.function!.cases[0]!)] as const;
        })
      : [],
  ),
);

it.each(solutions)('%s lights what its lines made', async (_, program) => {
  const { trace } = await runOf({ kind: 'program', program });
  const text = program.split('\n');
  // the line of the last function has the loss, which is no line's
  const made = value(asked.outline({ kind: 'program', program })).lines.filter(
    ({ line }) => !text[line - 1]!.startsWith('def'),
  );
  expect(made.length).toBeGreaterThan(1);
  for (const { line, shape } of made) {
    const tensors = tensorsOfLine(trace, lineKey('program', line));
    const last =
      tensors.findLast(({ phase }) => phase === 'forward') ?? tensors.findLast(({ phase }) => phase === 'leaf');
    expect(last?.shape, `line ${line}`).toEqual(shape); // a leaf is the last parameter of a layer that the line makes
  }
  for (const { file, line } of trace.nodes.filter((node) => node.file === 'program')) {
    expect(line).toBeGreaterThan(0);
    expect(line, file).toBeLessThanOrEqual(text.length);
  }
});
