// Vite plugin: a page for every lesson, the glossary, the guide, the ending, questions, progress, About, and the old address of a lesson; the
// navigation on every page; and the modules that pages import: virtual:lessons, virtual:menu, virtual:exercises, virtual:code,
// virtual:questions, virtual:search.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connect, Plugin, ViteDevServer } from 'vite';
import { aboutPage } from './about-page';
import { menuRows, withNavigation } from './contents';
import { withFront } from './front-page';
import { guidePage } from './guide';
import { highlight } from './highlight';
import { hasBench, type BenchLesson, type Lesson } from './lesson';
import { lessonsFolder, openLibrary, readContext, root, type Library } from './library';
import { textPage, glossaryPage, movedPage } from './text-pages';
import { folderOf, slugOf, TEXTS } from './links';
import { lessonPage, lookPage, titleOf, type Neighbour, type ShownCode } from './page';
import { shownLines } from './engine-sources';
import { parametersOf, translatorOf, TRANSLATING, TRANSLATOR_FILE } from './translator';
import { progressPage } from './progress-page';
import { answersModule, questionsPage } from './questions';
import { searchModule } from './search-index';
import { newName, newSection, OLD_NAMES } from '../src/lab/old-names';

const web = join(root, 'web');
const pageFile = (slug: string): string => join(web, 'lessons', slug, 'index.html');
/** Names of the pages below lessons/. */
const pages = (): string[] => [...readContext().folders.map(slugOf), ...TEXTS, ...OLD_NAMES];
const slugOfPage = (path: string): string | undefined => /^\/lessons\/([\w-]+)\/(?:index\.html)?$/.exec(path)?.[1];
const slugOfFile = (id: string): string | undefined =>
  id.startsWith(web) ? slugOfPage(id.slice(web.length)) : undefined;

const FUNCTION = 'virtual:code/';
const LESSON = 'virtual:lesson/';
const RESOLVED = '\0';

/** The modules that the pages import; the names of some end in a lesson or a function. */
const MODULES: Readonly<Record<string, (library: Library, name: string) => string | Promise<string>>> = {
  'virtual:lessons': ({ lessons }) => importsOf('data', LESSON, slugsOf(lessons.filter(hasBench))),
  'virtual:looks': ({ lessons }) => predictions(lessons),
  'virtual:exercises': ({ lessons }) => exercises(lessons),
  'virtual:questions': ({ questions, lessons }) => answersModule(questions, lessons),
  'virtual:menu': (library) => `export const rows = ${json(menuRows(library))};`,
  'virtual:code': ({ lessons }) => importsOf('exercises', FUNCTION, functionsOf(lessons)),
  'virtual:search': searchModule,
  [FUNCTION]: (library, name) => `export default ${json(functionIn(library, name))};`,
  [LESSON]: (library, slug) => `export default ${json(lessonData(lessonIn(library, slug)))};`,
};

/** "virtual:lesson/softmax" is the module "virtual:lesson/", and of it "softmax". */
const partsOf = (id: string): [module: string, name: string] => {
  const [, module = '', name = ''] = /^(virtual:(?:lesson|code)\/)(.+)$/.exec(id) ?? [id, id];
  return [module, name];
};

/** What the page of a lesson fetches on demand: the answers are not in its HTML. */
const lessonData = ({ found }: Lesson) => ({
  tasks: Object.fromEntries(
    Object.entries(found.tasks).map(([id, task]) => [
      id,
      task.kind === 'code' ? { ...task, function: undefined } : task,
    ]),
  ),
  comparisons: found.comparisons,
});

const json = (value: unknown): string => JSON.stringify(value);

