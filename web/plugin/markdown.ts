// Markdown → sanitised tree → HTML: formulas by KaTeX, only elements of a short list, no scripts and no inline styles.
import type { Element, ElementContent, Root as HastRoot } from 'hast';
import { SKIP, visit } from 'unist-util-visit';
import type { PhrasingContent, Root, RootContent } from 'mdast';
import rehypeKatex from 'rehype-katex';
import rehypeSanitize, { type Options as Schema } from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkDirective from 'remark-directive';
import remarkFrontmatter from 'remark-frontmatter';
import remarkMath from 'remark-math';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { VFile } from 'vfile';
import { LessonProblem, type Place } from './problem';

const parser = unified().use(remarkParse).use(remarkFrontmatter).use(remarkMath).use(remarkDirective);

export const parseMarkdown = (text: string): Root => parser.parse(text);

/** Inline Markdown from a YAML field; its nodes report the place of the field. */
export function parseInline(text: string, place: Place): PhrasingContent[] {
  const tree = parseMarkdown(text.trim());
  visit(tree, (node) => void (node.position = { start: place, end: place }));
  return tree.children.flatMap((child) => ('children' in child ? (child.children as PhrasingContent[]) : []));
}

/** A $$…$$ formula that is a paragraph of its own becomes display math, even if it is written on one line. */
export function displayed(node: RootContent): RootContent {
  const only = node.type === 'paragraph' && node.children.length === 1 ? node.children[0]! : null;
  if (only?.type !== 'inlineMath' || !only.position) return node;
  const { start, end } = only.position;
  if ((end.offset ?? 0) - (start.offset ?? 0) < only.value.length + 4) return node;
  const code = {
    type: 'element' as const,
    tagName: 'code',
    properties: { className: ['language-math', 'math-display'] },
    children: [{ type: 'text' as const, value: only.value }],
  };
  return { type: 'math', value: only.value, position: only.position, data: { hName: 'pre', hChildren: [code] } };
}

/** An mdast node that renders as this HTML element. */
export function element(tag: string, properties: Record<string, unknown>, children: RootContent[]): RootContent {
  return { type: 'element', data: { hName: tag, hProperties: properties }, children } as unknown as RootContent;
}

/** A box of an exercise or of something to try, under its heading. */
export const box = (
  tag: string,
  properties: Record<string, unknown>,
  heading: string,
  children: RootContent[],
): RootContent =>
  element(tag, { className: ['ex'], ...properties }, [element('h3', {}, [plain(heading)]), ...children]);

export const plain = (text: string): RootContent => ({ type: 'text', value: text });

export const ROLES = ['input', 'parameter', 'state', 'score', 'weight', 'gradient'];

/** \weight{\alpha} is α in the colour of weights, and so on for every role. */
const macros = Object.fromEntries(ROLES.map((role) => [`\\${role}`, `\\htmlClass{r-${role}}{#1}`]));

/** KaTeX asks before it emits a class, a link or an image; only the classes of roles are allowed. Throws otherwise. */
function trust({ command, class: name }: { command: string; class?: string }): boolean {
  if (command === '\\htmlClass' && ROLES.includes(name?.replace(/^r-/, '') ?? '')) return true;
  throw new Error(`${command} is not allowed in a lesson, but \\weight{…} and the other roles are`);
}

const katex = {
  output: 'htmlAndMathml' as const,
  macros,
  trust,
  strict: (code: string) => (code === 'htmlExtension' ? ('ignore' as const) : ('error' as const)),
};

const OWN = ['u-step', 'u-try', 'u-task', 'u-compare', 'u-training', 'u-write', 'u-sing', 'u-translator'];
const schema: Schema = {
  tagNames: [
    ...'p h2 h3 em strong code pre ul ol li blockquote a br hr aside section details summary div span small'.split(' '),
    ...'table thead tbody tr th td dl dt dd mark fieldset legend label input button data'.split(' '),
    ...OWN,
  ],
  attributes: {
    '*': ['id', 'className', 'data*', 'ariaLabel'],
    a: ['href', 'rel'],
    em: ['lang'],
    ol: ['start'],
    pre: ['tabIndex'],
    th: ['scope'],
    input: ['type', 'name', 'value'],
    button: ['type', 'popoverTarget'],
    span: ['popover', 'role'],
    aside: ['role'],
    data: ['value'],
  },
  clobber: [],
  required: {},
  ancestors: {},
  protocols: {},
  strip: ['script', 'style'],
};

