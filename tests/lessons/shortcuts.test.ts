// No exercise is solved by a single act that takes no thought, and a goal that is not reached yet says why in words.
// Such acts are what a lesson's own buttons do, and what a learner can copy or try one by one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBench, type BenchLesson } from '../../web/plugin/lesson';
import { presetMask } from '../../web/src/figures/mask/mask-scene';
import { forgetTrained, perform, type Work } from '../../web/src/lesson/run';
import type { Changes } from '../../web/src/lesson/changes';
import { BadExpression, namesIn, numberOf, only } from '../../web/src/lesson/expression';
import type { Lookup } from '../../web/src/lesson/facts';
import { Refused, unwrap } from '../../web/src/engine/refused';
import type { TaskOf } from '../../web/src/lesson/format/tasks';
import { CHOICES } from '../../web/src/workbench/models';
import type { OperationInfo } from '../../web/src/engine/types';
import { openWasm, type Opened } from './sessions';
import { LessonProblem } from '../../web/plugin/problem';
import { gradeCode } from '../../web/src/lesson/code/grade-code';
import { UnreadableAnswer, type Answer } from '../../web/src/lesson/task/answer';
import { grade, rightOption } from '../../web/src/lesson/task/grade';
import { demandsOf, sentenceFor } from '../../web/src/lesson/task/feedback';
import { workOf } from '../../web/plugin/work';
import { settled } from './lesson-work';
import { isPatient, library, weightsOf } from './library';
import { remembering } from './remembering';
import { htmlOf, textIn } from './html-of';
import { engine, value } from '../bindings/modules';

/** Suggestions of what to read that the workbench takes from the validation split. */
const SUGGESTED = 3;
/** Elements of a tensor that are tried one by one. */
const MAX_ELEMENTS = 64;
const MASKS = ['none', 'causal', 'padding', 'window'] as const;

const distinct = <T>(items: readonly T[]): T[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];

/** One press of each button: `try`, `step … given`, settings with a closed list of values, masks, suggested pairs. */
async function presses(session: Opened, base: Work, lesson: BenchLesson, task: TaskOf<'goal'>): Promise<Changes[]> {
  const { offers, anchors } = lesson.found;
  const given = anchors.map((anchor) => anchor.given).filter((changes) => Object.keys(changes).length);
  return distinct([
    ...offers.map((offer) => offer.with),
    ...given,
    ...settingsIn(task.change),
    ...(lesson.head.views.includes('mask') ? await masks(session, base) : []),
    ...(task.change.includes('pair') ? await suggestions(session, base) : []),
  ]);
}

function settingsIn(names: readonly string[]): Changes[] {
  const settings = CHOICES.flatMap(({ settings, more = [] }) => [
    settings,
    ...more.map((group) => group.settings),
  ]).flat();
  return settings
    .filter(({ key }) => names.includes(key))
    .flatMap(({ key, start, options }) =>
      (options ?? (typeof start === 'boolean' ? [true, false] : [])).map((value) => ({ [key]: value })),
    );
}

async function masks(session: Opened, base: Work): Promise<Changes[]> {
  const { shape } = (await perform(session, base)).trace.nodes.find(({ name }) => name === 'mask')!;
  const [rows, columns] = shape as [number, number];
  const sizes = Array.from({ length: columns }, (_, i) => i + 1);
  return MASKS.flatMap((preset) => sizes.map((size) => ({ mask: presetMask(preset, rows, columns, size) })));
}

async function suggestions(session: Opened, base: Work): Promise<Changes[]> {
  await perform(session, base);
  const { separator } = (await unwrap(session.task()))!;
  const pairs = await unwrap(session.pairs('validation', 1, SUGGESTED));
  return pairs.map(({ source }) => ({ pair: [source.join(separator), ''] as [string, string] }));
}

/**
 * Each tensor, each function of one, and their elements, as far as they have the answer's value on the lesson's own
 * numbers: an expression without a thought.
 */
