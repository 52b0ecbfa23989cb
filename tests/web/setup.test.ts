// Everything that the workbench offers loads in the engine; what is typed into it is parsed.
import { beforeAll, describe, expect, it } from 'vitest';
import { ATTENTION, changesOf, CHOICES, SCORES, settingsOf, startOf } from '../../web/src/workbench/models';
import { labelOf } from '../../web/src/messages/en/workbench';
import { withTask, OWN, TASKS, type Choice, type Recipes } from '../../web/src/workbench/settings';
import { allOfThem, countsOf, rangeOfLine, sizeWords, unknownWords } from '../../web/src/ui/words';
import { typed } from '../../web/src/ui/numbers';
import { configOf, withConfig } from '../../web/src/lab/changes';
import { KINDS } from '../../web/src/engine/kinds';
import { readPage } from '../../web/src/lab/page';
import { emptyState } from '../../web/src/lab/link/table';
import type { Engine, Config, TaskInfo } from '../../web/src/engine/types';
import { engine as wholeEngine, some } from '../bindings/modules';
import { said } from '../bindings/translation';

it('is read like the current value, with either decimal sign', () => {
  expect(typed('0,5', 1)).toBe(0.5);
  expect(typed('7', 1)).toBe(7);
  expect(typed('1 5 2,5', [1])).toEqual([1, 5, 2.5]);
  expect(typed('3', [1, 2])).toEqual([3]);
  expect(typed('dot', 'scaled_dot')).toBe('dot');
});

it('stays text if it cannot be read: the engine says what it takes', () => {
  expect(typed(' many ', 1)).toBe('many');
  expect(typed(' ', 1)).toBe('');
  expect(typed('1 two', [1, 5])).toBe('1 two');
  expect(typed('NaN', 1)).toBe('NaN');
  expect(typed('x'.repeat(1000), 1)).toHaveLength(30);
});

const choice = (kind: string): Choice => CHOICES.find((one) => one.kind === kind)!;
const seq2seq = choice('seq2seq');
const PAIRS = 'a b\tx y\nb c\ty z\nc d\tz x\nd e\tx z';

