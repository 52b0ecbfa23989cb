// No exercise is solved by a single act that takes no thought, and a goal that is not reached yet says why in words.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LessonProblem } from '../../web/plugin/problem';
import { forgetTrained, perform, type Work } from '../../web/src/lesson/run';
import { Refused } from '../../web/src/engine/refused';
import type { Changes } from '../../web/src/lesson/changes';
import { gradeCode } from '../../web/src/lesson/code/grade-code';
import { UnreadableAnswer, type Answer } from '../../web/src/lesson/task/answer';
import { grade, rightOption } from '../../web/src/lesson/task/grade';
import type { TaskOf } from '../../web/src/lesson/format/tasks';
import { demandsOf, sentenceFor } from '../../web/src/lesson/task/feedback';
import { settled, workOf } from './lesson-work';
import { isPatient, library, weightsOf } from './library';
import { textIn } from './hints';
import { remembering } from './remembering';
import { htmlOf } from './html-of';
import { openWasm, type Opened } from './sessions';
import { lone, presses, printed, single } from './shortcuts';
import { engine, value } from '../bindings/modules';

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

describe.each(library)('/lessons/%s/', { timeout: PATIENCE }, (_, lesson) => {
  if (lesson instanceof LessonProblem) return;
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
    const isRight = async (answer: Answer): Promise<boolean> => {
      try {
        return (await grade(session, base, task, answer)).right;
      } catch (error) {
        if (error instanceof UnreadableAnswer || error instanceof Refused) return false;
        throw error;
      }
    };

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
