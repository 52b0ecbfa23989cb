// Prevents line breaks between a short formula or a glossary term and the punctuation after it, and inside short code.
import type { Element, ElementContent, Root } from 'hast';
import { SKIP, visit } from 'unist-util-visit';

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

export function keepTogether(tree: Root): void {
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
