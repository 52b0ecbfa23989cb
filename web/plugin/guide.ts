// lessons/write/guide.md: how to write a model of one's own. Its programs are files, its links are made from their states,
// and its reference is what the engine says.
import { GUIDE, GUIDE_SUMMARY, LINE_TO_WRITE, OPEN_BEFORE, OPEN_PROGRAM, PROGRAM, SHOW_LINES } from '#messages/pages';
import type { RootContent } from 'mdast';
import * as v from 'valibot';
import { encodeLink } from '../src/lab/link/link';
import { list, matching, settings, text } from '../src/lesson/format/fields';
import { CHOICES, startOf } from '../src/workbench/models';
import { recipe, type Recipes } from '../src/workbench/settings';
import { directive, DIRECTIVES, type Directive } from './directives';
import { element, parseInline, plain, parseMarkdown, toHtml } from './markdown';
import type { Config, OperationInfo, EngineSession } from '../src/engine/types';
import { LessonRecord, type LessonContext } from './lesson-record';
import { valueOf } from './engine-module';
import { tokensOf, type Token } from './highlight';
import { checkLinks } from './lesson';
import { expandWith } from './expand';
import { htmlPage } from './page';
import { LessonProblem, type Place } from './problem';

/** What the guide is made of besides its text. */
export interface GuideContext extends LessonContext {
  /** Programs by their paths below lessons/. */
  programs: ReadonlyMap<string, string>;
  /** Answers about programs. */
  session: Pick<EngineSession, 'operations' | 'recipe'>;
}

export interface Guide {
  html: string;
  /** The states that its links open, in their order. */
  openings: Opening[];
  /** Their addresses. */
  addresses: string[];
}

/** The guide while it is read: the programs it shows, and what is filled in afterwards because it takes time. */
class GuideText {
  readonly openings: Opening[] = [];
  readonly addresses: string[] = [];
  readonly operations: readonly OperationInfo[];
  readonly record: LessonRecord;
  private readonly later: { fill: () => Promise<void>; place: Place }[] = [];

  constructor(
    file: string,
    private readonly context: GuideContext,
    nodes: readonly RootContent[],
  ) {
    this.record = new LessonRecord(file, context, nodes, expandWith(guideDirectives(this)));
    this.operations = valueOf(context.session.operations());
  }

  /** The text of a program, by its path below lessons/. */
  program(file: string): string {
    const text = this.context.programs.get(file);
    if (text === undefined) this.record.fail(`There is no program lessons/${file}: correct its path, or put it there.`);
    return text;
  }

  /** Gives the element the address of the workbench in this state, once it is known. */
  opens(link: RootContent, opening: Opening): void {
    const i = this.openings.push(opening) - 1;
    const recipes: Recipes = async (task, model) => valueOf(this.context.session.recipe(task, model));
    this.afterwards(async () => {
      const href = (this.addresses[i] = await addressOf(opening, recipes));
      propertiesOf(link).href = href;
    });
  }

  /** Gives the element the tokens of a program's lines, once they are known. Those that `since` lacks are marked, or blank. */
  lists(code: RootContent, text: string, since: string | undefined, blank = false): void {
    const old = new Set(since === undefined ? text.split('\n') : ['', ...since.split('\n')]);
    this.afterwards(async () => {
      const lines = await tokensOf(text, 'python');
      (code as unknown as { children: RootContent[] }).children = lines.flatMap((line) => rendered(line, old, blank));
    });
  }

  private afterwards(fill: () => Promise<void>): void {
    this.later.push({ fill, place: this.record.place });
  }

  /** Makes what takes time: addresses and tokens. */
  async finish(): Promise<void> {
    for (const { fill, place } of this.later)
      await fill().catch((error: unknown) => {
        if (error instanceof Error) this.record.fail(error.message, place);
        throw error;
      });
  }
}

const propertiesOf = (node: RootContent): Record<string, unknown> =>
  (node.data as unknown as { hProperties: Record<string, unknown> }).hProperties;

/** A line of a program; marked, or left to be written, if it is new and no comment. */
function rendered(line: readonly Token[], old: ReadonlySet<string>, blank: boolean): RootContent[] {
  const tokens = line.map(([text, name]) =>
    name ? element('span', { className: [name] }, [plain(text)]) : plain(text),
  );
  const whole = line.map(([text]) => text).join('');
  const isNew = !old.has(whole) && !whole.startsWith('#');
  if (!isNew) return [...tokens, plain('\n')];
  const toWrite = element('span', { className: ['vh'] }, [plain(LINE_TO_WRITE)]);
  const mark = blank
    ? element('mark', { className: ['new', 'blank'] }, [plain(/^ */.exec(whole)![0]), toWrite])
    : element('mark', { className: ['new'] }, tokens);
  return [mark, plain('\n')];
}

