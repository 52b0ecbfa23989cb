// lessons/write/guide.md: how to write a model of one's own. Its programs are files, its links are made from their states,
// and its reference is what the engine says.
import { GUIDE, GUIDE_SUMMARY } from '#messages/pages';
import type { RootContent } from 'mdast';
import { BadLink } from '../src/lab/link/link';
import type { OperationInfo } from '../src/engine/types';
import type { Recipes } from '../src/workbench/settings';
import type { EngineSession } from '../src/engine/session';
import { valueOf } from './engine-module';
import { addressOf, guideDirectives, type Guide as GuideParts, type Opening } from './guide-directives';
import { tokensOf, type Token } from './highlight';
import { checkLinks } from './lesson';
import { expandWith } from './expand';
import { LessonRecord, type LessonContext } from './lesson-record';
import { element, parseMarkdown, plain, toHtml } from './markdown';
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

interface Later {
  fill: () => Promise<void>;
  place: Place;
}

/** The guide while it is read: the programs it shows, and what is filled in afterwards because it takes time. */
class GuideText implements GuideParts {
  readonly openings: Opening[] = [];
  readonly addresses: string[] = [];
  readonly operations: readonly OperationInfo[];
  readonly record: LessonRecord;
  private readonly later: Later[] = [];
  private readonly recipes: Recipes;
  private readonly programs: ReadonlyMap<string, string>;

  constructor(file: string, { programs, session, ...context }: GuideContext, nodes: readonly RootContent[]) {
    this.record = new LessonRecord(file, context, nodes, expandWith(guideDirectives(this)));
    this.programs = programs;
    this.operations = valueOf(session.operations());
    this.recipes = async (task, model) => valueOf(session.recipe(task, model));
  }

  program(file: string): string {
    const text = this.programs.get(file);
    if (text === undefined) this.record.fail(`There is no program lessons/${file}: correct its path, or put it there.`);
    return text;
  }

  opens(link: RootContent, opening: Opening): void {
    const i = this.openings.push(opening) - 1;
    this.afterwards(async () => {
      const href = (this.addresses[i] = await addressOf(opening, this.recipes));
      propertiesOf(link).href = href;
    });
  }

  lists(code: RootContent, text: string, since: string | undefined): void {
    const old = new Set(since === undefined ? text.split('\n') : ['', ...since.split('\n')]);
    this.afterwards(async () => {
      const lines = await tokensOf(text, 'python');
      (code as unknown as { children: RootContent[] }).children = lines.flatMap((line) => rendered(line, old));
    });
  }

  private afterwards(fill: () => Promise<void>): void {
    this.later.push({ fill, place: this.record.place });
  }

  /** Makes what takes time: addresses and tokens. */
  async finish(): Promise<void> {
    for (const { fill, place } of this.later)
      await fill().catch((error: unknown) => {
        if (error instanceof BadLink || error instanceof Error) this.record.fail(error.message, place);
        throw error;
      });
  }
}

const propertiesOf = (node: RootContent): Record<string, unknown> =>
  (node.data as unknown as { hProperties: Record<string, unknown> }).hProperties;

/** A line of a program; marked if it is new and no comment. */
function rendered(line: readonly Token[], old: ReadonlySet<string>): RootContent[] {
  const tokens = line.map(([text, name]) =>
    name ? element('span', { className: [name] }, [plain(text)]) : plain(text),
  );
  const whole = line.map(([text]) => text).join('');
  const isNew = !old.has(whole) && !whole.startsWith('#');
  return [...(isNew ? [element('mark', { className: ['new'] }, tokens)] : tokens), plain('\n')];
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
