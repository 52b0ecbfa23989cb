// A lesson without a model of its own: the translator stands in its text, and what is asked is a prediction about it.
import { PREDICT } from '#messages/pages';
import type { RootContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import * as v from 'valibot';
import { slug, text } from '../src/lesson/format/fields';
import { foretold } from '../src/lesson/format/tasks';
import { directive, DIRECTIVES, renderTask, type Directive } from './directives';
import { element } from './markdown';

/** A lesson that has it in its text has no model: no bench, no stages, and of the directives only these. */
const PLACED = 'translator';

/** Where the page has the translator. */
export const TRANSLATOR = '<u-translator></u-translator>';

export const looks = (body: readonly RootContent[]): boolean =>
  body.some((node) => node.type === 'containerDirective' && node.name === PLACED);

export const LOOK_DIRECTIVES: Readonly<Record<string, Directive>> = {
  [PLACED]: directive({
    form: 'block',
    about: 'The translator, to hide words from and to pull; a lesson with it has no model of its own.',
    attributes: {},
    render: () => element('u-translator', {}, []),
  }),
  predict: directive({
    form: 'block',
    about: 'Say first which words change when some are hidden; the translator gives the answer.',
    attributes: { id: slug, title: v.optional(text(80)) },
    data: foretold,
    render: ({ attributes, data, children }, lesson) => {
      lesson.foretold[attributes.id] = data;
      const task = { ...data, given: {} };
      return renderTask(lesson, { word: PREDICT, name: 'predict', ...attributes, task, prompt: children });
    },
  }),
  shows: directive({
    form: 'inline',
    about:
      'What the translator writes when words are hidden or a look is pulled; with `at`, the word it looks at most.',
    attributes: { at: v.optional(text(60)), hide: v.optional(text(60)), pull: v.optional(text(60)) },
    render: ({ attributes, children }, lesson) => {
      lesson.shown.push({ ...attributes, text: toString(children), place: lesson.place });
      return element('em', attributes.at ? {} : { lang: 'fr' }, children);
    },
  }),
  note: DIRECTIVES.note!,
  term: DIRECTIVES.term!,
  ending: DIRECTIVES.ending!,
};
