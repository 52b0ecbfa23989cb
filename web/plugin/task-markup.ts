// Markup of predict, quiz and exercise: the question and its options are in the page; answers are not.
import { placeAmong } from '#messages/app';
import { PUZZLE, titled, YOUR_ANSWER } from '#messages/pages';
import type { PhrasingContent, RootContent } from 'mdast';
import type { Changes } from '../src/lesson/changes';
import { shuffled } from '../src/lesson/task/shuffled';
import { element, parseInline, plain } from './markdown';
import type { Task, TaskOf } from '../src/lesson/format/tasks';
import type { LessonRecord } from './lesson-record';

export interface Asked {
  /** "Exercise", "Predict" or "Question". */
  word: string;
  name: string;
  id: string;
  title?: string;
  task: Task;
  prompt: (RootContent | PhrasingContent)[];
}

export function renderTask(lesson: LessonRecord, { word, name, id, title, task, prompt }: Asked): RootContent {
  const whole = lesson.task(id, name, task);
  const called = whole.kind === 'code' && whole.function?.target ? PUZZLE : word;
  const head = element('h3', {}, [
    element('span', {}, [plain(title ? titled(called, title) : called)]),
    element('small', {}, [plain(placeAmong(Object.keys(lesson.tasks).length, lesson.total))]),
  ]);
  return element('u-task', { id, className: ['ex'], dataKind: task.kind, dataName: name }, [
    head,
    ...prompt,
    ...parts(lesson, id, task),
  ]);
}

function parts(lesson: LessonRecord, id: string, task: Task): RootContent[] {
  if (task.kind === 'choose') return [options(lesson, id, task)];
  if (task.kind === 'order') return [stepsToOrder(lesson, id, task)];
  return [];
}

function options(lesson: LessonRecord, id: string, { options }: TaskOf<'choose'>): RootContent {
  const items = options.map(({ text }, i) =>
    element('li', {}, [
      element('label', {}, [
        element('input', { type: 'radio', name: id, value: String(i) }, []),
        element('span', {}, lesson.inside(parseInline(text, lesson.place))),
      ]),
    ]),
  );
  return element('fieldset', { className: ['bare'] }, [
    element('legend', { className: ['vh'] }, [plain(YOUR_ANSWER)]),
    element('ul', { className: ['opts'] }, items),
  ]);
}

/** The steps in a wrong but deterministic order. */
function stepsToOrder(lesson: LessonRecord, id: string, { steps, given }: TaskOf<'order'>): RootContent {
  for (const { at } of steps) lesson.anchor(at, undefined, given as Changes);
  const items = wrongOrder(steps.length, id).map((i) =>
    element('li', { dataStep: String(i) }, [
      element('span', {}, lesson.inside(parseInline(steps[i]!.text, lesson.place))),
    ]),
  );
  return element('ol', { className: ['order'] }, items);
}

function wrongOrder(count: number, seed: string): number[] {
  const order = shuffled(count, seed);
  return order.some((step, i) => step !== i) ? order : [...order.slice(1), order[0]!];
}
