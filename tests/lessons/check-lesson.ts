// Checks everything a lesson says on both engines: anchors, figures, expectations, exercises.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BenchLesson } from '../../web/plugin/lesson';
import type { Figure } from '../../web/plugin/lesson-record';
import { LessonProblem, type Place } from '../../web/plugin/problem';
import { regionOf, shownLines } from '../../web/plugin/engine-sources';
import type { AnsweredTask } from '../../web/src/lesson/format/tasks';
import { forgetTrained, perform, type Run } from '../../web/src/lesson/run';
import { sortChanges, type Changes } from '../../web/src/lesson/changes';
import { holds, numberOf } from '../../web/src/lesson/expression';
import { findNode } from '../../web/src/lab/cursor';
import { UnreadableAnswer } from '../../web/src/lesson/task/answer';
import { grade } from '../../web/src/lesson/task/grade';
import { homeOf } from '../../web/src/lab/place';
import { fromRoot, wholeRun } from '../bindings/modules';
import { checkComparison } from './check-comparison';
import { codeIn, htmlOf, sumsIn, textIn } from './html-of';
import { workOf, type Weights } from '../../web/plugin/work';
import { settled, type Given } from './lesson-work';
import { remembering } from './remembering';
import { ENGINES, NATIVE, openNative, openWasm, type Opened } from './sessions';
import { unwrap } from '../../web/src/engine/refused';
import type { Config } from '../../web/src/engine/types';

/** Float32 carries a little over seven digits. */
const FLOAT32 = 2 ** -22;
/** Milliseconds; a model may need training first. */
const PATIENCE = 300_000;

const source = (file: string): string => readFileSync(fromRoot(file), 'utf8');

/** Lessons whose models train longest; those of the others are of the same kinds. */
const LONG = /^(many-heads|pictures|language-model|alignment|decoding)$/;
/** Training steps of a run that only a patient check repeats. */
const MANY = 1000;
/** Figures for which a model reads a whole split; another check than a patient one takes every third. */
const OF_A_SPLIT = /\b(exact_match|perplexity)\b/;

interface How {
  engines: typeof ENGINES;
  isPatient: boolean;
}

