// The Vite plugin: a page for every lesson, and what the pages import: virtual:lessons, virtual:sources.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connect, Plugin, ViteDevServer } from 'vite';
import { highlight } from './highlight';
import type { Lesson } from './lesson';
import { lessonsFolder, readLibrary, readWorld, root } from './library';
import { lessonPage, type ShownCode } from './page';
import { shownLines } from './region';
import { engineSources } from './source-hash.mjs';

const web = join(root, 'web');
const pageFile = (slug: string): string => join(web, 'lessons', slug, 'index.html');
const slugOfPage = (id: string): string | undefined => /\/lessons\/([\w-]+)\/(?:index\.html)?$/.exec(id)?.[1];

const INDEX = 'virtual:lessons';
const LESSON = 'virtual:lesson/';
const SOURCES = 'virtual:sources';
const SOURCE = 'virtual:source/';
const RESOLVED = '\0';

/** What the page of a lesson fetches when it needs it: the answers are not in its text. */
const lessonData = ({ found, head }: Lesson) => ({
  tasks: found.tasks,
  comparisons: found.comparisons,
  labels: head.labels,
});

const code = (value: unknown): string => JSON.stringify(value);

export function lessons(): Plugin {
  let library: Promise<Lesson[]> | null = null;
  const all = (): Promise<Lesson[]> => (library ??= readLibrary());
  const one = async (slug: string): Promise<Lesson | undefined> => (await all()).find((lesson) => lesson.slug === slug);

  return {
    name: 'unroll:lessons',
    async config(_, { command }) {
      // Before anything is built, so that a mistake in a lesson is the one thing said.
      if (command === 'build') await all();
      return {
        build: {
          rolldownOptions: {
            input: Object.fromEntries(readWorld().lessons.map((slug) => [`lessons/${slug}`, pageFile(slug)])),
          },
        },
      };
    },
    enforce: 'pre',
    buildStart() {
      library = null;
    },
    /** Beside the page, under its own name. */
    async generateBundle() {
      for (const { slug, head } of await all())
        if (head.trained)
          this.emitFile({
            type: 'asset',
            fileName: `lessons/${slug}/${head.trained.weights}`,
            source: weights(slug, head.trained.weights),
          });
    },
    resolveId(id) {
      if ([INDEX, SOURCES].includes(id) || id.startsWith(LESSON) || id.startsWith(SOURCE)) return RESOLVED + id;
      return id.startsWith(web) && slugOfPage(id) ? id : null;
    },
    async load(id) {
      if (id.startsWith(web) && slugOfPage(id)) return pageOf(await all(), slugOfPage(id)!);
      if (!id.startsWith(RESOLVED)) return null;
      const name = id.slice(RESOLVED.length);
      if (name === INDEX) return index(await all());
      if (name === SOURCES) return sourcesIndex();
      if (name.startsWith(LESSON))
        return `export default ${code(lessonData((await one(name.slice(LESSON.length)))!))};`;
      if (name.startsWith(SOURCE))
        return `export const lines = ${code(await highlight(source(name.slice(SOURCE.length))))};`;
      return null;
    },
    configureServer(server) {
      server.watcher.add(lessonsFolder);
      server.watcher.on('all', (_, path) => {
        if (!path.startsWith(lessonsFolder)) return;
        library = null;
        forget(server);
      });
      server.middlewares.use(serveWeights);
      server.middlewares.use((request, response, next) => {
        const slug = slugOfPage((request.url ?? '').split(/[?#]/)[0]!);
        if (!slug || !readWorld().lessons.includes(slug)) return next();
        all()
          .then(async (list) => server.transformIndexHtml(request.url!, await pageOf(list, slug)))
          .then((html) => response.setHeader('Content-Type', 'text/html').end(html), next);
      });
    },
  };
}

const weights = (slug: string, name: string): Buffer => readFileSync(join(lessonsFolder, slug, name));

/** In development, as the build leaves them. */
const serveWeights: Connect.NextHandleFunction = (request, response, next) => {
  const [, slug, name] = /\/lessons\/([\w-]+)\/([\w-]+\.safetensors)$/.exec(request.url ?? '') ?? [];
  if (!slug || !readWorld().weights.get(slug)?.includes(name!)) return next();
  response.setHeader('Content-Type', 'application/octet-stream').end(weights(slug, name!));
};

/** In development a change of any lesson reloads the page. */
function forget(server: ViteDevServer): void {
  for (const module of server.moduleGraph.idToModuleMap.values())
    if (module.id?.startsWith(`${RESOLVED}virtual:lesson`)) server.moduleGraph.invalidateModule(module);
  server.ws.send({ type: 'full-reload' });
}

const source = (path: string): string => readFileSync(join(root, path), 'utf8');

async function pageOf(all: readonly Lesson[], slug: string): Promise<string> {
  const at = all.findIndex((lesson) => lesson.slug === slug);
  const lesson = all[at]!;
  return lessonPage(lesson, { before: all[at - 1], after: all[at + 1] }, await shownCode(lesson));
}

async function shownCode({ head }: Lesson): Promise<ShownCode> {
  const lines = shownLines(head.show, source);
  return { lines, html: (await highlight(source(lines.file))).slice(lines.first - 1, lines.last).join('\n') };
}

function index(all: readonly Lesson[]): string {
  const entries = all.map(({ slug, number, head: { title, part } }) => ({ slug, number, title, part }));
  const data = all.map(({ slug }) => `${code(slug)}: () => import(${code(LESSON + slug)})`);
  return `export default ${code(entries)};\nexport const data = { ${data.join(', ')} };`;
}

function sourcesIndex(): string {
  const entries = engineSources().map((path: string) => `${code(path)}: () => import(${code(SOURCE + path)})`);
  return `export const sources = { ${entries.join(',\n')} };`;
}