const renderer = unified()
  .use(remarkRehype)
  .use(rehypeSanitize, schema)
  .use(rehypeKatex, katex as never)
  .use(rehypeStringify);

/** HTML of inline nodes: wrapped in one paragraph, so that no line breaks are inserted between them. */
export const inlineHtml = (nodes: readonly PhrasingContent[], file: string): string =>
  toHtml([{ type: 'paragraph', children: [...nodes] }], file).replace(/^<p>|<\/p>$/g, '');

/** Throws LessonProblem for a formula that KaTeX cannot parse. */
export function toHtml(nodes: readonly RootContent[], file: string): string {
  const page = new VFile({ path: file });
  const tree = renderer.runSync({ type: 'root', children: [...nodes] } as Root, page) as unknown as HastRoot;
  const message = page.messages[0];
  if (message)
    throw new LessonProblem(
      file,
      placeOf(message.place),
      `The formula cannot be read: ${cause(message.cause)}; correct its TeX.`,
    );
  const formula = { type: 'element', tagName: 'semantics' } as const;
  visit(tree, formula, (node: Element) => void (node.children = node.children.slice(0, 1)));
  keepTogether(tree);
  return renderer.stringify(tree as never) as unknown as string;
}

const cause = (error: unknown): string =>
  error instanceof Error
    ? error.message
        .replace(/^KaTeX parse error: /, '')
        .replace(/[\u0332]/g, '')
        .replace(/[.\s]+$/, '')
    : 'unknown reason';

const placeOf = (place: unknown): Place => {
  const { start, line, column } = (place ?? {}) as { start?: Place; line?: number; column?: number };
  return start ?? { line: line ?? 1, column: column ?? 1 };
};

// No line breaks between a short formula or a glossary term and the punctuation after it, nor inside short code.

/** In characters; longer ones would overflow a narrow column. */
const SHORT = { code: 28, formula: 20 };
const STOP = /^[.,;:!?)\]’”]+/;

const classesOf = ({ properties }: Element): unknown[] => [properties.className].flat();

function textOf(node: ElementContent): string {
  if (node.type === 'element') return node.children.map(textOf).join('');
  return node.type === 'text' ? node.value : '';
}

/** Text of the visible one of KaTeX's two forms. */
const drawn = (formula: Element): string => textOf(formula.children.at(-1)!);

const isShortFormula = (node: ElementContent | undefined): node is Element =>
  node?.type === 'element' && classesOf(node).includes('katex') && drawn(node).length <= SHORT.formula;

const isTerm = (node: ElementContent | undefined): node is Element =>
  node?.type === 'element' && classesOf(node).includes('word-and-meaning');

const unbroken = (children: ElementContent[]): Element => ({
  type: 'element',
  tagName: 'span',
  properties: { className: ['unbroken'] },
  children,
});

function keepTogether(tree: HastRoot): void {
  visit(tree, 'element', (node, _, parent) => {
    if (node.tagName !== 'code' || (parent?.type === 'element' && parent.tagName === 'pre')) return;
    if (textOf(node).length <= SHORT.code)
      node.properties.className = [...classesOf(node).filter(Boolean), 'unbroken'] as string[];
  });
  visit(tree, 'text', (text, at, parent) => {
    const before = parent?.children[at! - 1] as ElementContent | undefined;
    const stop = STOP.exec(text.value)?.[0];
    if (!parent || !stop || !(isShortFormula(before) || isTerm(before))) return;
    text.value = text.value.slice(stop.length);
    if (isTerm(before)) before.children.splice(1, 0, { type: 'text', value: stop });
    else parent.children[at! - 1] = unbroken([before, { type: 'text', value: stop }]);
    return SKIP;
  });
}