/** Runs on both engines by default, however long it takes. */
export function checkLesson(
  lesson: BenchLesson,
  weights: Weights,
  { engines, isPatient }: How = { engines: ENGINES, isPatient: true },
): void {
  const { head, found } = lesson;
  const base = workOf(lesson, weights);

  /** Reports an error like the lesson compiler: file, line, column and a sentence. */
  const say = (place: Place, sentence: string): never => {
    throw new LessonProblem(found.file, place, sentence);
  };
  /** Reports the engine's refusals at this place. */
  const sayingOf = <T>(place: Place, asked: Promise<T>): Promise<T> =>
    asked.catch((error: Error) => (error instanceof LessonProblem ? Promise.reject(error) : say(place, error.message)));

  it('shows code that exists', () => {
    const [file, name] = head.show.split('#') as [string, string];
    const lines = source(file).split('\n');
    const region = regionOf(lines, name);
    expect(region, `${name} in ${file}`).not.toBeNull();
    expect(lines.slice(region![0], region![1] + 1).join('\n')).toContain(name);
  });

  if (head.trained && engines.some(([name]) => name === 'WASM'))
    it.runIf(isPatient || !LONG.test(lesson.slug))(
      'comes with the weights that training produces',
      { timeout: PATIENCE },
      async () => {
        expect(digest(weights(lesson))).toBe(await retrained(base.config, head.trained!.steps));
      },
    );

  describe.each(engines)('%s', { timeout: PATIENCE }, (_, open) => {
    let session: Opened;
    beforeAll(async () => {
      forgetTrained();
      session = remembering(await open());
    });
    afterAll(() => session?.close());

    const under = (changes: Changes, work = base): Promise<Run> => perform(session, work, changes);

    it('loads its model and has every tensor that it names; those on the board may be of the model of a step', async () => {
      const { trace } = await under({});
      const isMissing = (name: string): boolean => !findNode(trace, name);
      expect([...(head.opens ? [head.opens] : []), ...Object.keys(head.labels)].filter(isMissing)).toEqual([]);
      let missing = head.board.flat().filter(isMissing);
      for (const { given } of found.anchors) {
        if (!missing.length) break;
        const ofStep = (await under(given)).trace;
        missing = missing.filter((name) => !findNode(ofStep, name));
      }
      expect(missing).toEqual([]);
    });

    it('has every tensor and cell that its text links to', async () => {
      for (const { name, cell, given, place } of found.anchors) {
        const node = findNode((await sayingOf(place, under(given))).trace, name);
        if (!node) say(place, `The model has no tensor "${name}": use the name that the bench shows.`);
        else if (!hasCell(node.shape, cell))
          say(place, `"${name}" has no cell ${cell}: it is ${node.shape.join(' × ')}.`);
      }
    });

    it('opens at the tensor it names, or else at a line of the code it shows', async () => {
      const { trace } = await under({});
      const code = shownLines(head.show, source);
      const home = homeOf({ code, board: head.board, opens: head.opens ?? null }, trace);
      if (head.opens) return expect(home.node).toBe(findNode(trace, head.opens)!.id);
      const { file, line } = trace.scopes[home.scope] ?? trace.nodes[home.node]!;
      expect(`${file}:${line}`).toBe(`${code.file}:${Math.min(code.last, Math.max(code.first, line))}`);
    });

    it('has as many labels as rows and columns', async () => {
      const { trace } = await under({});
      for (const [name, { rows, columns, slices }] of Object.entries(head.labels)) {
        const { shape } = findNode(trace, name)!;
        if (columns) expect(columns.length, name).toBe(shape.at(-1));
        if (rows) expect(rows.length, name).toBe(shape.at(-2));
        if (slices) expect(slices.length, name).toBe(shape.at(-3));
      }
    });

    it('offers only changes that the model accepts', async () => {
      for (const offer of found.offers) await sayingOf(offer.place, under(offer.with));
    });

    let split = 0;
    const takesLong = ({ of, given }: Figure): boolean =>
      Number(given.steps) >= MANY || (OF_A_SPLIT.test(of) && split++ % 3 > 0);
    for (const figure of found.figures) {
      const { text, of, given, digits, place } = figure;
      it.runIf(isPatient || !takesLong(figure))(`${text} = ${of} (line ${place.line})`, async () => {
        const value = await sayingOf(
          place,
          under(given).then((run) => numberOf(session, of, run)),
        );
        const rounding = 0.5 * 10 ** -digits + FLOAT32 * Math.max(1, Math.abs(value));
        if (!(Math.abs(value - Number(text.replace('−', '-'))) <= rounding))
          say(place, `The figure is ${text}, but "${of}" gives ${value.toFixed(digits)}: write that, or correct "of".`);
      });
    }

    it('meets its expectations', async () => {
      const { steps = base.steps, ...bounds } = head.expect;
      const run = await under({}, { ...base, steps: steps as number });
      for (const [of, bound] of Object.entries(bounds)) {
        const text = `${of} ${typeof bound === 'number' ? `== ${bound}` : bound}`;
        expect(await holds(session, text, run), text).toBe(true);
      }
    });

    it.each(Object.keys(found.comparisons))('has a working comparison: %s', async (id) => {
      await checkComparison(session, base, found.comparisons[id]!);
    });

    const answered = Object.entries(found.tasks).flatMap(([id, task]) =>
      task.kind === 'code' ? [] : [[id, task] as const],
    );
    describe.each(answered)('%s', (id, task) => {
      const wrongs = mistakes(task);
      const place = found.taskPlaces[id]!;
      const graded = async (given: Given) =>
        sayingOf(place, grade(session, base, task, await settled(session, base, given)));

      const eitherOr = task.kind !== 'choose';

      if (eitherOr)
        it('accepts every solution', async () => {
          for (const given of solutions(task)) {
            const { right, message } = await graded(given);
            if (!right)
              say(place, `The solution ${quoted(given)} of "${id}" is not accepted: ${textIn(htmlOf(message))}`);
          }
        });

      if (eitherOr)
        it('rejects every wrong answer with an explanation', async () => {
          expect(wrongs.length).toBeGreaterThan(0);
          for (const { answer, why } of wrongs) {
            const { right, message } = await graded(answer);
            if (right) say(place, `The wrong answer ${quoted(answer)} of "${id}" is accepted.`);
            const html = htmlOf(message);
            if (why && html !== why)
              say(
                place,
                `The wrong answer ${quoted(answer)} of "${id}" gets "${html}" instead of its reason "${why}".`,
              );
          }
        });

      if ((task.kind === 'number' || task.kind === 'write') && task.hint)
        it('does not give its answer away in a hint', async () => {
          for (const printed of [task.hint!].flat().flatMap(task.kind === 'number' ? sumsIn : codeIn)) {
            const verdict = await grade(session, base, task, printed).catch(unlessUnreadable);
            expect(verdict.right, printed).toBe(false);
          }
        });

      if (task.kind === 'goal')
        it('is not solved at the start', async () => {
          const unsought = base.stepChanges!.filter((changes) => !allowed(task.change, changes));
          for (const changes of [{}, ...unsought])
            if ((await graded({ changes })).right)
              say(place, `The goal of "${id}" is reached before anything is done: ${JSON.stringify(changes)}.`);
        });

      if (task.kind === 'goal')
        it('can be solved with settings that the lesson offers', async () => {
          const inputs = (await perform(session, base)).info.inputs.map(({ name }) => name);
          // other numbers can be typed into a field; a step's button makes its settings, and its lists are inputs
          const isOffered = ([name, value]: [string, unknown]): boolean =>
            found.anchors.some(({ given }) => (Array.isArray(value) ? name in given : given[name] === value)) ||
            found.offers.some(({ with: offer }) => (typeof value === 'number' ? name in offer : offer[name] === value));
          const settings = task.solution.map((changes) => sortChanges(changes as Changes, inputs).config);
          expect(settings.some((config) => Object.entries(config).every(isOffered))).toBe(true);
        });

      if (task.kind === 'choose')
        it('accepts exactly one option, and explains each', async () => {
          const verdicts = [];
          for (const i of task.options.keys()) verdicts.push(await grade(session, base, task, [i]));
          expect(verdicts.filter(({ right }) => right)).toHaveLength(1);
          expect(verdicts.map(({ message }) => htmlOf(message))).toEqual(task.options.map(({ why }) => why));
          const right = verdicts.findIndex((verdict) => verdict.right);
          const answer = ` ${wordsOf(task.options[right]!.text)} `;
          for (const [i, { why }] of task.options.entries())
            if (i !== right && ` ${wordsOf(why)} `.includes(answer))
              say(
                place,
                `In "${id}" the reason of option ${i + 1}, which is wrong, tells the right one: "${textIn(why)}".`,
              );
        });
    });
  });
}