async function single(session: Opened, base: Work, { using, answer }: TaskOf<'write'>): Promise<string[]> {
  const run = await only([...using, answer].flatMap(namesIn), await perform(session, base));
  const right = await numberOf(session, answer, run);
  const isRight = async (text: string): Promise<boolean> => {
    try {
      const value = await numberOf(session, text, run);
      return Object.is(value, right) || Math.abs(value - right) <= 1e-3 * Math.max(1, Math.abs(right));
    } catch (error) {
      if (error instanceof BadExpression) return false;
      throw error;
    }
  };
  const found: string[] = [];
  for (const text of expressions(using, await run.lookup([]))) if (await isRight(text)) found.push(text);
  return found;
}

/** Of one value, or of as many as it is given. */
const ONES = [
  ...'sum max min mean argmax abs exp log sqrt tanh sigmoid'.split(' ').map((name) => (of: string) => `${name}(${of})`),
  (of: string) => `sqrt(sum(square(${of})))`,
  (of: string) => `softmax(${of}, dim=-1)`,
];

function expressions(using: readonly string[], lookup: Lookup): string[] {
  return using.flatMap((text) => {
    const elements = positionsIn(lookup(namesIn(text)[0]!)!.shape).map((at) => `[${at}]`);
    const whole = [text, ...ONES.map((f) => f(text))];
    return [...whole, ...elements.flatMap((at) => [...whole.map((all) => all + at), ...ONES.map((f) => f(text + at))])];
  });
}

/** Indices of the elements, and of the rows, that are counted first. */
function positionsIn(shape: readonly number[]): string[] {
  const all = shape.reduce<number[][]>(
    (found, size) => found.flatMap((at) => Array.from({ length: size }, (_, i) => [...at, i])).slice(0, MAX_ELEMENTS),
    [[]],
  );
  return distinct(all.flatMap((at) => at.map((_, depth) => at.slice(0, depth + 1).join(',')))).filter(Boolean);
}

/** The start with one body of a function or of `forward` replaced by an operation on its parameters, or by two of them and a sign. */
function lone(start: string, operations: readonly OperationInfo[]): string[] {
  const functions = operations.filter(({ isMethod }) => !isMethod);
  return [...start.matchAll(BODY)].flatMap(([whole, indent, list]) => {
    const names = list!.split(', ');
    const pairs = names.flatMap((a) => names.filter((b) => b !== a).map((b) => [a, b] as const));
    const bodies = [
      ...names,
      ...names.flatMap((name) => functions.flatMap((f) => [`${f.name}(${name})`, ...alongLast(f, name)])),
      ...pairs.flatMap(([a, b]) => SIGNS.map((sign) => `${a} ${sign} ${b}`)),
      ...pairs.flatMap(([a, b]) => functions.filter(takesTwo).map((f) => `${f.name}(${a}, ${b})`)),
    ];
    const head = whole.slice(0, whole.indexOf('\n') + 1);
    return bodies.map((body) => start.replace(whole, () => `${head}${indent}    return ${body}\n\n`));
  });
}

