// The guide to writing models: its programs run, its links open what the workbench itself would set, and what it says
// of the engine is so.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { programModule } from '../../web/plugin/engine-module';
import { readGuide } from '../../web/plugin/guide';
import { openGuide, readContext } from '../../web/plugin/library';
import type { Config, EvaluationInfo } from '../../web/src/engine/types';
import { decodeLink } from '../../web/src/lab/link/link';
import { unpack } from '../../web/src/lab/link/table';
import { changesOf, CHOICES, settingsOf, startOf } from '../../web/src/workbench/models';
import type { Recipes } from '../../web/src/workbench/settings';
import { engine as wholeEngine, fromRoot, value } from '../bindings/modules';
import { said } from '../bindings/translation';
import { runOf, sessionOf, tested } from '../web/views-engine';

const read = (path: string): string => readFileSync(fromRoot(path), 'utf8');
const source = read('lessons/write/guide.md');
const session = new (await wholeEngine()).Session();
const guide = await openGuide();
const recipes: Recipes = async (task, model) => value(session.recipe(task, model));
/** That of the workbench's page. */
const SEED = 7;

const stateIn = async (address: string): Promise<Config> =>
  unpack(await decodeLink(address.slice(address.indexOf('#')))).state.config;
const states = await Promise.all(guide.addresses.map(stateIn));
const named = guide.openings.map((opening, i) => [`${i + 1}. ${opening.kind} ${opening.part ?? ''}`, i] as const);

/** Trains the model and has it write 200 new words. */
async function trained(config: Config): Promise<EvaluationInfo> {
  const session = await sessionOf({ ...config, seed: SEED });
  value(session.train(Number(config.steps)));
  const reached = tested(session, 200);
  session.delete();
  return reached;
}

/** The first mistake in a program, as the editor shows it. */
function mistakeIn(program: string): string {
  const { mistake } = value(session.outline({ kind: 'program', program, seed: SEED }));
  return mistake ? said(mistake) : '';
}

describe.each(named)('link %s', (_, i) => {
  const { kind, task, part, given, program } = guide.openings[i]!;

  it('opens a model that runs', async () => {
    expect((await runOf({ ...states[i], seed: SEED })).trace.nodes).not.toEqual([]);
  });

  it('sets what choosing it on the workbench sets', async () => {
    const choice = CHOICES.find((each) => each.kind === kind)!;
    const start = await startOf(choice, recipes);
    const learnt = task === undefined ? {} : await changesOf(choice, { task }, start, recipes);
    const parts = part === undefined ? {} : await changesOf(choice, { part }, start, recipes);
    const chosen = { ...start, ...learnt, ...parts, ...given };
    const defined = Object.fromEntries(Object.entries(chosen).filter(([, each]) => each !== undefined));
    expect(states[i]).toEqual({ ...defined, ...(program !== undefined && { program }) });
    if (part !== undefined) expect(program).toBe((parts as Config).program);
  });
});

it('five programs build a model: each learns more, and the last is right for 99 words of 100', async ({ annotate }) => {
  const reversing = states.filter(({ kind, task }) => kind === 'program_seq2seq' && task === 'reverse');
  const opened = reversing.filter(({ steps }) => steps === 500);
  const steps = [...new Map(opened.map((state) => [state.program, state])).values()]; // a stage opens the one before, too
  expect(steps).toHaveLength(5);
  const reached = await Promise.all(steps.map(trained));
  const words = reached.map((of) => `exact match ${of.exactMatch}, perplexity ${of.perplexity.toFixed(3)}`);
  await annotate(words.join('; '));
  const perplexities = reached.map(({ perplexity }) => perplexity);
  expect(perplexities).toEqual([...perplexities].sort((a, b) => b - a));
  expect(reached.slice(0, 3).map(({ exactMatch }) => exactMatch)).toEqual([0, 0, 0]);
  expect(reached[3]!.exactMatch).toBeLessThan(0.2);
  expect(reached[4]!.exactMatch).toBeGreaterThan(0.99);
});

it('the same program copies, when its places are counted from the start', async () => {
  expect((await trained(states.find(({ task }) => task === 'copy')!)).exactMatch).toBeGreaterThan(0.99);
});

/** Of a run, as the engine's source has them. */
const LIMITS = {
  ...{ operations: "200'000", statements: "1'000'000", expressions: "10'000'000", items: "20'000'000" },
  ...{ values: "400'000'000", multiply_adds: '1e10' },
};

