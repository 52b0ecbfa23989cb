// Expands the directives of one lesson, and collects what the page and the tests need to know about it.
import type { PhrasingContent, RootContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import * as v from 'valibot';
import type { Changes } from '../src/lesson/changes';
import { tensorsIn, type Comparison } from './comparisons';
import { DIRECTIVES, type Directive, type Found } from './directives';
import type { Term } from './glossary';
import { anchorOf, checkLink } from './links';
import { displayed, inlineHtml, parseInline } from './markdown';
import { slugOf } from './names';
import { anyOf, LessonProblem, type Place } from './problem';
import type { Task } from './tasks';
import { readYaml, sentenceOf } from './yaml-data';

type Node = RootContent | PhrasingContent;
type DirectiveNode = Node & { name: string; attributes?: Record<string, string | null | undefined>; children: Node[] };

/** A figure in the text, and the expression that must give it. */
export interface Claim {
  text: string;
  of: string;
  given: Changes;
  digits: number;
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
}

const PLAIN = new Set([
  'paragraph',
  'text',
  'emphasis',
  'strong',
  'inlineCode',
  'code',
  'list',
  'listItem',
  'blockquote',
  'thematicBreak',
  'break',
  'math',
  'inlineMath',
  'element',
]);
const TASKS = ['predict', 'quiz', 'exercise'];
const FORM_RULES = {
  block: (name: string) =>
    `is a block: write :::${name} with its attributes on a line of its own, and ::: on the line below it`,
  inline: (name: string) => `stands inside a line: write :${name}[text] with its attributes`,
};
const FORMS: Record<string, [Directive['form'], string]> = {
  containerDirective: ['block', ':::'],
  leafDirective: ['block', '::'],
  textDirective: ['inline', ':'],
};

export class LessonBuilder {
  readonly anchors: Anchor[] = [];
  readonly claims: Claim[] = [];
  readonly offers: { with: Changes; place: Place }[] = [];
  readonly tasks: Record<string, Task & { name: string }> = {};
  readonly taskPlaces: Record<string, Place> = {};
  readonly comparisons: Record<string, Comparison> = {};
  readonly sections: { id: string; title: string }[] = [];
  readonly links: { url: string; place: Place }[] = [];
  /** Glossary terms, each with the section where it is first used; "" before the first section. */
  readonly terms = new Map<string, string>();
  place: Place = { line: 1, column: 1 };
  /** Number of tasks, for "1 of 5". */
  readonly total: number;
  private meanings = 0;

  constructor(
    readonly file: string,
    private readonly context: LessonContext,
    nodes: readonly Node[],
  ) {
    this.total = nodes.filter((node) => 'name' in node && TASKS.includes(node.name)).length;
  }

  fail(sentence: string, place = this.place): never {
    throw new LessonProblem(this.file, place, sentence);
  }

  inside<T extends Node>(nodes: readonly T[]): T[] {
    return nodes.map((node) => this.expanded(node) as T);
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
    this.comparisons[id] = data;
  }

  task(id: string, name: string, task: Task): void {
    this.once(id, this.tasks);
    this.taskPlaces[id] = this.place;
    this.tasks[id] = { ...(this.withHtml(task) as Task), name };
  }

  private once(id: string, known: object): void {
    if (Object.hasOwn(known, id) || this.sections.some((section) => section.id === id))
      this.fail(`The id "${id}" is used twice in this lesson: rename this one.`);
  }

  /** Explanations are Markdown in the lesson and HTML in the page's data. */
  private withHtml(value: unknown, key = ''): unknown {
    if (typeof value === 'string') return ['why', 'hint', 'elsewhere'].includes(key) ? this.html(value) : value;
    if (Array.isArray(value)) return value.map((item) => this.withHtml(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.withHtml(item, name)]));
  }

  /** Records a figure and returns its text. */
  recordFigure(children: Node[], of: string, given: Changes, digits?: number): string {
    const text = toString(children).trim();
    const number = /^[-−]?\d+(?:\.(\d+))?$/.exec(text);
    if (!number) this.fail(`The figure "${text}" is not a plain decimal number: write it like 0.905195.`);
    this.claims.push({ text, of, given, digits: digits ?? number[1]?.length ?? 0, place: this.place });
    return text;
  }

  term(of: string | undefined, children: Node[]): { id: string; term: Term } {
    const word = of ?? toString(children);
    const term = this.context.glossary.get(word.toLowerCase());
    if (!term)
      this.fail(
        `The word "${word}" is not in lessons/glossary.yaml: add it there, or refer to an existing one with {of="…"}.`,
      );
    if (!this.terms.has(term.name)) this.terms.set(term.name, this.sections.at(-1)?.id ?? '');
    return { id: `meaning-${++this.meanings}`, term };
  }

  private expanded(node: Node): Node {
    const before = this.place;
    this.place = node.position?.start ?? before;
    const result = this.expandHere(node);
    this.place = before;
    return result;
  }

  private expandHere(raw: Node): Node {
    const node = displayed(raw as RootContent) as Node;
    if (node.type in FORMS) return this.directive(node as DirectiveNode, ...FORMS[node.type]!);
    if (node.type === 'heading') return this.heading(node);
    if (node.type === 'link')
      this.links.push({
        url: checkLink(node.url, this.context.folders.map(slugOf), (sentence) => this.fail(sentence)),
        place: this.place,
      });
    else if (node.type === 'html')
      this.fail(
        `Raw HTML (${node.value.split('\n')[0]!.slice(0, 40)}) is not allowed in a lesson: use Markdown or a directive (${anyOf(Object.keys(DIRECTIVES))}).`,
      );
    else if (node.type === 'code' && node.lang === 'yaml')
      this.fail(
        'A YAML block is outside a directive that takes one: move it inside predict, quiz, exercise or compare.',
      );
    else if (!PLAIN.has(node.type))
      this.fail(
        `A "${node.type}" is not part of the Markdown that lessons use: use paragraphs, lists, emphasis, code, formulas, links and directives.`,
      );
    return 'children' in node ? ({ ...node, children: this.inside(node.children as Node[]) } as Node) : node;
  }

  private heading(node: Extract<Node, { type: 'heading' }>): Node {
    if (node.depth === 1 || node.depth > 3)
      this.fail(
        `A heading of level ${node.depth} is not allowed: use ## for a section and ### inside one; the title is in the front matter.`,
      );
    const title = toString(node.children);
    const id = anchorOf(title);
    if (this.sections.some((section) => section.id === id))
      this.fail(`The heading "${title}" occurs twice in this lesson: reword one of them.`);
    this.sections.push({ id, title });
    return { ...node, children: this.inside(node.children), data: { hProperties: { id } } } as Node;
  }

  private directive(node: DirectiveNode, form: Directive['form'], colons: string): Node {
    const { name } = node;
    const known = Object.hasOwn(DIRECTIVES, name) ? DIRECTIVES[name] : undefined;
    if (!known)
      this.fail(
        `The directive "${name}" is not known: use one of ${anyOf(Object.keys(DIRECTIVES))}${form === 'inline' ? ', or put a space after the colon if it is meant as text' : ''}.`,
      );
    if (known.form !== form || colons === '::') this.fail(`The directive "${name}" ${FORM_RULES[known.form](name)}.`);
    const { data, children } = this.dataOf(node, known);
    const found = { attributes: this.attributes(node, known), data, children: this.inside(children) };
    return known.render(found as Found<never, never>, this);
  }

  private attributes(node: DirectiveNode, { attributes }: Directive): unknown {
    const given = Object.fromEntries(Object.entries(node.attributes ?? {}).filter(([, value]) => value != null));
    const result = v.safeParse(attributes, given);
    if (result.success) return result.output;
    const issue = result.issues[0]!;
    const field = issue.path?.at(-1)?.key as string;
    const names = Object.keys(attributes.entries);
    if (issue.input === undefined)
      this.fail(`The directive "${node.name}" lacks the attribute "${field}": add ${field}="…".`);
    return this.fail(sentenceOf(issue, `The directive "${node.name}"`, names));
  }

  private dataOf(node: DirectiveNode, { data }: Directive): { data: unknown; children: Node[] } {
    if (!data) return { data: undefined, children: node.children };
    const block = node.children.find((child) => child.type === 'code' && child.lang === 'yaml');
    if (block?.type !== 'code')
      this.fail(`The directive "${node.name}" lacks its YAML block: add one between \`\`\`yaml and \`\`\` inside it.`);
    const { line, column } = block.position!.start;
    return {
      data: this.yaml(block.value, data, `The YAML block of "${node.name}"`, { line: line + 1, column }),
      children: node.children.filter((child) => child !== block),
    };
  }
}
