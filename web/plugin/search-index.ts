// What the search finds: lessons, their sections and exercises, the words of the glossary, the operations that programs can
// call, and the models of the workbench.
import { GLOSSARY, GLOSSARY_SUMMARY, GUIDE, GUIDE_SUMMARY } from '#messages/pages';
import { toRow, type Entry } from '../src/app/search/entry';
import { wordsOf } from '../src/app/search/rank';
import type { EngineSession } from '../src/engine/types';
import type { Recipes } from '../src/workbench/settings';
import { CHOICES } from '../src/workbench/models';
import { addressOf, operationsByForm, type Guide } from './guide';
import { programModule, valueOf } from './engine-module';
import { termsOf, type Term } from './glossary';
import type { Lesson } from './lesson';
import type { Library } from './library';
import { anchorOf } from './links';
import { titleOf } from './page';

/** Words in more sections than this tell none of them apart. */
const COMMON = 24;
const MIN_LENGTH = 3;

/** The source of the module that the search loads. */
export const searchModule = async (library: Library): Promise<string> =>
  `export default ${JSON.stringify((await entriesOf(library)).map(toRow))};`;

export async function entriesOf(library: Library): Promise<Entry[]> {
  const guide = await library.guide();
  const session = new (await programModule()).Session();
  return [
    ...library.lessons.map(lessonEntry),
    ...telling([...library.lessons.flatMap(sectionsOf), ...guideSections(guide)]),
    ...library.lessons.flatMap(exercisesOf),
    ...termsOf(library.context.glossary).map(wordEntry),
    ...operations(session),
    ...(await models(session, library)),
    ...pages(library),
  ];
}

const entry = (of: Omit<Entry, 'also' | 'words'> & Partial<Entry>): Entry => ({ also: [], words: '', ...of });

const lessonEntry = (lesson: Lesson): Entry =>
  entry({
    kind: 'lesson',
    title: titleOf(lesson),
    also: [lesson.head.title],
    about: lesson.head.summary,
    address: pageOf(lesson.slug),
  });

const pageOf = (slug: string, anchor?: string): string => `lessons/${slug}/${anchor ? `#${anchor}` : ''}`;

const sectionsOf = (lesson: Lesson): Entry[] => sectionsIn(lesson.html + lesson.ending, lesson.slug, titleOf(lesson));

const guideSections = ({ html }: Guide): Entry[] => sectionsIn(html, 'write', GUIDE);

/** @param about The title of the page. */
const sectionsIn = (html: string, slug: string, about: string): Entry[] =>
  html.split(/(?=<h[23] id=")/).flatMap((part) => {
    const [heading, id, title] = /^<h[23] id="([^"]+)">(.*?)<\/h[23]>/s.exec(part) ?? [];
    if (!heading) return [];
    const words = textOf(part.slice(heading.length));
    return entry({ kind: 'section', title: textOf(title!), about, words, address: pageOf(slug, id) });
  });

const ENTITIES: Readonly<Record<string, string>> = { '&#x3C;': '<', '&#x26;': '&', '&lt;': '<', '&amp;': '&' };

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&[#\w]+;/g, (entity) => ENTITIES[entity] ?? ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The sections with only those of their words that few other sections have, each once. */
function telling(sections: readonly Entry[]): Entry[] {
  const words = sections.map((each) => new Set(wordsOf(each.words).filter(isWord)));
  const counts = new Map<string, number>();
  for (const word of words.flatMap((each) => [...each])) counts.set(word, (counts.get(word) ?? 0) + 1);
  return sections.map((each, i) => ({
    ...each,
    words: [...words[i]!]
      .filter((word) => counts.get(word)! <= COMMON)
      .sort()
      .join(' '),
  }));
}

const isWord = (word: string): boolean => word.length >= MIN_LENGTH && !/\d/.test(word);

const exercisesOf = (lesson: Lesson): Entry[] =>
  Object.entries(lesson.found.taskTitles).map(([id, title]) =>
    entry({ kind: 'exercise', title, about: titleOf(lesson), address: pageOf(lesson.slug, id) }),
  );

const wordEntry = ({ name, also, means }: Term): Entry =>
  entry({ kind: 'word', title: name, also, about: means, address: pageOf('glossary', anchorOf(name)) });

/** Each name once: a function that is a method too is explained as a function. */
function operations(session: EngineSession): Entry[] {
  const { both, functions, methods } = operationsByForm(valueOf(session.operations()));
  const byName = new Map([...methods, ...functions, ...both].map((each) => [each.name, each]));
  return [...byName.values()].map(({ id, name, call, help }) =>
    entry({ kind: 'operation', title: call, also: [name], about: help, address: pageOf('write', id) }),
  );
}

function models(session: EngineSession, { programs }: Library): Promise<Entry[]> {
  const recipes: Recipes = async (task, model) => valueOf(session.recipe(task, model));
  return Promise.all(
    CHOICES.map(async ({ kind, title, about, program }) => {
      const written = program === undefined ? undefined : programs.get(`programs/${program}.py`);
      const address = await addressOf({ kind, given: {}, program: written }, recipes);
      return entry({ kind: 'model', title, also: [kind], about, address: address.replace(/^(\.\.\/)+/, '') });
    }),
  );
}

const pages = ({ ending }: Library): Entry[] => [
  entry({ kind: 'page', title: GUIDE, about: GUIDE_SUMMARY, address: pageOf('write') }),
  entry({ kind: 'page', title: GLOSSARY, about: GLOSSARY_SUMMARY, address: pageOf('glossary') }),
  entry({ kind: 'page', title: ending.title, about: ending.summary, address: pageOf('ending') }),
];
