// The closed set of directives in lessons, as one table: purpose, attributes and rendering of each.
import * as texts from '#messages/pages';
import { placeAmong } from '#messages/app';
import type { RootContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import * as v from 'valibot';
import {
  matching,
  text,
  changes,
  expression,
  pair,
  settings,
  slug,
  stage,
  tensorName,
} from '../src/lesson/format/fields';
import { box, element, parseInline, plain } from './markdown';
import type { Stage } from '../src/engine/types';
import { ending, renderEnding } from './ending';
import type { LessonRecord } from './lesson-record';
import { type Changes, toSetting } from '../src/lesson/changes';
import { shuffled } from '../src/lesson/task/shuffled';
import { type Task, type TaskOf, task } from '../src/lesson/format/tasks';
import { comparison } from '../src/lesson/format/comparisons';
import { glossaryLink } from './links';

export interface Found<A = Record<string, string>, D = undefined> {
  attributes: A;
  /** The YAML block inside, if the directive takes one. */
  data: D;
  /** The content without that block; for an inline directive, the text in its brackets. */
  children: RootContent[];
}

export interface Directive {
  form: 'block' | 'inline';
  about: string;
  attributes: v.GenericSchema & { entries: Record<string, v.GenericSchema> };
  data?: v.GenericSchema;
  render(found: Found<never, never>, lesson: LessonRecord): RootContent;
}

/** Ties the types of attributes and data together within one entry. */
export function directive<E extends v.ObjectEntries, D extends v.GenericSchema | undefined>(entry: {
  form: Directive['form'];
  about: string;
  attributes: E;
  data?: D;
  render(
    found: Found<
      v.InferOutput<v.StrictObjectSchema<E, undefined>>,
      D extends v.GenericSchema ? v.InferOutput<D> : undefined
    >,
    lesson: LessonRecord,
  ): RootContent;
}): Directive {
  return { ...entry, attributes: v.strictObject(entry.attributes) } as unknown as Directive;
}

// The directive `write`: the source, the decoding method with its settings, and what is shown of the result.

const within = (rule: string, holds: (value: number) => boolean) =>
  v.pipe(
    matching(/^\d+(\.\d+)?$/, rule),
    v.check((value) => holds(Number(value)), rule),
  );
const whole = (least: number, most: number) =>
  within(`a whole number from ${least} to ${most}`, (x) => Number.isInteger(x) && x >= least && x <= most);

const writing = {
  source: text(400),
  method: v.optional(v.picklist(['greedy', 'beam', 'sample'], '"greedy", "beam" or "sample"'), 'greedy'),
  show: v.optional(v.picklist(['text', 'alignment', 'tree', 'samples'], '"text", "alignment", "tree" or "samples"')),
  width: v.optional(whole(1, 64)),
  length_normalisation: v.optional(within('a number from 0 to 2', (x) => x <= 2)),
  temperature: v.optional(within('a number from 0.001 to 100', (x) => x >= 0.001 && x <= 100)),
  top_k: v.optional(whole(1, 1 << 15)),
  top_p: v.optional(within('a number above 0, up to 1', (x) => x > 0 && x <= 1)),
  choose: v.optional(v.literal('', 'choose alone, without a value')),
  untrained: v.optional(v.literal('', 'untrained alone, without a value')),
};
type Writing = v.InferOutput<v.StrictObjectSchema<typeof writing, undefined>>;

const BELONGS = {
  width: 'beam',
  length_normalisation: 'beam',
  temperature: 'sample',
  top_k: 'sample',
  top_p: 'sample',
} as const;
const SHOWS: Partial<Record<string, string>> = { tree: 'beam', samples: 'sample' };

/** Refuses attributes that would have no effect. */
function checkWriting(attributes: Writing, lesson: LessonRecord): void {
  const { method, show, choose } = attributes;
  const refuse = (what: string, needs: string): never =>
    lesson.fail(`In the directive "write", ${what} goes with method="${needs}", not "${method}": change one of them.`);
  for (const [key, needs] of Object.entries(BELONGS))
    if (attributes[key as keyof typeof BELONGS] !== undefined && method !== needs && choose === undefined)
      refuse(`"${key}"`, needs);
  const needed = show && SHOWS[show];
  if (needed && needed !== method) refuse(`show="${show}"`, needed);
}

function renderWriting(attributes: Writing, children: RootContent[], lesson: LessonRecord): RootContent {
  checkWriting(attributes, lesson);
  const dataOf = (name: string): string =>
    `data_${name}`.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const properties = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [dataOf(name), value]));
  return box('u-write', properties, texts.WRITE, children);
}

// Markup of predict, quiz and exercise: the question and its options are in the page; answers are not.

interface Asked {
  /** "Exercise", "Predict" or "Question". */
  word: string;
  name: string;
  id: string;
  title?: string;
  task: Task;
  prompt: RootContent[];
  stage?: Stage;
}

