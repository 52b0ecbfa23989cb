// The directives that only the guide has, and the addresses that its links open.
import { OPEN_PROGRAM, PROGRAM } from '#messages/pages';
import type { PhrasingContent, RootContent } from 'mdast';
import * as v from 'valibot';
import { encodeLink } from '../src/lab/link/link';
import { list, matching, settings, text } from '../src/lesson/format/fields';
import { CHOICES, startOf } from '../src/workbench/models';
import { recipe, type Recipes } from '../src/workbench/settings';
import { directive, DIRECTIVES, type Directive } from './directives';
import { element, parseInline, plain } from './markdown';
import type { Config, OperationInfo } from '../src/engine/types';
import type { LessonRecord } from './lesson-record';

/** What the directives need of the guide. */
export interface Guide {
  /** The text of a program, by its path below lessons/. */
  program(file: string): string;
  /** Gives the element the address of the workbench in this state, once it is known. */
  opens(link: RootContent, opening: Opening): void;
  /** Gives the element the tokens of a program's lines, once they are known; those that `since` lacks are marked. */
  lists(code: RootContent, text: string, since: string | undefined): void;
  readonly operations: readonly OperationInfo[];
}

// The address of the workbench in the state that the guide names.

export interface Opening {
  kind: string;
  task?: string;
  part?: string;
  /** Other settings. */
  given: Config;
  program?: string;
}

const WORKBENCH = '../../workbench/';

/** Throws BadLink for a state that no link can hold, and an Error for a kind that the workbench does not offer. */
export async function addressOf(opening: Opening, recipes: Recipes): Promise<string> {
  const config = await settingsOf(opening, recipes);
  const { program } = opening;
  return WORKBENCH + (await encodeLink({ lesson: '', config, ...(program !== undefined && { program }) }));
}

/** What the workbench sets when the kind, the task and the part are chosen there. */
async function settingsOf({ kind, task, part, given, program }: Opening, recipes: Recipes): Promise<Config> {
  const choice = CHOICES.find((each) => each.kind === kind);
  if (!choice) throw new Error(`The workbench has no model of the kind "${kind}".`);
  const isProgram = kind.startsWith('program');
  if (program === undefined && (isProgram || part !== undefined))
    throw new Error('The link opens a program: give its "file".');
  const learnt = task === undefined ? {} : { task, ...(await recipe(recipes, task, { kind })) };
  // Only the page can fetch the program that such a model begins with, and the guide's takes its place.
  const start = isProgram ? { kind } : await startOf(choice, recipes);
  return { ...start, ...learnt, ...given, ...(part !== undefined && { part }) };
}

const file = matching(/^[\w/-]+\.py$/, 'a program by its path below lessons/, like "programs/attention.py"');
const name = (what: string) => matching(/^[a-z][a-z0-9_-]*$/, what);

/** A state of the workbench: what was chosen there, and the program. */
const state = {
  kind: name('a kind of model, like "program"'),
  task: v.optional(name('a task, like "reverse"')),
  part: v.optional(name('a part, like "score"')),
  given: v.optional(v.string('settings, like "steps: 500"')),
};
type State = v.InferOutput<v.StrictObjectSchema<typeof state, undefined>>;

const openingOf = ({ kind, task, part, given }: State, program: string | undefined, lesson: LessonRecord): Opening => ({
  kind,
  task,
  part,
  given: lesson.given(given, settings) as Opening['given'],
  program,
});

function linkTo(opening: Opening, children: (RootContent | PhrasingContent)[], guide: Guide): RootContent {
  const link = element('a', {}, children);
  guide.opens(link, opening);
  return link;
}

/** A shape, such as (B, T, S), stays on one line. */
const unbroken = (cell: string): string =>
  cell.replace(/\((?:[A-Z], )+[A-Z]\)/g, (shape) => shape.replaceAll(' ', '\u00a0'));

const row = v.pipe(list(text(400), 2, 3), v.readonly());

