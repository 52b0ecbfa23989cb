// All lessons of the lab, read from lessons/.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readEnding, readText, type Ending } from './text-pages';
import { programModule } from './engine-module';
import { readGlossary } from './glossary';
import { readGuide, type Guide } from './guide';
import { readLesson, type Lesson } from './lesson';
import { LessonProblem } from './problem';
import { readPaths, type Path } from './paths';
import { readQuestions, type Asked } from './questions';
import { teachDirectives } from './teach';
import { isLessonFolder, slugOf } from './links';
import type { LessonContext } from './lesson-record';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const lessonsFolder = join(root, 'lessons');

export function readContext(folder = lessonsFolder): LessonContext {
  const text = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const folders = readdirSync(folder)
    .filter((name) => isLessonFolder(name) && existsSync(join(folder, name, 'lesson.md')))
    .sort();
  const filesIn = (name: string, type: string): string[] =>
    readdirSync(join(folder, name)).filter((file) => file.endsWith(type));
  const weights = folders.map((name) => [name, filesIn(name, '.safetensors')] as const);
  const functions = folders.flatMap((name) =>
    filesIn(name, '.yaml').map((file) => [`lessons/${name}/${file}`, text(join(name, file))] as const),
  );
  return {
    folders,
    weights: new Map(weights),
    functions: new Map(functions),
    glossary: readGlossary(text('glossary.yaml'), 'lessons/glossary.yaml'),
  };
}

/** All lessons in order, each with a promise of its own, which rejects with LessonProblem on a mistake. */
export function readEach(folder = lessonsFolder): [slug: string, lesson: Promise<Lesson>][] {
  const context = readContext(folder);
  const read = (name: string) => readLesson(name, readFileSync(join(folder, name, 'lesson.md'), 'utf8'), context);
  return context.folders.map((name) => [slugOf(name), read(name)]);
}

/** All lessons. Rejects with LessonProblem at the first mistake. */
export const readLibrary = (folder = lessonsFolder): Promise<Lesson[]> =>
  Promise.all(readEach(folder).map(([, lesson]) => lesson));

/** Everything the pages are built from. */
export interface Library {
  context: LessonContext;
  lessons: Lesson[];
  /** Lessons that cannot be read, by name. */
  broken: Map<string, LessonProblem>;
  ending: Ending;
  /** None in a folder without the file. */
  paths: Path[];
  /** Programs by their paths below lessons/. */
  programs: ReadonlyMap<string, string>;
  guide: () => Promise<Guide>;
  /** What is asked before and after a part; nothing in a folder without the file. */
  questions: Asked[];
  /** The teacher's page. */
  teach: () => Promise<Ending>;
}

/** Reads each lesson separately: a mistake in one does not block the others. */
export async function openLibrary(folder = lessonsFolder): Promise<Library> {
  const each = readEach(folder);
  const read = await Promise.allSettled(each.map(([, lesson]) => lesson));
  const lessons: Lesson[] = [];
  const broken = new Map<string, LessonProblem>();
  for (const [i, result] of read.entries())
    if (result.status === 'fulfilled') lessons.push(result.value);
    else if (result.reason instanceof LessonProblem) broken.set(each[i]![0], result.reason);
    else throw result.reason;
  const context = readContext(folder);
  const text = (file: string): string => readFileSync(join(folder, file), 'utf8');
  const paths = existsSync(join(folder, 'paths.yaml'))
    ? readPaths(text('paths.yaml'), context.folders.map(slugOf))
    : [];
  return {
    context,
    lessons,
    broken,
    ending: await readEnding(text('ending.md'), context),
    paths,
    programs: programsIn(folder),
    guide: () => openGuide(context, folder),
    questions: existsSync(join(folder, 'questions.yaml')) ? readQuestions(text('questions.yaml')) : [],
    teach: () => readText(text('teach.md'), context, 'lessons/teach.md', teachDirectives(paths, lessons)),
  };
}

/** The guide to writing models: the engine is loaded for it. */
export async function openGuide(context = readContext(), folder = lessonsFolder): Promise<Guide> {
  const guide = readFileSync(join(folder, 'write/guide.md'), 'utf8');
  const session = new (await programModule()).Session();
  return readGuide(guide, { ...context, programs: programsIn(folder), session });
}

function programsIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.py'));
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}
