// What the page and the tests need to know about a lesson, collected while its directives are expanded.
import type { RootContent } from 'mdast';
import { dirname } from 'node:path';
import { toString } from 'mdast-util-to-string';
import type * as v from 'valibot';
import type { Stage } from '../src/engine/types';
import type { Changes } from '../src/lesson/changes';
import { code, type Code, type Foretold, type Task } from '../src/lesson/format/tasks';
import { tensorsIn, type Comparison } from '../src/lesson/format/comparisons';
import { tasksIn, timeToRead, type Time } from './core';
import type { Term } from './glossary';
import { inlineHtml, parseInline } from './markdown';
import { LessonProblem, readYaml, TOP, type Place } from './problem';

/** A figure in the text, and the expression that must give it. */
export interface Figure {
  text: string;
  of: string;
  given: Changes;
  digits: number;
  place: Place;
}

/** What the text says that the translator writes under a change; or with `at`, which word it looks at most for that one. */
export interface Shown {
  text: string;
  at?: string | undefined;
  hide?: string | undefined;
  pull?: string | undefined;
  place: Place;
}

export interface Anchor {
  name: string;
  cell?: number[];
  /** The changes under which it must exist. */
  given: Changes;
  place: Place;
}

export interface LessonContext {
  /** Folders of all lessons, in their order. */
  folders: readonly string[];
  glossary: ReadonlyMap<string, Term>;
  /** Names of the weights in the folder of each lesson that has some. */
  weights: ReadonlyMap<string, readonly string[]>;
  /** Functions that readers write, by the paths of their files: their text. */
  functions: ReadonlyMap<string, string>;
}

/** The nodes of a lesson with their directives expanded. */
export type Expand = (nodes: readonly RootContent[], lesson: LessonRecord) => RootContent[];

export class LessonRecord {
  readonly anchors: Anchor[] = [];
  readonly figures: Figure[] = [];
  /** The sentences that make claims, each with the name of its claim. */
  readonly claimed: { claim: string; sentence: string; place: Place }[] = [];
  readonly shown: Shown[] = [];
  readonly foretold: Record<string, Foretold> = {};
  readonly offers: { with: Changes; place: Place }[] = [];
  readonly tasks: Record<string, Task & { name: string }> = {};
  readonly taskPlaces: Record<string, Place> = {};
  /** Of the tasks that have one. */
  readonly taskTitles: Record<string, string> = {};
  readonly comparisons: Record<string, Comparison> = {};
  readonly sections: { id: string; title: string }[] = [];
  readonly links: { url: string; place: Place }[] = [];
  /** The stages that it names. */
  readonly stages: { stage: Stage; place: Place }[] = [];
  /** The views that its steps name. */
  readonly views: { view: string; place: Place }[] = [];
  /** Glossary terms, each with the section where it is first used; "" before the first section. */
  readonly terms = new Map<string, string>();
  place = TOP;
  /** Number of tasks, for "1 of 5". */
  readonly total: number;
  readonly time: Time;
  private meanings = 0;

  constructor(
    readonly file: string,
    readonly context: LessonContext,
    /** Its text, with directives as they were written. */
    readonly nodes: readonly RootContent[],
    private readonly expand: Expand,
  ) {
    this.total = tasksIn(nodes);
    this.time = timeToRead(nodes);
  }

  fail(sentence: string, place = this.place): never {
    throw new LessonProblem(this.file, place, sentence);
  }

  /** The nodes with their directives expanded. */
  inside<T extends RootContent>(nodes: readonly T[]): T[] {
    return this.expand(nodes, this) as T[];
  }

  /** A YAML field as HTML for the data of the page, not for its text. */
  html(text: string): string {
    return inlineHtml(this.inside(parseInline(text, this.place)), this.file);
  }

  yaml<S extends v.GenericSchema>(text: string, schema: S, what: string, start = this.place): v.InferOutput<S> {
    return readYaml(text, schema, { file: this.file, start }, what);
  }

  anchor(name: string, cell?: number[], given: Changes = {}): void {
    this.anchors.push({ name, cell, given, place: this.place });
  }

  /** A part of the text that is about a stage, if it says one. */
  speaksOf(stage: Stage | undefined): Stage | undefined {
    if (stage) this.stages.push({ stage, place: this.place });
    return stage;
  }

  /** Changes that a button offers to the reader. */
  offer(changes: Changes): void {
    this.offers.push({ with: changes, place: this.place });
  }

  /** Parses changes in an attribute, written without braces: "temperature: 0.5". */
  given<S extends v.GenericSchema>(text: string | undefined, schema: S): v.InferOutput<S> {
    return this.yaml(`{${text ?? ''}}`, schema, 'The attribute "given"');
  }

  compare(id: string, data: Comparison): void {
    this.once(id, this.comparisons);
    for (const name of tensorsIn(data)) this.anchor(name);
    this.comparisons[id] = this.withHtml(data) as Comparison;
  }

  /** Returns it with the function to write, if it asks for one. */
  task(id: string, name: string, task: Task): Task {
    this.once(id, this.tasks);
    this.taskPlaces[id] = this.place;
    const whole = task.kind === 'code' ? { ...task, function: this.functionIn(`${task.file}.yaml`) } : task;
    this.tasks[id] = { ...(this.withHtml(whole) as Task), name };
    return whole;
  }

  /** The function to write, from its file beside the lesson. */
  private functionIn(name: string): Code {
    const folder = dirname(this.file);
    const text = this.context.functions.get(`${folder}/${name}`);
    if (text === undefined) this.fail(`There is no file ${name} in ${folder}: put it there, or correct "file".`);
    return readYaml(text, code, { file: `${folder}/${name}`, start: TOP }, 'The function');
  }

  private once(id: string, known: object): void {
    if (Object.hasOwn(known, id) || this.sections.some((section) => section.id === id))
      this.fail(`The id "${id}" is used twice in this lesson: rename this one.`);
  }

  /** Explanations are Markdown in the lesson and HTML in the page's data. */
  private withHtml(value: unknown, key = ''): unknown {
    if (typeof value === 'string')
      return ['why', 'hint', 'hints', 'how', 'elsewhere', 'unmet', 'ask'].includes(key) ? this.html(value) : value;
    if (Array.isArray(value))
      return value.map((item) => this.withHtml(item, ['hint', 'hints', 'unmet'].includes(key) ? key : ''));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.withHtml(item, name)]));
  }

  /** Records a figure and returns its text. */
  recordFigure(children: RootContent[], of: string, given: Changes, digits?: number): string {
    const text = toString(children).trim();
    const number = /^[-−]?\d+(?:\.(\d+))?$/.exec(text);
    if (!number) this.fail(`The figure "${text}" is not a plain decimal number: write it like 0.905195.`);
    this.figures.push({ text, of, given, digits: digits ?? number[1]?.length ?? 0, place: this.place });
    return text;
  }

  term(of: string | undefined, children: RootContent[]): { id: string; term: Term } {
    const word = of ?? toString(children);
    const term = this.context.glossary.get(word.toLowerCase());
    if (!term)
      this.fail(
        `The word "${word}" is not in lessons/glossary.yaml: add it there, or refer to an existing one with {of="…"}.`,
      );
    if (!this.terms.has(term.name)) this.terms.set(term.name, this.sections.at(-1)?.id ?? '');
    return { id: `meaning-${++this.meanings}`, term };
  }
}
