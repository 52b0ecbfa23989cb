// The same calls get the same replies natively, with sanitizers and in WebAssembly, down to every number and sentence.
import { expect, it } from 'vitest';
import type { Method } from '../../web/src/engine/types';
import { builds, engine, fromHex, plain, run, wholeRun } from './modules';

type Request = { call: string; args: unknown[] };
type Reply = { ok: boolean; value?: unknown; id?: string };

const request = (call: string, ...args: unknown[]): Request => ({ call, args });

/** Of so many nodes, from this one on. */
const values = (count: number, from = 0, step = 1): Request[] =>
  Array.from({ length: count }, (_, i) => request('values', from + step * i));
const looks: Request[] = [request('trace'), ...values(60)];

const scores = ['dot', 'scaled_dot', 'cosine', 'content', 'general', 'biased_general', 'additive', 'concat', 'linear'];

const story: Request[] = [
  ...[...scores, 'location'].flatMap((score) => [
    request('load', { kind: 'attention', score, mask: 'causal' }),
    request('run', []),
    ...looks,
  ]),
  request('load', { kind: 'attention', seed: 11, score: 'additive', mask: 'causal', optimiser: 'adam' }),
  request('run', [{ name: 'X', shape: [2, 3], values: [0.1, -2, 3, 1e-7, 5, 6.25] }]),
  ...looks,
  request('edit', 'attention/α', 1, 0.5),
  request('checkGradient', 'W_V', 2),
  request('gradients', 4),
  request('train', 20),
  ...looks,
  request('save'),
  request('undoEdit', 'attention/α', 1),
  request('undoEdit', 'attention/α', 1),
  request('setEdits', [
    { name: 'X', index: 1, value: 0.25 },
    { name: 'attention/α', index: 2, value: 0.5 },
  ]),
  ...looks,
  request('setEdits', [{ name: 'nothing', index: 0, value: 1 }]),
  request('setEdits', []),
  request('edit', 'mask', 0, '-inf'),
  request('edit', 'mask', 0, 'nan'),
  ...looks,
  request('load', { kind: 'softmax', scores: [1000, -1000, 0], temperature: 0, target: 1 }),
  request('run', []),
  ...looks,
  request('load', { kind: 'softmax', temperature: -0.1 }),
  request('run', [{ name: 'e', shape: [2, 2], values: [1, 2, 3, 4] }]),
];

/** A step of every optimiser, traced before it is taken and after. */
const updates = ['sgd', 'momentum', 'nesterov', 'adam', 'adamw', 'rmsprop', 'adagrad'].flatMap((optimiser) => [
  request('load', { kind: 'attention', seed: 3, optimiser, clip_norm: 0.1 }),
  request('train', 2),
  request('run', []),
  request('trace'),
  ...values(130, 20),
  request('train', 1),
  request('run', []),
  ...values(130, 20),
]);

const learning = { batch: 12, optimiser: 'adam', seed: 5 };
const small = { ...learning, kind: 'seq2seq', embedding: 6, hidden: 9, attention_size: 7 };

/** Everything a session does with a task, around a pair that it reads. */
const taskStory = (config: object, source: string, target: string, seen: number): Request[] => [
  request('load', { ...('kind' in config ? learning : small), ...config }),
  request('task'),
  request('pairs', 'train', 0, 5),
  request('pairs', 'test', 0, 3),
  request('read', source, target),
  request('trace'),
  ...values(seen, 0, 7),
  request('train', 25),
  request('train', 1),
  request('read', source, ''),
  request('run', []),
  request('generate', source, {}),
  request('generate', source, { method: 'beam', width: 3, length_normalisation: 0.6, max_length: 12 }),
  request('generate', source, { method: 'sample', temperature: 0.8, top_k: 5, top_p: 0.9, seed: 3 }),
  request('generate', source, { method: 'sample', seed: 4, max_length: 20 }),
  request('evaluate', 'validation', 40, 0),
  ...Array.from({ length: 6 }, () => request('evaluateMore')),
  request('save'),
];

const refusals: Request[] = [
  request('generate', 'abc', { method: 'guess' }),
  request('generate', 'abc', { method: 'beam', width: 0 }),
  request('evaluate', 'everything', 0, 0),
  request('evaluate', 'test', -1, 0),
  request('pairs', 'test', -1, 3),
  request('read', 'abc', 'a'.repeat(64)),
  request('load', { ...small, task: 'juggling' }),
  request('generationCost', 3),
  request('estimate', { ...small, task: 'dates', hidden: 100_000 }),
];
const nowhere = request('generationCost', 0);