export function renderTask(lesson: LessonRecord, { word, name, id, title, task, prompt, stage }: Asked): RootContent {
  const whole = lesson.task(id, name, task);
  if (title) lesson.taskTitles[id] = title;
  const called = whole.kind === 'code' && whole.function?.target ? texts.PUZZLE : word;
  const head = element('h3', {}, [
    element('span', {}, [plain(title ? texts.titled(called, title) : called)]),
    element('small', {}, [plain(placeAmong(Object.keys(lesson.tasks).length, lesson.total))]),
  ]);
  const dataStage = lesson.speaksOf(stage);
  const properties = { id, className: ['ex'], dataKind: task.kind, dataName: name, dataStage };
  return element('u-task', properties, [head, ...prompt, ...parts(lesson, id, task)]);
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
    element('legend', { className: ['vh'] }, [plain(texts.YOUR_ANSWER)]),
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

// The table

/** So that a finger can hit every point on a phone. */
const MOST_DRAWN = 6;
const indices = matching(/^\d+( *, *\d+)*$/, 'the indices of one element, like "0,2"');
const count = v.pipe(matching(/^[1-9]\d{0,3}$/, 'a whole number from 1 to 9999'), v.transform(Number));
const words = v.pipe(
  v.string(),
  v.nonEmpty('values with spaces between them, like "0.5 1 2"'),
  v.transform((list) => list.trim().split(/\s+/)),
);
/** "abc | abd → dba": a source without a target leaves the target to the model. */
const PAIRS = 'sources with | between them, each with its target or without, like "abc | abd → dba"';
const pairTexts = v.pipe(
  v.string(PAIRS),
  v.transform((list) => list.split('|').map((each) => each.split(/→|->/).map((side) => side.trim()))),
  v.check((pairs) => pairs.every(([source, , more]) => source !== '' && more === undefined), PAIRS),
  v.transform((pairs) => pairs.map(([source = '', target = '']): [string, string] => [source, target])),
  v.check((pairs) => pairs.every((each) => v.is(pair, each)), PAIRS),
);
const digits = v.pipe(matching(/^[0-8]$/, 'a whole number from 0 to 8'), v.transform(Number));
/** What the bench shows while this is read. */
const onStage = { stage: v.optional(stage) };
const asked = {
  ...onStage,
  id: slug,
  title: v.optional(text(80)),
};

const taskOf = (word: string, name: string, about: string): Directive =>
  directive({
    form: 'block',
    about,
    attributes: asked,
    data: task,
    render: ({ attributes, data, children }, lesson) =>
      renderTask(lesson, { word, name, ...attributes, task: data, prompt: children }),
  });

export const DIRECTIVES: Record<string, Directive> = {
  step: directive({
    form: 'block',
    about: 'A paragraph about one tensor: reading it brings the workbench there.',
    attributes: {
      at: tensorName,
      cell: v.optional(indices),
      given: v.optional(v.string('settings, like "attention: none"')),
      view: v.optional(matching(/^[a-z]+$/, 'a view of the lesson, like "alignment"')),
      ...onStage,
    },
    render: ({ attributes: { at, cell, given, view, stage }, children }, lesson) => {
      const under = lesson.given(given, settings) as Changes;
      lesson.anchor(at, cell?.split(',').map(Number), under);
      if (view) lesson.views.push({ view, place: lesson.place });
      const bench = { dataGiven: given && JSON.stringify(under), dataView: view, dataStage: lesson.speaksOf(stage) };
      return element('u-step', { dataAt: at, dataCell: cell, ...bench }, children);
    },
  }),
  try: directive({
    form: 'block',
    about: 'Something to change on the workbench: a setting, a whole input, or what the model reads.',
    attributes: {
      set: v.optional(matching(/^[a-z_]+$/, 'the name of a setting, like "temperature"')),
      input: v.optional(tensorName),
      at: v.optional(tensorName),
      values: v.optional(words),
      pairs: v.optional(pairTexts),
      ...onStage,
    },
    render: ({ attributes: { set, input, at, values, pairs, stage }, children }, lesson) => {
      if ([set, input, pairs].filter((each) => each !== undefined).length !== 1)
        lesson.fail(
          'The directive "try" needs exactly one of "set" (a setting), "input" (a tensor) or "pairs" (what to read): keep one.',
        );
      if ((set !== undefined) !== (values !== undefined))
        lesson.fail(
          'In the directive "try", "values" goes with "set" and only with it: give the values of the setting, or remove it.',
        );
      if (input) lesson.anchor(input);
      if (at) lesson.anchor(at);
      for (const value of values ?? []) lesson.offer({ [set!]: toSetting(value) });
      for (const each of pairs ?? []) lesson.offer({ pair: each });
      const dataPairs = pairs && JSON.stringify(pairs);
      const dataStage = lesson.speaksOf(stage);
      const properties = { dataSet: set, dataInput: input, dataAt: at, dataValues: values?.join(' '), dataPairs };
      return box('u-try', { ...properties, dataStage }, texts.TRY, children);
    },
  }),
  predict: taskOf(texts.PREDICT, 'predict', 'Say first, then see what the engine computed.'),
  quiz: taskOf(texts.QUESTION, 'quiz', 'A short check of what was just read.'),
  exercise: taskOf(texts.EXERCISE, 'exercise', 'Something to work out or achieve, graded by the engine.'),
  compare: directive({
    form: 'block',
    about: 'Several settings side by side: a tensor, their training, or their results by length or lag.',
    attributes: { id: slug },
    data: comparison,
    render: ({ attributes: { id }, data, children }, lesson) => {
      lesson.compare(id, data);
      if (data.kind !== 'lengths' || !data.drawn)
        return box('u-compare', { id, dataKind: data.kind }, texts.COMPARE, children);
      if (data.lengths.length > MOST_DRAWN)
        lesson.fail(
          `A curve to be drawn has room for ${MOST_DRAWN} lengths, not ${data.lengths.length}: leave some out.`,
        );
      return box('u-compare', { id, dataKind: data.kind, dataDrawn: '' }, texts.PREDICT, children);
    },
  }),
  train: directive({
    form: 'block',
    about:
      'A button that trains the model for so many steps and shows the loss before and after; with one step, also where steps of other learning rates along a tensor would land.',
    attributes: { steps: count, along: v.optional(tensorName) },
    render({ attributes: { steps, along }, children }, lesson) {
      if (along && steps !== 1)
        lesson.fail('In the directive "train", "along" goes with steps="1": change one of them.');
      return box('u-training', { dataSteps: String(steps), dataAlong: along }, texts.TRAIN, children);
    },
  }),
  write: directive({
    form: 'block',
    about: 'Lets the model write, as it is now: the answer, its attention, the beam, or several draws.',
    attributes: writing,
    render: ({ attributes, children }, lesson) => renderWriting(attributes, children, lesson),
  }),
  sing: directive({
    form: 'block',
    about: 'A line of words that the reader chooses, and how a language model goes on with it, as it is now.',
    attributes: { input: tensorName, choose: count, words },
    render: ({ attributes: { input, choose, words: known }, children }, lesson) => {
      lesson.anchor(input);
      return box(
        'u-sing',
        { dataInput: input, dataChoose: String(choose), dataWords: known.join(' ') },
        texts.TRY,
        children,
      );
    },
  }),
  note: directive({
    form: 'block',
    about: 'A remark in passing.',
    attributes: {},
    render: ({ children }) => element('aside', { className: ['note'], role: 'note' }, children),
  }),
  deeper: directive({
    form: 'block',
    about: 'The mark between two sections where the core of the lesson ends.',
    attributes: {},
    render: (_, { time }) =>
      element('div', { className: ['deeper'] }, [
        element('strong', {}, [plain(texts.GOING_FURTHER)]),
        element('span', {}, [plain(texts.coreEnds(time.core))]),
      ]),
  }),
  ending: directive({
    form: 'block',
    about: 'How every lesson ends: what to take away, a question that reaches back, and what to read.',
    attributes: {},
    data: ending,
    render: ({ data }, lesson) => renderEnding(data, lesson),
  }),
  value: directive({
    form: 'inline',
    about: 'A figure in the text, with the expression that must give it.',
    attributes: {
      of: expression,
      given: v.optional(v.string('changes, like "temperature: 0.5"')),
      digits: v.optional(digits),
    },
    render: ({ attributes: { of, given, digits }, children }, lesson) => {
      const shown = lesson.recordFigure(children, of, lesson.given(given, changes) as Changes, digits);
      return element(
        'data',
        { className: given ? ['val', 'given'] : ['val'], value: shown.replace('−', '-'), dataOf: of },
        [plain(shown.replace(/^-/, '−'))],
      );
    },
  }),
  claim: directive({
    form: 'inline',
    about: 'A sentence about a trained model, with the claim in the front matter that tries it.',
    attributes: { of: slug },
    render: ({ attributes: { of }, children }, lesson) => {
      lesson.claimed.push({ claim: of, sentence: toString(children), place: lesson.place });
      return element('span', {}, children);
    },
  }),
  term: directive({
    form: 'inline',
    about: 'A word of the glossary; its meaning opens on a press.',
    attributes: { of: v.optional(text(60)) },
    render: ({ attributes: { of }, children }, lesson) => {
      const { id, term } = lesson.term(of, children);
      const button = element(
        'button',
        { type: 'button', className: ['term', ...(term.role ? [term.role] : [])], popoverTarget: id },
        children,
      );
      const meaning = element('span', { id, className: ['meaning'], popover: 'auto', role: 'note' }, [
        element('strong', {}, [plain(term.name)]),
        plain(` ${term.means}`),
        element('a', { href: glossaryLink(term.name) }, [plain(texts.IN_GLOSSARY)]),
      ]);
      return element('span', { className: ['word-and-meaning'] }, [button, meaning]);
    },
  }),
};