/** Throws LessonProblem. */
export async function readGuide(
  source: string,
  context: GuideContext,
  file = 'lessons/write/guide.md',
): Promise<Guide> {
  const tree = parseMarkdown(source);
  const guide = new GuideText(file, context, tree.children);
  const { record } = guide;
  const nodes = record.inside<RootContent>(tree.children);
  await guide.finish();
  await checkLinks(record);
  const html = toHtml(nodes, file);
  if (html.includes('class="katex'))
    throw new LessonProblem(file, record.place, 'The guide has a formula, and no fonts for one: write it as code.');
  return { html, openings: guide.openings, addresses: guide.addresses };
}

export const guidePage = ({ html }: Guide): string =>
  htmlPage({
    title: GUIDE,
    summary: GUIDE_SUMMARY,
    text: `<h1>${GUIDE}</h1>\n<p class="lead">${GUIDE_SUMMARY}</p>\n${html}`,
    sheet: '/src/lesson/guide.css',
  });

// The directives that only the guide has, and the addresses that its links open.

/** The state of the workbench that a link of the guide opens. */
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

function linkTo(opening: Opening, children: RootContent[], guide: GuideText): RootContent {
  const link = element('a', {}, children);
  guide.opens(link, opening);
  return link;
}

/** A shape, such as (B, T, S), stays on one line. */
const unbroken = (cell: string): string =>
  cell.replace(/\((?:[A-Z], )+[A-Z]\)/g, (shape) => shape.replaceAll(' ', '\u00a0'));

const row = v.pipe(list(text(400), 2, 3), v.readonly());

export const guideDirectives = (guide: GuideText): Readonly<Record<string, Directive>> => ({
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
    about:
      'A program in full, and a link that opens it. With `since`, the lines that this other one lacks are blank: the link opens the other, and these lines and the whole are shown on demand.',
    attributes: { ...state, file, since: v.optional(file) },
    render: ({ attributes: { file, since, ...state } }, lesson) => {
      const [text, before] = [guide.program(file), since && guide.program(since)];
      const listing = (blank = false): RootContent => {
        const code = element('code', {}, []);
        guide.lists(code, text, before, blank);
        return element('pre', { className: ['listing'], tabIndex: 0, ariaLabel: PROGRAM }, [code]);
      };
      const opens = (program: string, words: string): RootContent =>
        element('p', { className: ['open'] }, [linkTo(openingOf(state, program, lesson), [plain(words)], guide)]);
      const whole = [listing(), opens(text, OPEN_PROGRAM)];
      if (!before) return element('div', { className: ['program'] }, whole);
      return element('div', { className: ['program'] }, [
        ...[listing(true), opens(before, OPEN_BEFORE)],
        element('details', {}, [element('summary', {}, [plain(SHOW_LINES)]), ...whole]),
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
      const inside = (cell: string): RootContent[] => lesson.inside(parseInline(unbroken(cell), lesson.place));
      const line = (of: readonly string[], tag: string, properties: Record<string, string>): RootContent => {
        const cells = of.map((cell) => element(tag, properties, inside(cell)));
        return element('tr', {}, cells);
      };
      const body = rows.map((each) => line(each, 'td', {}));
      return element('table', { className: [head.length === 2 ? 'two' : 'three'] }, [
        element('thead', {}, [line(head, 'th', { scope: 'col' })]),
        element('tbody', {}, body),
      ]);
    },
  }),
  reference: directive({
    form: 'block',
    about: 'What programs can call, as the engine names it.',
    attributes: { of: v.picklist(['both', 'functions', 'methods'], '"both", "functions" or "methods"') },
    render: ({ attributes: { of } }) => {
      const entries = operationsByForm(guide.operations)[of].map(({ id, call, help }) => [
        element('dt', { id }, [element('code', {}, [plain(call)])]),
        element('dd', {}, [plain(help)]),
      ]);
      return element('dl', { className: ['reference'] }, entries.flat());
    },
  }),
});

interface Entry {
  name: string;
  /** Of its place on the page. */
  id: string;
  /** "softmax(x, dim)", "x.view(*shape)". */
  call: string;
  help: string;
}

/** Functions that are methods of their first argument, too; functions that are not; methods that are not functions. */
export function operationsByForm(all: readonly OperationInfo[]): Record<'both' | 'functions' | 'methods', Entry[]> {
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

const asFunction = ({ name, parameters, help }: OperationInfo): Entry => ({
  name,
  id: `function-${name}`,
  call: `${name}(${parameters})`,
  help,
});

function asMethod({ name, parameters, help }: OperationInfo): Entry {
  const [object, ...others] = parameters.split(', ');
  return { name, id: `method-${name}`, call: `${object}.${name}(${others.join(', ')})`, help };
}