describe('in the engine', () => {
  let engine: Engine;
  const known = new Map<string, string>();
  /** The engine's refusal, or nothing; many choices make the same model. */
  const load = (config: Config): string => {
    const text = JSON.stringify(config);
    if (!known.has(text)) {
      const session = new engine.Session();
      const reply = session.load(JSON.parse(text) as Config);
      session.delete();
      known.set(text, reply.ok ? '' : said(reply));
    }
    return known.get(text)!;
  };
  const recipes: Recipes = (task, model) => {
    const own = new engine.Session().recipe(task, model);
    return own.ok ? Promise.resolve(own.value) : Promise.reject(new Error(said(own)));
  };
  beforeAll(async () => void (engine = await wholeEngine()));

  it('offers every score function of the engine', () => {
    const words = load({ kind: 'attention', score: '?' }).split(/[^a-z_]+/);
    expect(SCORES.toSorted()).toEqual(words.slice(words.lastIndexOf('of') + 1, -1));
  });

  it('offers every kind whose row gives it a place, each with settings or a program', () => {
    const rows = Object.keys(KINDS).filter((kind) => KINDS[kind]!.workbench);
    expect(CHOICES.map(({ kind }) => kind)).toEqual(expect.arrayContaining(rows));
    for (const { kind, settings, program } of CHOICES) expect(settings.length || program, kind).toBeTruthy();
  });

  it.each(TASKS)('for %s it takes the engine’s recipe, with every cell and attention', async (task) => {
    for (const model of ['rnn', 'gru', 'lstm', 'gru-attention', 'lstm-attention', 'gru-luong']) {
      const { kind, ...own } = await recipes(task, model);
      const chosen = await withTask({ task }, { kind: kind!, cell: own.cell!, attention: own.attention! }, recipes);
      expect(JSON.parse(JSON.stringify(chosen))).toEqual({ kind: 'seq2seq', ...own });
    }
  });

  it.each(TASKS)('for %s the transformer takes the engine’s recipe, and from any other task', async (task) => {
    const own = await recipes(task, 'transformer');
    for (const before of TASKS) {
      const now = await withTask({ task: before }, { kind: 'transformer' }, recipes);
      const chosen = await changesOf(choice('transformer'), { task }, now, recipes);
      expect(JSON.parse(JSON.stringify(chosen))).toEqual({ ...own, key_value_heads: own.heads });
    }
    expect(load(own)).toBe('');
  });

  it('a setting that depends on another follows it', async () => {
    for (const [kind, changes, key, value] of [
      ['attention_layer', { mask: 'window', positions: 'alibi', padding: 1 }, 'form', 'linear'],
      ['attention_layer', { mask: 'causal', source_words: 3 }, 'form', 'linear'],
      ['attention_layer', { projections: 'none' }, 'heads', 4],
      ['attention_layer', { key_size: 3, value_size: 5 }, 'projections', 'none'],
      ['transformer', { heads: 4, key_value_heads: 4 }, 'heads', 2],
      ['captioner', { score: 'dot', hidden: 32 }, 'channels', 64],
    ] as const) {
      const now: Config = { ...(await startOf(choice(kind), recipes)), ...changes };
      expect(load({ ...now, [key]: value, ...(await choice(kind).dependents!(key, value, now, recipes)) })).toBe('');
    }
  });

  it.each(CHOICES)('every setting of $title has a label', (one) => {
    for (const { key } of settingsOf(one)) expect(labelOf(one.kind, key), key).toMatch(/\S/);
  });

  it.each(CHOICES)('$title refuses unreadable text and gives the range', async (one) => {
    const start = await startOf(one, recipes);
    for (const { key, start: value, when } of settingsOf(one))
      if (typeof value === 'number' && (when?.(start) ?? true))
        expect(load({ ...start, [key]: typed('many', value) }), key).toMatch(
          new RegExp(`^${key} is "many": use a (whole )?number, \\S+ to \\S+.*\\.$`),
        );
  });

  it('a transformer learns own pairs', async () => {
    const now = { ...(await startOf(choice('transformer'), recipes)), length: 12 };
    const config = await withTask({ pairs: PAIRS }, now, recipes);
    expect(config).toMatchObject({ kind: 'transformer', pairs: PAIRS, model_size: 64 });
    expect(load(config)).toBe('');
  });

  it.each(CHOICES)(
    '$title loads with its defaults, and its fields show them, but for a program, which the code pane shows',
    async (one) => {
      const start = await startOf(one, recipes);
      expect(load(start)).toBe('');
      const keys = settingsOf(one).map(({ key }) => key);
      const { kind: _, program: __, ...shown } = start;
      expect(keys).toEqual(expect.arrayContaining(Object.keys(shown)));
      for (const { key, start: otherwise } of settingsOf(one))
        if (start[key] !== undefined) expect(typeof start[key]).toBe(typeof otherwise);
    },
  );

  it.each(some(CHOICES, ({ kind }) => !/^(seq2seq|transformer|captioner)/.test(kind)))(
    'every value on a list of $title loads',
    async (one) => {
      for (const { key, options = [], start, when } of settingsOf(one)) {
        const values = typeof start === 'boolean' ? [true, false] : options.filter((value) => value !== OWN);
        for (const value of values) {
          const now = await startOf(one, recipes);
          const config = { ...now, ...(await changesOf(one, { [key]: value }, now, recipes)) };
          if (when?.(now) ?? true) expect(load(config), `${key}: ${value}`).toBe('');
        }
      }
    },
    90_000,
  );

  it('a field without a setting shows the engine’s default', async () => {
    for (const one of some(CHOICES, (_, i) => i % 3 === 1)) {
      const begun = await startOf(one, recipes);
      const names = (config: Config): unknown => {
        const session = new engine.Session();
        const reply = session.load(config);
        session.delete();
        return reply.ok ? reply.value.parameters : said(reply);
      };
      for (const { key, start, when } of settingsOf(one))
        if (!(key in begun) && (when?.(begun) ?? true))
          expect(names({ ...begun, ...(key !== 'part' && { [key]: start }) }), `${one.kind} ${key}`).toEqual(
            names(begun),
          );
    }
  }, 90_000);

  it.each(ATTENTION)('attention %s can be chosen from each of the others, for each task', async (attention) => {
    for (const task of TASKS)
      for (const before of ATTENTION) {
        const start = await startOf(seq2seq, recipes);
        const now: Config = await withTask({ task }, { ...start, attention: before, context: 'first_state' }, recipes);
        if (before === 'none') now.context = 'every_step';
        expect(load({ ...now, attention, ...(await seq2seq.dependents!('attention', attention, now, recipes)) })).toBe(
          '',
        );
      }
  });

  it('own pairs replace the task and everything that belongs to it', async () => {
    const now = { ...(await startOf(seq2seq, recipes)), length: 12, seed: 3 };
    const config = await withTask({ pairs: PAIRS }, now, recipes);
    expect(load(config)).toBe('');
    expect(load(await withTask({ task: 'dates' }, config, recipes))).toBe('');
    expect(load(await withTask({ pairs: 'a b\tx\nno tab' }, now, recipes))).toBe(
      'Line 2 has no tab: write source, tab, target.',
    );
  });
});