export function lessons(): Plugin {
  let library: Promise<Library> | null = null;
  const all = (): Promise<Library> => (library ??= openLibrary());

  return {
    name: 'unroll:lessons',
    async config(_, { command }) {
      // Before anything is built, so that a mistake in a lesson is the only error reported.
      if (command === 'build') for (const problem of (await all()).broken.values()) throw problem;
      return {
        build: {
          rolldownOptions: { input: Object.fromEntries(pages().map((slug) => [`lessons/${slug}`, pageFile(slug)])) },
        },
      };
    },
    enforce: 'pre',
    transformIndexHtml: {
      order: 'pre',
      handler: async (html, { path }) => {
        const library = await all();
        return withNavigation(await withFront(html, library, './'), library, path.slice(1).replace(/index\.html$/, ''));
      },
    },
    buildStart() {
      library = null;
    },
    /** Emits the weights beside the page of their lesson, under their own names. */
    async generateBundle() {
      for (const { slug, folder, head } of (await all()).lessons.filter(hasBench))
        for (const name of head.trained ? weightsOf(slug, head.trained.weights) : [])
          this.emitFile({ type: 'asset', fileName: `lessons/${slug}/${name}`, source: weights(folder, name) });
    },
    resolveId(id) {
      if (Object.hasOwn(MODULES, partsOf(id)[0])) return RESOLVED + id;
      return slugOfFile(id) ? id : null;
    },
    async load(id) {
      const slug = slugOfFile(id);
      if (slug) return pageOf(await all(), slug);
      if (!id.startsWith(RESOLVED)) return null;
      const [module, name] = partsOf(id.slice(RESOLVED.length));
      return (await MODULES[module]?.(await all(), name)) ?? null;
    },
    configureServer(server) {
      server.watcher.add(lessonsFolder);
      server.watcher.on('all', (_, path) => {
        if (!path.startsWith(lessonsFolder)) return;
        library = null;
        reloadPages(server);
      });
      server.middlewares.use(serveWeights);
      server.middlewares.use((request, response, next) => {
        const slug = slugOfPage((request.url ?? '').split(/[?#]/)[0]!);
        if (!slug || !pages().includes(slug)) return next();
        all()
          .then(async (library) => server.transformIndexHtml(request.url!, await pageOf(library, slug)))
          .then((html) => response.setHeader('Content-Type', 'text/html').end(html), next);
      });
    },
  };
}

/** The files that a page may load: of one lesson also what the front page loads. */
const weightsOf = (slug: string, trained: string): string[] =>
  slug === TRANSLATING ? [trained, TRANSLATOR_FILE] : [trained];

function weights(folder: string, name: string): Uint8Array {
  const [file] = name === TRANSLATOR_FILE ? readContext().weights.get(folder)! : [name];
  const bytes = readFileSync(join(lessonsFolder, folder, file!));
  return name === TRANSLATOR_FILE ? parametersOf(bytes) : bytes;
}

/** Serves weights in development, at the paths where the build emits them. */
const serveWeights: Connect.NextHandleFunction = (request, response, next) => {
  const [, slug, name] = /\/lessons\/([\w-]+)\/([\w-]+\.safetensors)$/.exec(request.url ?? '') ?? [];
  const context = readContext();
  const folder = folderOf(slug ?? '', context.folders);
  const files = context.weights.get(folder ?? '')?.flatMap((file) => weightsOf(slug!, file)) ?? [];
  if (!folder || !files.includes(name!)) return next();
  response.setHeader('Content-Type', 'application/octet-stream').end(weights(folder, name!));
};

/** In development, a change in any lesson reloads the page. */
function reloadPages(server: ViteDevServer): void {
  for (const module of server.moduleGraph.idToModuleMap.values())
    if (module.id?.startsWith(`${RESOLVED}virtual:`)) server.moduleGraph.invalidateModule(module);
  server.ws.send({ type: 'full-reload' });
}

const source = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Throws its LessonProblem if it cannot be read. */
function lessonIn({ lessons, broken }: Library, slug: string): Lesson {
  const lesson = lessons.find((each) => each.slug === slug);
  if (!lesson) throw broken.get(slug)!;
  return lesson;
}

async function pageOf(library: Library, slug: string): Promise<string> {
  const { lessons: all, context, ending } = library;
  if (slug === 'about') return aboutPage();
  if (slug === 'glossary') return glossaryPage(all, context.glossary);
  if (slug === 'write') return guidePage(await library.guide());
  if (slug === 'ending') return textPage(ending);
  if (slug === 'progress') return progressPage(all);
  if (slug === 'questions') return questionsPage(library.questions, all);
  if (slug === 'teach') return textPage(await library.teach());
  if (OLD_NAMES.includes(slug)) return movedPage(newName(slug), all, newSection(slug));
  const lesson = lessonIn(library, slug);
  const at = all.indexOf(lesson);
  const neighbour = (other?: Lesson): Neighbour | undefined => other && [other.slug, titleOf(other)];
  const next = all[at + 1];
  const after: Neighbour = next
    ? [next.slug, titleOf(next), next.head.summary]
    : ['ending', ending.title, ending.summary];
  const neighbours = { before: neighbour(all[at - 1]), after };
  if (!hasBench(lesson)) return lookPage(lesson, neighbours, await translatorOf(all, '../../'));
  return lessonPage(lesson, neighbours, await shownCode(lesson));
}

async function shownCode({ head }: BenchLesson): Promise<ShownCode> {
  const lines = shownLines(head.show, source);
  return { lines, html: (await highlight(source(lines.file))).slice(lines.first - 1, lines.last).join('\n') };
}

/** The source of a table: by name, a function that imports the part of that name. */
const importsOf = (table: string, module: string, names: readonly string[]): string =>
  `export const ${table} = { ${names.map((name) => `${json(name)}: () => import(${json(module + name)})`).join(', ')} };`;

const slugsOf = (all: readonly Lesson[]): string[] => all.map(({ slug }) => slug);

/** What the lessons without a model ask, by lesson. */
const predictions = (all: readonly Lesson[]): string =>
  `export const foretold = ${json(Object.fromEntries(all.filter((each) => !hasBench(each)).map(({ slug, found }) => [slug, found.foretold])))};`;

/** The exercise ids of every lesson, fetched when the menu opens: no page contains them all. */
const exercises = (all: readonly Lesson[]): string =>
  `export const exercises = ${json(all.map(({ slug, found }) => [slug, Object.keys(found.tasks)]))};`;

/** "softmax/by-hand": the exercise with that id in the lesson of that name. */
const functionsOf = (all: readonly Lesson[]): string[] =>
  all.flatMap(({ slug, found }) =>
    Object.entries(found.tasks).flatMap(([id, { kind }]) => (kind === 'code' ? [`${slug}/${id}`] : [])),
  );

function functionIn(library: Library, name: string): unknown {
  const [slug, id] = name.split('/') as [string, string];
  const task = lessonIn(library, slug).found.tasks[id];
  return task?.kind === 'code' ? task.function : undefined;
}