export const guideDirectives = (guide: Guide): Readonly<Record<string, Directive>> => ({
  note: DIRECTIVES.note!,
  term: DIRECTIVES.term!,
  open: directive({
    form: 'inline',
    about: 'A link that opens the workbench in this state.',
    attributes: { ...state, file: v.optional(file) },
    render: ({ attributes: { file, ...state }, children }, lesson) =>
      linkTo(openingOf(state, file && guide.program(file), lesson), children, guide),
  }),
  program: directive({
    form: 'block',
    about: 'A program in full, and a link that opens it; with `since`, the lines that this other one lacks are marked.',
    attributes: { ...state, file, since: v.optional(file) },
    render: ({ attributes: { file, since, ...state } }, lesson) => {
      const text = guide.program(file);
      const code = element('code', {}, []);
      guide.lists(code, text, since && guide.program(since));
      const link = linkTo(openingOf(state, text, lesson), [plain(OPEN_PROGRAM)], guide);
      return element('div', { className: ['program'] }, [
        element('pre', { className: ['listing'], tabIndex: 0, ariaLabel: PROGRAM }, [code]),
        element('p', { className: ['open'] }, [link]),
      ]);
    },
  }),
  table: directive({
    form: 'block',
    about: 'A table, with its cells as Markdown.',
    attributes: {},
    data: v.strictObject({ head: row, rows: list(row, 1, 40) }),
    render: ({ data: { head, rows } }, lesson) => {
      const odd = rows.find((each) => each.length !== head.length);
      if (odd)
        lesson.fail(
          `The table has ${head.length} columns, and the row "${odd[0]}" has ${odd.length}: quote texts with commas.`,
        );
      const cells = (of: readonly string[], tag: string, properties: Record<string, string>): RootContent =>
        element(
          'tr',
          {},
          of.map((cell) => element(tag, properties, lesson.inside(parseInline(unbroken(cell), lesson.place)))),
        );
      return element('table', { className: [head.length === 2 ? 'two' : 'three'] }, [
        element('thead', {}, [cells(head, 'th', { scope: 'col' })]),
        element(
          'tbody',
          {},
          rows.map((each) => cells(each, 'td', {})),
        ),
      ]);
    },
  }),
  reference: directive({
    form: 'block',
    about: 'What programs can call, as the engine names it.',
    attributes: { of: v.picklist(['both', 'functions', 'methods'], '"both", "functions" or "methods"') },
    render: ({ attributes: { of } }) => {
      const entries = operationsByForm(guide.operations)[of].map(({ call, help }) => [
        element('dt', {}, [element('code', {}, [plain(call)])]),
        element('dd', {}, [plain(help)]),
      ]);
      return element('dl', { className: ['reference'] }, entries.flat());
    },
  }),
});

interface Entry {
  /** "softmax(x, dim)", "x.view(*shape)". */
  call: string;
  help: string;
}

/** Functions that are methods of their first argument, too; functions that are not; methods that are not functions. */
function operationsByForm(all: readonly OperationInfo[]): Record<'both' | 'functions' | 'methods', Entry[]> {
  const key = ({ name, parameters, help }: OperationInfo): string => [name, parameters, help].join('\n');
  const keysOf = (isMethod: boolean): Set<string> => new Set(all.filter((each) => each.isMethod === isMethod).map(key));
  const others = { true: keysOf(false), false: keysOf(true) };
  const isBoth = (each: OperationInfo): boolean => others[`${each.isMethod}`].has(key(each));
  return {
    both: all.filter((each) => !each.isMethod && isBoth(each)).map(asFunction),
    functions: all.filter((each) => !each.isMethod && !isBoth(each)).map(asFunction),
    methods: all.filter((each) => each.isMethod && !isBoth(each)).map(asMethod),
  };
}

const asFunction = ({ name, parameters, help }: OperationInfo): Entry => ({ call: `${name}(${parameters})`, help });

function asMethod({ name, parameters, help }: OperationInfo): Entry {
  const [object, ...others] = parameters.split(', ');
  return { call: `${object}.${name}(${others.join(', ')})`, help };
}