describe('what it says', () => {
  const attention = read('lessons/programs/attention.py');

  it('quotes the engine’s own messages', () => {
    const quoted = [...source.matchAll(/^> (line .*)$/gm)].map(([, message]) => message);
    const made = [attention.replace('K.T', 'K'), attention.replace('softmax(scores, dim=-1)', 'log(scores)')];
    expect(quoted).toEqual(made.map(mistakeIn));
  });

  it('asks for changes that run', () => {
    const words = read('lessons/write/words.py');
    const squares = read('lessons/write/squares.py');
    const changes = [
      [attention, 'K=randn(5, 3), V=randn(5, 2)', 'K=randn(6, 3), V=randn(6, 2)'],
      [squares, 'return d * d', 'return (d * d).mean()'],
      [words, 'project("W_K"', 'project("W_Q"'],
    ] as const;
    for (const [text, from, to] of changes) {
      expect(text).toContain(from);
      expect(mistakeIn(text.replace(from, to))).toBe('');
    }
  });

  it('names every part of a model, as the engine calls it', () => {
    const offered = CHOICES.flatMap((choice) => settingsOf(choice))
      .filter(({ key }) => key === 'part')
      .flatMap(({ options }) => options!.filter((part) => part !== 'none'));
    const forms = [...read('engine/models/program/learner_parts.cpp').matchAll(/PartForm \w+\{"(\w+)",\s+"([^"]+)"/g)];
    expect(new Set(forms.map(([, part]) => part))).toEqual(new Set(offered));
    for (const [, part, call] of forms) {
      const row = source.split('\n').find((line) => line.includes(`part=${part} `))!;
      expect(row).toContain(`\`${call}\``);
    }
  });

  it('names the budget of a run', () => {
    const budget = /struct Budget \{[^]*?\n\};/.exec(read('engine/program/budget.h'))![0];
    for (const [what, limit] of Object.entries(LIMITS)) expect(budget).toContain(`${what} = ${limit};`);
    expect(budget).toContain('{384} << 20');
    const prose = source.replace(/\s+/g, ' ');
    expect(prose).toContain(
      '200,000 operations, a million statements, 10,000,000,000 multiplications in products, and 384 MB',
    );
    expect(prose).toContain('10,000,000 expressions, go over 20,000,000 items');
    expect(prose).toContain('400,000,000 values of tensors');
  });

  it('has what it says is missing refused', () => {
    const mistakeOf = (line: string): string => mistakeIn(`def f(x=ones(2)):\n    ${line}\n    return x\n`);
    const statements = ['yield x', 'm = 1j', "m = open('x')", 'import torch; torch.optim.Adam([])'];
    const calls = ['m = x[::-1]', 'm = ones(1, 1, 1, 1, 1, 1, 1)', 'm = ones(2, 2, 2).T'];
    for (const line of [...statements, ...calls]) expect(mistakeOf(line), line).not.toBe('');
    const others = ['(x > 0) & ~(x > 1)', 'x[x > 0]', '(x > 0) == 0', 'where(x > 0, x, 0)', 'flip(x, [0])', 'x.long()'];
    for (const value of others) expect(mistakeOf(`m = ${value}`), value).toBe('');
  });

  it('has every function and method once', () => {
    const all = value(session.operations());
    const calls = [...guide.html.matchAll(/<dt id="[\w-]+"><code[^>]*>(?:\w+\.)?(\w+)\(/g)].map(([, name]) => name!);
    const functions = all.filter(({ isMethod }) => !isMethod).map(({ name }) => name);
    for (const { name } of all) expect(calls).toContain(name);
    expect(calls.filter((name) => functions.includes(name)).length).toBeGreaterThanOrEqual(functions.length);
    expect(calls.length).toBeLessThan(all.length);
  });
});

describe('a mistake in it is refused at its place', () => {
  const refused = async (text: string): Promise<string> => {
    const context = { ...readContext(), programs: new Map([['a.py', 'def f():\n    return 1\n']]) };
    return readGuide(text, { ...context, session: new (await programModule()).Session() }).then(
      () => '',
      ({ message }: Error) => message.replace('lessons/write/guide.md:', ''),
    );
  };

  const mistakes = {
    ':::program{file="b.py" kind="program"}\n:::':
      '1:1: There is no program lessons/b.py: correct its path, or put it there.',
    '\n:open[It]{kind="programme"}': '2:1: The workbench has no model of the kind "programme".',
    'A\n\n:open[It]{kind="program_lm" task="stories"}': '3:1: The link opens a program: give its "file".',
    ':::table\n```yaml\nhead: [a, b]\nrows:\n  - [c, d, e]\n```\n:::':
      '1:1: The table has 2 columns, and the row "c" has 3: quote texts with commas.',
    'It is $x$.': 'The guide has a formula, and no fonts for one: write it as code.',
    ':::step{at="x"}\n:::':
      '1:1: The directive "step" is not known: use one of note, term, open, program, table or reference.',
    '[there](../no-lesson/)': '1:1: The link "../no-lesson/" leads to a lesson that does not exist',
  };
  it.each(Object.entries(mistakes))('%j', async (text, message) => expect(await refused(text)).toContain(message));
});