const tasks: Record<string, Request[]> = {
  'a GRU with attention learns to reverse': [
    ...taskStory({ task: 'reverse', bidirectional: true, schedule: 'cosine' }, 'abcde', 'edcba', 60),
    request('evaluate', 'test', 12, 7),
    ...Array.from({ length: 2 }, () => request('evaluateMore')),
    request('estimate', { ...small, task: 'dates' }),
    ...refusals,
  ],
  'an LSTM without attention learns dates': taskStory(
    { task: 'dates', cell: 'lstm', attention: 'none', forcing: 0.5, steps: 30 },
    '3 May 2021',
    '2021-05-03',
    40,
  ),
  'Luong’s attention translates': taskStory(
    { task: 'translate-en-fr', attention: 'luong', window: 'local_p', half_width: 2 },
    'the cat sleeps .',
    'le chat dort .',
    40,
  ),
  'own pairs': taskStory(
    { pairs: 'ab\tba\ncd\tdc\nef\tfe\nabc\tcba\n', cell: 'rnn', attention: 'none', context: 'every_step' },
    'abf',
    'fba',
    20,
  ),
  'a Transformer translates, and its pronouns are counted': [
    ...taskStory(
      { kind: 'transformer', task: 'translate-en-fr', model_size: 12, heads: 3, feed_forward: 16, positions: 'rotary' },
      'the cat is big',
      '',
      60,
    ),
    request('evaluate', 'pronouns', 20, 0),
    request('evaluateMore'),
  ],
  'a language model continues a text, and its cache is counted': [
    request('load', { ...learning, kind: 'transformer_lm', task: 'stories', model_size: 12, heads: 2, layers: 2 }),
    request('train', 20),
    request('generationCost', 1),
    request('generationCost', 40),
    nowhere,
  ],
};

const words: Record<string, number> = { inf: Infinity, '-inf': -Infinity, nan: NaN };
const unworded = (value: unknown): unknown => (typeof value === 'string' ? (words[value] ?? value) : value);

/** The arguments for JavaScript; the native session reads them as JSON. */
const given = ({ call, args }: Request): unknown[] =>
  call === 'restore' ? [fromHex(args[0] as string)] : args.map(unworded);

const [native, sanitised] = builds('unroll_session') as [string, string?];

/** Sends the calls to a native session; returns its replies, one per line. */
function played(program: string, story: Request[]): string[] {
  const { status, output, complaints } = run(program, [], story.map((each) => JSON.stringify(each)).join('\n'));
  const lines = output.trim().split('\n');
  expect({ status, complaints, lines: lines.length }).toEqual({ status: 0, complaints: '', lines: story.length });
  return lines;
}

/** Sends the calls to both engines, which must give the same replies, and returns these. */
async function agree(story: Request[]): Promise<Reply[]> {
  const expected = played(native, story);
  const session = new (await engine()).Session();
  const replies = story.map((each, i) => {
    const method = session[each.call as Method] as (...args: unknown[]) => unknown;
    const reply = plain(method.call(session, ...given(each)));
    expect(reply, `${i}: ${each.call}`).toEqual(JSON.parse(expected[i]!));
    return reply as Reply;
  });
  session.delete();
  return replies;
}

it('a sequence of calls', async () => {
  await agree(story);
});

it('the update of every optimiser, step by step', async () => {
  const replies = await agree(updates);
  const counts = updates.flatMap(({ call }, i) =>
    call === 'run' ? [(replies[i]!.value as { update: number }).update] : [],
  );
  expect(Math.min(...counts)).toBeGreaterThan(3);
});

it.each(Object.entries(tasks))('%s', { timeout: 60_000 }, async (_, story) => {
  const replies = await agree(story);
  story.forEach((each, i) =>
    expect(replies[i]!.ok, `${i}: ${each.call}: ${replies[i]!.id}`).toBe(![...refusals, nowhere].includes(each)),
  );
});

// The sanitizers abort the session at the first memory error or undefined arithmetic.
it.runIf(wholeRun).each(Object.entries({ 'a sequence of calls': story, 'the updates': updates, ...tasks }))(
  'sanitised: %s',
  { timeout: 300_000 },
  (_, story) => {
    const [replies, expected] = [played(sanitised!, story), played(native, story)];
    story.forEach(({ call }, i) => expect(replies[i], `${i}: ${call}`).toBe(expected[i]));
  },
);

it('a session restored from another engine’s file equals one that never stopped', { timeout: 60_000 }, async () => {
  const load = request('load', { ...small, task: 'reverse', bidirectional: true });
  const trained = async (story: Request[]): Promise<unknown> =>
    (await agree([...story, request('save')])).at(-1)!.value;
  const half = await trained([load, request('train', 100)]);
  const resumed = await trained([load, request('restore', half), request('train', 100)]);
  expect(resumed).toEqual(await trained([load, request('train', 200)]));
  expect(resumed).not.toEqual(half);
});
