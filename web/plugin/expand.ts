// Expands the directives of one lesson, and refuses what lessons do not use.
import type { RootContent } from 'mdast';
import { toString } from 'mdast-util-to-string';
import * as v from 'valibot';
import { DIRECTIVES, type Directive, type Found } from './directives';
import type { Expand, LessonRecord } from './lesson-record';
import { anchorOf, checkLink, slugOf } from './links';
import { displayed } from './markdown';
import { anyOf, sentenceOf } from './problem';

type DirectiveNode = RootContent & {
  name: string;
  attributes?: Record<string, string | null | undefined>;
  children: RootContent[];
};

const PLAIN = new Set([
  ...['paragraph', 'text', 'emphasis', 'strong', 'inlineCode', 'code', 'list', 'listItem', 'blockquote'],
  ...['thematicBreak', 'break', 'math', 'inlineMath', 'element'],
]);
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

type Directives = Readonly<Record<string, Directive>>;

export const expandWith =
  (directives: Directives = DIRECTIVES): Expand =>
  (nodes, lesson) =>
    new Expander(lesson, directives).all(nodes);

class Expander {
  constructor(
    private readonly lesson: LessonRecord,
    private readonly directives: Directives,
  ) {}

  all(nodes: readonly RootContent[]): RootContent[] {
    return nodes.map((node) => this.expanded(node));
  }

  private expanded(node: RootContent): RootContent {
    const before = this.lesson.place;
    this.lesson.place = node.position?.start ?? before;
    const result = this.expandHere(node);
    this.lesson.place = before;
    return result;
  }

  private expandHere(raw: RootContent): RootContent {
    const node = displayed(raw as RootContent) as RootContent;
    if (node.type in FORMS) return this.directive(node as DirectiveNode, ...FORMS[node.type]!);
    if (node.type === 'heading') return this.heading(node);
    if (node.type === 'link')
      this.lesson.links.push({
        url: checkLink(node.url, this.lesson.context.folders.map(slugOf), (sentence) => this.lesson.fail(sentence)),
        place: this.lesson.place,
      });
    else if (node.type === 'html')
      this.lesson.fail(
        `Raw HTML (${node.value.split('\n')[0]!.slice(0, 40)}) is not allowed in a lesson: use Markdown or a directive (${anyOf(Object.keys(this.directives))}).`,
      );
    else if (node.type === 'code' && node.lang === 'yaml')
      this.lesson.fail(
        'A YAML block is outside a directive that takes one: move it inside predict, quiz, exercise or compare.',
      );
    else if (!PLAIN.has(node.type))
      this.lesson.fail(
        `A "${node.type}" is not part of the Markdown that lessons use: use paragraphs, lists, emphasis, code, formulas, links and directives.`,
      );
    return 'children' in node ? ({ ...node, children: this.all(node.children as RootContent[]) } as RootContent) : node;
  }

  private heading(node: Extract<RootContent, { type: 'heading' }>): RootContent {
    if (node.depth === 1 || node.depth > 3)
      this.lesson.fail(
        `A heading of level ${node.depth} is not allowed: use ## for a section and ### inside one; the title is in the front matter.`,
      );
    const title = toString(node.children);
    const id = anchorOf(title);
    if (this.lesson.sections.some((section) => section.id === id))
      this.lesson.fail(`The heading "${title}" occurs twice in this lesson: reword one of them.`);
    this.lesson.sections.push({ id, title });
    return { ...node, children: this.all(node.children), data: { hProperties: { id } } } as RootContent;
  }

  private directive(node: DirectiveNode, form: Directive['form'], colons: string): RootContent {
    const { name } = node;
    const known = Object.hasOwn(this.directives, name) ? this.directives[name] : undefined;
    if (!known)
      this.lesson.fail(
        `The directive "${name}" is not known: use one of ${anyOf(Object.keys(this.directives))}${form === 'inline' ? ', or put a space after the colon if it is meant as text' : ''}.`,
      );
    if (known.form !== form || colons === '::')
      this.lesson.fail(`The directive "${name}" ${FORM_RULES[known.form](name)}.`);
    const { data, children } = this.dataOf(node, known);
    const found = { attributes: this.attributes(node, known), data, children: this.all(children) };
    return known.render(found as Found<never, never>, this.lesson);
  }

  private attributes(node: DirectiveNode, { attributes }: Directive): unknown {
    const typed = Object.fromEntries(Object.entries(node.attributes ?? {}).filter(([, value]) => value != null));
    const result = v.safeParse(attributes, typed);
    if (result.success) return result.output;
    const issue = result.issues[0]!;
    const field = issue.path?.at(-1)?.key as string;
    const names = Object.keys(attributes.entries);
    if (issue.input === undefined)
      this.lesson.fail(`The directive "${node.name}" lacks the attribute "${field}": add ${field}="…".`);
    return this.lesson.fail(sentenceOf(issue, `The directive "${node.name}"`, names));
  }

  private dataOf(node: DirectiveNode, { data }: Directive): { data: unknown; children: RootContent[] } {
    if (!data) return { data: undefined, children: node.children };
    const block = node.children.find((child) => child.type === 'code' && child.lang === 'yaml');
    if (block?.type !== 'code')
      this.lesson.fail(
        `The directive "${node.name}" lacks its YAML block: add one between \`\`\`yaml and \`\`\` inside it.`,
      );
    const { line, column } = block.position!.start;
    return {
      data: this.lesson.yaml(block.value, data, `The YAML block of "${node.name}"`, { line: line + 1, column }),
      children: node.children.filter((child) => child !== block),
    };
  }
}
