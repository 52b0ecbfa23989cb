// Parses a lesson: what the page shows, the data it fetches, and what tests have to check.
import { ANSWER_FIRST, MEASURE_FIRST } from '#messages/pages';
import type { Root, RootContent, Yaml } from 'mdast';
import { visit } from 'unist-util-visit';
import type * as v from 'valibot';
import { hasTask } from '../src/engine/own-data';
import { checkMark, type Time } from './core';
import { checkState, folderOf, numberOf, slugOf, TEXTS } from './links';
import { frontMatterBeside, headAfter, type FrontMatter, type Head } from './front-matter';
import { LOOK_DIRECTIVES, looks } from './look';
import { element, parseMarkdown, plain, toHtml } from './markdown';
import { anyOf, LessonProblem, placeOfField, readYaml, TOP, type Place } from './problem';
import { expandWith } from './expand';
import { loadLanguage } from './engine-module';
import { LessonRecord, type LessonContext } from './lesson-record';

export interface Lesson {
  /** Its name, in its address, in links and in what a browser keeps: "softmax". */
  slug: string;
  /** Below lessons/: "01-softmax". */
  folder: string;
  /** Its place among all lessons, from 1 or, if one comes first without a model, from 0. */
  number: number;
  head: Head;
  /** Estimated duration, of its core and of the whole. */
  time: Time;
  /** The body, without the title and the ending. */
  html: string;
  ending: string;
  found: LessonRecord;
}

/** A lesson with a model, which stands on a bench beside the text. */
export interface BenchLesson extends Lesson {
  head: FrontMatter;
}

export const hasBench = (lesson: Lesson): lesson is BenchLesson => 'model' in lesson.head;

/** Throws LessonProblem with the file, the line, the column and one sentence. */
export async function readLesson(
  folder: string,
  text: string,
  context: LessonContext,
  file = `lessons/${folder}/lesson.md`,
): Promise<Lesson> {
  await loadLanguage();
  const slug = nameIn(folder, context, file);
  const tree = parseMarkdown(text);
  const number = numberOf(folder, context.folders);
  const earlier = context.folders.slice(0, context.folders.indexOf(folder)).map(slugOf);
  const body = tree.children.slice(1);
  const isLook = looks(body);
  const fields = isLook ? headAfter(earlier) : frontMatterBeside(context.weights.get(folder) ?? [], earlier);
  const head = headIn(tree, file, fields);
  checkMark(body, file);
  const found = new LessonRecord(file, context, body, expandWith(isLook ? LOOK_DIRECTIVES : undefined));
  const nodes = found.inside<RootContent>(body);
  checkEnds(body, file);
  markHeld(nodes);
  const html = toHtml(foldAfterPredictions(nodes.slice(0, -1)), file);
  const ending = toHtml(nodes.slice(-1), file);
  await checkLinks(found);
  const lesson = { slug, folder, number, head, time: found.time, html, ending, found };
  if (hasBench(lesson)) {
    checkStages(lesson);
    checkViews(lesson);
    checkClaims(found, lesson.head, tree);
  }
  return lesson;
}

/** Throws LessonProblem unless the ending is there, and last. */
function checkEnds(body: readonly RootContent[], file: string): void {
  const refuse = (place: Place, sentence: string): never => {
    throw new LessonProblem(file, place, sentence);
  };
  const at = body.findIndex((node) => node.type === 'containerDirective' && node.name === 'ending');
  if (at < 0)
    refuse(
      body.at(-1)?.position!.end ?? TOP,
      'The lesson has no ending: add :::ending at its end, as lessons/README.md describes.',
    );
  const after = body[at + 1];
  if (after) refuse(after.position!.start, 'The lesson goes on after its ending: move this before :::ending.');
}

/** The name of the lesson in this folder, which no other page may have. Throws LessonProblem. */
function nameIn(folder: string, { folders }: LessonContext, file: string): string {
  const slug = slugOf(folder);
  const owner = TEXTS.includes(slug) ? slug : folderOf(slug, folders);
  if (owner === folder) return slug;
  throw new LessonProblem(
    file,
    TOP,
    `The address lessons/${slug}/ is that of lessons/${owner}: give this folder another name after its number.`,
  );
}

/** Where the front matter begins. */
const HEAD: Place = { line: 2, column: 1 };

/** Throws LessonProblem. */
export function headIn<S extends v.GenericSchema>(tree: Root, file: string, schema: S): v.InferOutput<S> {
  const first = tree.children[0];
  if (first?.type !== 'yaml')
    throw new LessonProblem(
      file,
      TOP,
      'The lesson does not begin with front matter: start with ---, its fields (title, part, summary, model, …) and ---.',
    );
  return readYaml(first.value, schema, { file, start: HEAD }, 'The front matter');
}