const hasCell = (shape: readonly number[], cell: readonly number[] | undefined): boolean =>
  !cell || (cell.length === shape.length && cell.every((at, axis) => at < shape[axis]!));

/** An unreadable answer counts as none. */
function unlessUnreadable(error: unknown): { right: boolean } {
  if (error instanceof UnreadableAnswer) return { right: false };
  throw error;
}

/** In small letters, without punctuation. */
const wordsOf = (html: string): string =>
  (
    textIn(html)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ');

const quoted = (given: Given): string => JSON.stringify('changes' in given ? given.changes : given.answer);

function solutions(task: AnsweredTask): Given[] {
  if (task.kind === 'goal') return task.solution.map((changes) => ({ changes: changes as Changes }));
  if (task.kind === 'number') return task.solution.map((value) => ({ answer: String(value) }));
  if (task.kind === 'write') return task.solution.map((answer) => ({ answer }));
  if (task.kind === 'order') return [{ answer: task.steps.map((_, i) => i) }];
  return [];
}

/** Each with its required explanation; an answer that is merely different from the right one has none. */
function mistakes(task: AnsweredTask): { answer: Given; why?: string }[] {
  if (task.kind === 'goal')
    return task.wrong.map(({ try: changes, why }) => ({
      answer: { changes: changes as Changes },
      why: allowed(task.change, changes as Changes) ? why : undefined,
    }));
  if (task.kind === 'number')
    return task.wrong.map(({ try: value, why }) => ({ answer: { answer: String(value) }, why }));
  if (task.kind === 'write') return task.wrong.map(({ try: answer, why }) => ({ answer: { answer }, why }));
  if (task.kind === 'order')
    return task.steps.slice(1).map((_, i) => ({ answer: { answer: swapped(task.steps.length, i) } }));
  return [];
}

/** A forbidden change is refused before its own explanation is looked up. */
const allowed = (change: readonly string[], changes: Changes): boolean =>
  Object.keys(changes).every((key) => change.includes(key.replace(/\[.*/, '')));

function swapped(count: number, at: number): number[] {
  const order = Array.from({ length: count }, (_, i) => i);
  [order[at], order[at + 1]] = [order[at + 1]!, order[at]!];
  return order;
}

/** Digests of models that were retrained, which must give the weights beside their lessons. */
const kept = fromRoot('build/tests/trained');

const digest = (...parts: (string | Uint8Array)[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex');

async function train(config: Config, steps: number): Promise<string> {
  const session = await (wholeRun ? openWasm() : openNative());
  await unwrap(session.load(config));
  await unwrap(session.train(steps));
  const saved = digest(await unwrap(session.save()));
  session.close();
  return saved;
}

/** The digest of the weights. The same program gives the same bits, so earlier results are reused except for "all". */
async function retrained(config: Config, steps: number): Promise<string> {
  if (wholeRun) return train(config, steps);
  const file = `${kept}/${digest(readFileSync(NATIVE), JSON.stringify([config, steps]))}`;
  if (!existsSync(file)) {
    const saved = await train(config, steps);
    mkdirSync(kept, { recursive: true });
    writeFileSync(file, saved);
  }
  return readFileSync(file, 'utf8');
}