it('another task leaves nothing of the previous one in the state', async () => {
  const recipes: Recipes = () => Promise.resolve({ hidden: 8, steps: 350 });
  const page = readPage({ lesson: '', config: '{"kind":"attention"}', seed: '7' });
  const begun = withConfig(page, emptyState(''), { ...(await startOf(seq2seq, recipes)), length: 12 });
  const own = withConfig(page, begun, await withTask({ pairs: PAIRS }, configOf(page, begun), recipes));
  expect(own.config).toMatchObject({ kind: 'seq2seq', pairs: PAIRS });
  for (const key of ['task', 'length', 'digits']) expect(own.config).not.toHaveProperty(key);
  const dates = withConfig(page, own, await withTask({ task: 'dates' }, configOf(page, own), recipes));
  expect(dates.config).toMatchObject({ task: 'dates', steps: 350 });
  expect(dates.config).not.toHaveProperty('pairs');
  expect(dates.seed).toBeNull();
});

/** Of each language this many words, and the four that every vocabulary has. */
const task = (source: number, target: number, train: number, form: TaskInfo['form'] = 'pairs'): TaskInfo => ({
  ...{ name: 'own-pairs', form, separator: ' ', truePerplexity: NaN, train, validation: 20, test: 30 },
  sourceWords: Array.from({ length: source + 4 }, String),
  targetWords: Array.from({ length: target + 4 }, String),
});

it('a task is described in numbers', () => {
  expect(countsOf(task(3, 1200, 1900))).toBe(
    '1,900 pairs for training, 20 for validation, 30 for testing; 3 words in the sources, 1,200 in the targets.',
  );
  expect(countsOf(task(3, 1200, 1900, 'texts'))).toBe(
    '1,900 texts for training, 20 for validation, 30 for testing; 1,200 words.',
  );
});

it('a model is described in numbers, and a batch larger than the data is pointed out', () => {
  expect(sizeWords({ parameters: 312464, stepBytes: 25_000_001 })).toBe(
    'A training step takes about 26 MB, and the model has 312,464 parameters.',
  );
  expect(allOfThem(task(0, 0, 3), {})).toBe(
    'The batch size is 64 pairs, but there are only 3 to train on: each step uses all of them.',
  );
  expect(allOfThem(task(0, 0, 3), { batch: 3 })).toBe('');
});

it('the refused line is located in the text', () => {
  const text = 'a\tb\nno tab\nc\td';
  const line = (number: number): string => text.slice(...rangeOfLine(number, text));
  expect([1, 2, 3, 4].map(line)).toEqual(['a\tb', 'no tab', 'c\td', '']);
});

it('words that the model does not know are named once', () => {
  expect(unknownWords(['a', 'b'], ['a', 'b'])).toBe('');
  expect(unknownWords(['a', 'x', 'x'], ['a'])).toBe('The model does not know “x”: it reads <unk> instead.');
  expect(unknownWords(['x', 'y'], [])).toBe('The model does not know “x” and “y”: it reads <unk> instead.');
  expect(unknownWords(['v', 'w', 'x', 'y', 'z'], [])).toBe(
    'The model does not know “v”, “w”, “x” and 2 more: it reads <unk> instead.',
  );
});