/** Refuses a stage of the text that would have nothing to show. */
function checkStages({ found, head }: BenchLesson): void {
  const training = found.stages.find((each) => each.stage === 'training');
  if (training && !hasTask(head.model))
    found.fail(
      'The stage "training" needs a model with a task: name another stage, or give the model a task.',
      training.place,
    );
}

/** Refuses a view of a step that the lesson does not have. */
function checkViews({ found, head: { views } }: BenchLesson): void {
  const missing = found.views.find(({ view }) => !views.includes(view));
  if (missing)
    found.fail(
      `The view "${missing.view}" is not among the lesson's views: add it to "views" in the front matter.`,
      missing.place,
    );
}

/** Each claim of the front matter is made by the text, and the text makes no other. */
function checkClaims(found: LessonRecord, { claims }: FrontMatter, tree: Root): void {
  const names = Object.keys(claims);
  for (const { claim, place } of found.claimed)
    if (!names.includes(claim))
      found.fail(
        `The claim "${claim}" is not in the front matter: add it under "claims"${names.length ? `, or use ${anyOf(names)}` : ''}.`,
        place,
      );
  for (const name of names)
    if (!found.claimed.some(({ claim }) => claim === name))
      found.fail(
        `No sentence makes the claim "${name}": mark one with :claim[…]{of="${name}"}, or remove the claim.`,
        placeOfField((tree.children[0] as Yaml).value, ['claims', name], HEAD),
      );
}

export async function checkLinks({ links, sections, tasks, file }: LessonRecord): Promise<void> {
  for (const { url, place } of links) {
    const refuse = (sentence: string): never => {
      throw new LessonProblem(file, place, sentence);
    };
    if (url.startsWith('#') && !sections.some(({ id }) => `#${id}` === url) && !(url.slice(1) in tasks))
      refuse(
        `The link "${url}" leads to no section of this lesson: use one of ${sections.map(({ id }) => `#${id}`).join(', ')}.`,
      );
    await checkState(url, refuse);
  }
}

/** Marks the settings that say for what the numbers of the text hold: not those in a section that gives numbers of other models only. */
function markHeld(nodes: readonly RootContent[]): void {
  const starts = [0, ...nodes.flatMap(({ type }, at) => (type === 'heading' ? at : [])), nodes.length];
  for (const [i, start] of starts.slice(0, -1).entries()) {
    const section = nodes.slice(start, starts[i + 1]) as Rendered[];
    const settings = section.filter(({ data }) => data?.hProperties?.dataSet);
    if (settings.length && !onlyGiven(section)) for (const { data } of settings) data!.hProperties!.dataHolds = '';
  }
}

function onlyGiven(section: readonly Rendered[]): boolean {
  const classes: string[] = [];
  visit({ type: 'root', children: section }, (node: Rendered) => {
    if (tagOf(node) === 'data') classes.push(String(node.data!.hProperties!.className));
  });
  return classes.length > 0 && !classes.includes('val');
}

// The text after a prediction often gives its answer, so it is folded up until the reader has answered.

interface Rendered {
  type: string;
  data?: { hName?: string; hProperties?: Record<string, unknown> };
}

const tagOf = ({ type, data }: Rendered): string => data?.hName ?? type;
const isDrawn = (node: Rendered): boolean => node.data?.hProperties?.dataDrawn !== undefined;
const isPredict = (node: Rendered): boolean => node.data?.hProperties?.dataName === 'predict' || isDrawn(node);
/** A new section, the end of the core, or the next thing to solve or to draw. */
const ends = (node: Rendered): boolean =>
  ['heading', 'div', 'u-task', 'section'].includes(tagOf(node)) || isDrawn(node);
/** Shows no result before it is pressed. */
const isControl = (node: Rendered): boolean =>
  ['u-try', 'u-training', 'u-write', 'u-sing'].includes(tagOf(node)) || waits(node.data?.hProperties?.dataKind);
/** Comparisons that train when their button is pressed. */
const waits = (kind: unknown): boolean => kind === 'training' || kind === 'lengths';

/** The nodes with whatever follows a prediction, up to the next task or section, in a <details>; controls at its end stay out. */
function foldAfterPredictions(nodes: readonly RootContent[]): RootContent[] {
  const folded: RootContent[] = [];
  for (let at = 0; at < nodes.length;) {
    const node = nodes[at++]!;
    folded.push(node);
    if (!isPredict(node as Rendered)) continue;
    const following = nodes.slice(at) as (RootContent & Rendered)[];
    const next = following.findIndex(ends);
    const text = next < 0 ? following : following.slice(0, next);
    const size = text.findLastIndex((node) => !isControl(node)) + 1;
    if (!size) continue;
    folded.push(
      element('details', { className: ['after'] }, [
        element('summary', {}, [plain(isDrawn(node as Rendered) ? MEASURE_FIRST : ANSWER_FIRST)]),
        ...text.slice(0, size),
      ]),
    );
    at += size;
  }
  return folded;
}
