// The closed set of directives in lessons, as one table: purpose, attributes and rendering of each.
import { COMPARE, EXERCISE, IN_GLOSSARY, PREDICT, QUESTION, TRAIN, TRY } from '#messages/pages';
import type { PhrasingContent, RootContent } from 'mdast';
import * as v from 'valibot';
import { toSetting, type Changes } from '../src/lesson/changes';
import { comparison } from '../src/lesson/format/comparisons';
import { changes, expression, matching, pair, settings, slug, tensorName, text } from '../src/lesson/format/fields';
import { glossaryLink } from './links';
import { box, element, plain } from './markdown';
import { task } from '../src/lesson/format/tasks';
import { renderTask } from './task-markup';
import { renderWriting, writing } from './writing';
import type { LessonRecord } from './lesson-record';

export interface Found<A = Record<string, string>, D = undefined> {
  attributes: A;
  /** The YAML block inside, if the directive takes one. */
  data: D;
  /** The content without that block; for an inline directive, the text in its brackets. */
  children: (RootContent | PhrasingContent)[];
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
const asked = {
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
    },
    render: ({ attributes: { at, cell, given }, children }, lesson) => {
      const under = lesson.given(given, settings) as Changes;
      lesson.anchor(at, cell?.split(',').map(Number), under);
      return element('u-step', { dataAt: at, dataCell: cell, dataGiven: given && JSON.stringify(under) }, children);
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
    },
    render: ({ attributes: { set, input, at, values, pairs }, children }, lesson) => {
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
      const properties = { dataSet: set, dataInput: input, dataAt: at, dataValues: values?.join(' '), dataPairs };
      return box('u-try', properties, TRY, children);
    },
  }),
  predict: taskOf(PREDICT, 'predict', 'Say first, then see what the engine computed.'),
  quiz: taskOf(QUESTION, 'quiz', 'A short check of what was just read.'),
  exercise: taskOf(EXERCISE, 'exercise', 'Something to work out or achieve, graded by the engine.'),
  compare: directive({
    form: 'block',
    about: 'Several settings side by side: a tensor, their training, or their results by length or lag.',
    attributes: { id: slug },
    data: comparison,
    render: ({ attributes: { id }, data, children }, lesson) => {
      lesson.compare(id, data);
      return box('u-compare', { id, dataKind: data.kind }, COMPARE, children);
    },
  }),
  train: directive({
    form: 'block',
    about: 'A button that trains the model for so many steps and shows the loss before and after.',
    attributes: { steps: count },
    render: ({ attributes: { steps }, children }) => box('u-training', { dataSteps: String(steps) }, TRAIN, children),
  }),
  write: directive({
    form: 'block',
    about: 'Lets the model write, as it is now: the answer, its attention, the beam, or several draws.',
    attributes: writing,
    render: ({ attributes, children }, lesson) => renderWriting(attributes, children, lesson),
  }),
  note: directive({
    form: 'block',
    about: 'A remark in passing.',
    attributes: {},
    render: ({ children }) => element('aside', { className: ['note'], role: 'note' }, children),
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
        element('a', { href: glossaryLink(term.name) }, [plain(IN_GLOSSARY)]),
      ]);
      return element('span', { className: ['word-and-meaning'] }, [button, meaning]);
    },
  }),
};