/** A function, or a method `forward`, with its indent and its parameters. */
const BODY = /^( *)def (?:forward\(self, |(?<=^def )\S+?\()(.*?)\):.*\n(?:(?:\1 .*)?\n)*/gm;

const SIGNS = ['+', '-', '*', '/', '@'];
const alongLast = ({ name, parameters }: OperationInfo, of: string): string[] =>
  parameters.includes('dim') ? [`${name}(${of}, dim=-1)`] : [];
const takesTwo = ({ parameters }: OperationInfo): boolean => parameters.includes(',');

/** The numbers that stand in the question itself. */
function printed(lesson: BenchLesson, id: string): string[] {
  const question = new RegExp(`<u-task id="${id}".*?</u-task>`, 's').exec(lesson.html)![0];
  const read = textIn(question.replace(/<small>.*?<\/small>/gs, '').replace(/<annotation.*?<\/annotation>/gs, ' '));
  return distinct([...read.replaceAll('−', '-').matchAll(/-?\d+(?:\.\d+)?/g)].map(([number]) => number));
}

/** An expression, a path in the model or a gap, or the sentence for a goal without words. */
const RAW = /[=<>!]=|argmax|["{}]|\w\.\w+\/|\w\/\S|undefined| ,|  |The goal is not reached yet/;
/** Milliseconds; a press may train a model. */
const PATIENCE = 300_000;

/** What somebody picks who looks at the lengths of the options only. */
const RULES: Record<string, (sizes: readonly number[]) => number> = {
  'the longest option': (sizes) => sizes.indexOf(Math.max(...sizes)),
  'the shortest option': (sizes) => sizes.indexOf(Math.min(...sizes)),
};
const guessed: Record<string, number> = {};
let questions = 0;

/** Counts the rules that pick the right option. */
async function guess(session: Opened, base: Work, task: TaskOf<'choose'>): Promise<void> {
  const right = await rightOption(session, base, task);
  const sizes = task.options.map(({ text }) => textIn(text).length);
  questions++;
  for (const [rule, pick] of Object.entries(RULES))
    guessed[rule] = (guessed[rule] ?? 0) + Number(pick(sizes) === right);
}

const operations = value(new (await engine()).Session().operations());

function checkOpen(open: readonly string[], atOnce: string | undefined): void {
  if (!atOnce) expect(open).toEqual([]);
  else expect(open.length, 'at_once is not needed').toBeGreaterThan(0);
}

function unlessUnreadable(error: unknown): null {
  if (error instanceof UnreadableAnswer || error instanceof Refused) return null;
  throw error;
}

/** A quick run tries every sixth function and every sixth goal. */
let [functions, goals] = [0, 0];

const readable = library.flatMap(([slug, lesson]) =>
  lesson instanceof LessonProblem || !hasBench(lesson) ? [] : [[slug, lesson] as const],
);

describe.each(readable)('/lessons/%s/', { timeout: PATIENCE }, (_, lesson) => {
  const base = workOf(lesson, weightsOf);
  let session: Opened;
  beforeAll(async () => {
    forgetTrained();
    session = remembering(await openWasm());
    for (const task of Object.values(lesson.found.tasks)) if (task.kind === 'choose') await guess(session, base, task);
  }, PATIENCE);
  afterAll(() => session?.close());

  for (const [id, task] of Object.entries(lesson.found.tasks)) {
    if (task.kind === 'code') {
      it.runIf(isPatient || functions++ % 6 === 0)(`${id} is not solved by one operation alone`, async () => {
        const open: string[] = [];
        for (const text of lone(task.function!.start, operations)) {
          const verdict = await gradeCode(session, task.function!, text).catch(unlessUnreadable);
          if (verdict?.right) open.push(text);
        }
        checkOpen(open, task.function!.at_once);
      });
      continue;
    }
    if (task.kind === 'choose') continue; // see the rules of thumb
    const isRight = async (answer: Answer): Promise<boolean> =>
      (await grade(session, base, task, answer).catch(unlessUnreadable))?.right ?? false;

    /** The single acts that the exercise accepts, in words. */
    const accepted = async (): Promise<string[]> => {
      const open: string[] = [];
      if (task.kind === 'goal')
        for (const changes of await presses(session, base, lesson, task))
          if (await isRight(await settled(session, base, { changes }))) open.push(JSON.stringify(changes));
      if (task.kind === 'write')
        for (const text of await single(session, base, task)) if (await isRight(text)) open.push(text);
      if (task.kind === 'number') for (const text of printed(lesson, id)) if (await isRight(text)) open.push(text);
      return open;
    };

    it.runIf(isPatient || task.kind !== 'goal' || goals++ % 6 === 0)(
      `${id} is not solved by a single act without thought`,
      async () => {
        const open = await accepted();
        checkOpen(open, 'at_once' in task ? task.at_once : undefined);
      },
    );

    if (task.kind === 'goal')
      it(`${id} says in words what does not hold yet`, async () => {
        const demands = demandsOf(task.goal);
        if (task.unmet) expect(task.unmet.length, 'sentences in "unmet", one for each part').toBe(demands.length);
        const run = await perform(session, base, task.solution[0] as Changes); // has all tensors of the goal
        for (const [i, demand] of demands.entries()) {
          const message = await sentenceFor(session, demand, task.unmet?.[i] ?? null, run, lesson.head.labels);
          expect(textIn(htmlOf(message)), demand).not.toMatch(RAW);
        }
      });
  }
});

it('no rule of thumb answers half of the questions', async ({ annotate, skip }) => {
  if (!questions) skip();
  for (const [rule, right] of Object.entries(guessed)) {
    await annotate(`${rule} is right in ${right} of ${questions} questions`);
    expect(right, rule).toBeLessThan(questions / 2);
  }
});
