// The formula of an operation, in symbols and with the values of one cell.
import { type TemplateResult, html } from 'lit';
import type { Trace, TraceNode, TraceScope } from '../../engine/types';
import { isNamed, symbol } from './marks';
import { significant } from '../../ui/numbers';
import { type ReadValues, sourceCells } from './provenance';

type Part = string | TemplateResult;

/** Sums of up to this many terms are written out; longer ones as the first TERMS − 2 terms and the last. */
const TERMS = 4;
const DIGITS = 5;

/** Splits "Σ {0} · {1}" at its placeholders: texts and input indices, alternating. */
const cut = (formula: string): (string | number)[] =>
  formula.split(/(\{\d+\})/).map((piece) => (/^\{\d+\}$/.test(piece) ? Number(piece.slice(1, -1)) : piece));

/** The engine's formula, with brackets around the argument of a function: "exp({0})". */
const formulaOf = (node: TraceNode): string =>
  (node.formula || node.op).replace(/^(exp|log|sin|cos|tanh|erf|√) ?\{0\}$/, '$1({0})');

/** "Q = Σ X · W_Q": the operation in the symbols of its operands. */
export function inSymbols(trace: Trace, node: TraceNode, valuesOf: ReadValues): TemplateResult {
  const parts = cut(formulaOf(node)).map((piece): Part => {
    if (typeof piece === 'string') return piece.replace('ᵀ', '');
    const input = trace.nodes[node.inputs[piece] ?? -1];
    return input ? html`${operand(input, valuesOf)}${transposed(node, piece)}` : '';
  });
  return html`<span class="side">${operand(node, valuesOf)} =</span> ${layOut(parts)}`;
}

/** "ᵀ" for an operand that the rule of a product reads transposed: in "nk,mk->nm" the second. */
function transposed(node: TraceNode, input: number): string {
  const [left = '', right = ''] = node.rule.replace(/\.\.\./g, '').split('->');
  const terms = left.split(',');
  if (terms.length !== 2 || terms.some((term) => term.length !== 2)) return '';
  const summed = [...left].find((letter) => letter !== ',' && !right.includes(letter)) ?? '';
  const expected = input === 0 ? 1 : 0;
  return terms[input]?.indexOf(summed) === expected ? '' : 'ᵀ';
}

/** A scalar constant is written as its value, every other tensor as its symbol on the board. */
function operand(node: TraceNode, valuesOf: ReadValues): Part {
  if (node.op !== 'constant' || node.shape.length) return symbol(node);
  const value = valuesOf(node)?.[0];
  return value === undefined ? '…' : significant(value, DIGITS); // may still be loading
}

/**
 * "1 · 2 + 0 · 2 + 1 · 0": the formula with the values that made cell `index`; a long sum keeps its first terms and its
 * last. null while a value is missing, or if the rule gives no input cells.
 */
export function inNumbers(trace: Trace, node: TraceNode, index: number, valuesOf: ReadValues): TemplateResult | null {
  const cells = sourceCells(trace, node, index, valuesOf);
  const inputs = node.inputs.map((id) => trace.nodes[id]);
  const values = inputs.map((input) => (input ? valuesOf(input) : undefined));
  if (values.some((list) => !list)) return null;
  const count = Math.max(1, ...cells.map((list) => list.length));
  if (cells.every((list) => !list.length)) return null;
  const number = (input: number, term: number): number => {
    const list = cells[input] ?? [];
    return values[input]?.[list.length > 1 ? (list[term] ?? 0) : (list[0] ?? 0)] ?? NaN;
  };
  const pieces = cut(body(node)).map((p) =>
    p === 0 && !cells[0]?.length ? cells.findIndex((list) => list.length) : p,
  );
  const term = (k: number): Part[] => pieces.map((p) => (typeof p === 'string' ? p : written(number(p, k), pieces)));
  if (count === 1) return layOut(term(0));
  const shown = abbreviate(count);
  const largest = /^(max|argmax|argsort)\b/.exec(node.formula)?.[0];
  const between = largest ? ', ' : node.formula.startsWith('Π') ? ' · ' : ' + ';
  const terms = shown.flatMap((k, i): Part[] => [
    i ? between : '',
    k === null ? '…' : html`<span class="term-of-sum">${term(k)}</span>`,
  ]);
  const mean = /^mean\b/.test(node.formula);
  if (largest) return html`${largest}(${terms})`;
  return mean ? fraction(html`${terms}`, html`${count}`) : html`${terms}`;
}

/** One term of a sum, product, max or mean: the formula without its Σ, Π, "max" or "mean". */
const body = (node: TraceNode): string =>
  (node.formula ? formulaOf(node) : '{0}').replace(/^(Σ|Π|max|mean|argmax|argsort) /, '').replace(/ᵀ/g, '');

/** Indices of the terms written out; null stands for those omitted. */
function abbreviate(count: number): (number | null)[] {
  if (count <= TERMS) return [...Array(count).keys()];
  return [...Array(TERMS - 2).keys(), null, count - 1];
}

/** Brackets a negative value next to an operator; not one alone or as the only argument of a function. */
function written(value: number, pieces: (string | number)[]): string {
  const text = significant(value, DIGITS);
  const alone =
    pieces.length <= 3 && pieces.every((piece) => typeof piece === 'number' || /^(\w*√?\(|\)|)$/.test(piece));
  return text.startsWith('−') && !alone ? `(${text})` : text;
}

/** Sets "a / b" as a fraction. */
function layOut(parts: Part[]): TemplateResult {
  const slash = parts.indexOf(' / ');
  if (slash < 0) return html`${parts}`;
  return fraction(html`${parts.slice(0, slash)}`, html`${parts.slice(slash + 1)}`);
}

const fraction = (above: TemplateResult, below: TemplateResult): TemplateResult =>
  html`<span class="frac"><span>${above}</span><span>${below}</span></span>`;

/** How a tensor follows from those shown, in a short line: "Q Kᵀ / 1.732 + mask"; null for leaves and gradients. */
export function shortFormula(
  trace: Trace,
  node: TraceNode,
  shown: ReadonlySet<number>,
  valuesOf: ReadValues,
): TemplateResult | null {
  if (!isComputed(node)) return null;
  const outer = composite(trace, node, shown);
  if (!outer || isShort(trace, outer)) return html`${expand(trace, node, shown, valuesOf, 0)}`;
  const listed = shownArguments(distinct(argumentsOf(trace, outer))).map((input, i): Part[] => [
    i ? ', ' : '',
    isOpen(input, shown) ? html`${expand(trace, input, shown, valuesOf, 1)}` : inShort(input),
  ]);
  return html`${calledAs(outer)}(${listed})`;
}

/** "encoder" for encoder.0.t3: layers and positions are skipped. */
const calledAs = ({ name }: TraceScope): string =>
  name
    .split('.')
    .filter((part) => !/^(\d+|t\d+|\d+_reverse)$/.test(part))
    .at(-1) ?? name;

/** The outermost composite operation with this result that contains no other shown tensor, or null. */
function composite(trace: Trace, node: TraceNode, shown: ReadonlySet<number>): TraceScope | null {
  let scope = trace.scopes[node.scope];
  let outermost: TraceScope | null = null;
  while (scope && scope.id > 0 && scope.last === node.id) {
    const { first, last } = scope;
    if ([...shown].some((id) => id !== node.id && id >= first && id <= last)) break;
    outermost = scope;
    scope = trace.scopes[scope.parent];
  }
  return outermost;
}

/** Arguments of a composite: the earlier nodes that its operations read, except constants. */
function argumentsOf(trace: Trace, scope: TraceScope): TraceNode[] {
  const inside = trace.nodes.slice(scope.first, scope.last + 1);
  const outside = new Set(inside.flatMap((node) => node.inputs).filter((id) => id < scope.first));
  const list = [...outside].sort((a, b) => a - b).map((id) => trace.nodes[id]!);
  return list.filter((node) => node.op !== 'constant');
}

/** Lookups in the same table, one per position, count once. */
const distinct = (nodes: readonly TraceNode[]): readonly TraceNode[] => {
  const tables = nodes.map(({ op, inputs, id }) => (op === 'gather' ? inputs[0]! : id));
  return nodes.filter((_, i) => tables.indexOf(tables[i]!) === i);
};

/** "W_Q.weight" for decoder.1.cross_attention.W_Q.weight: a line has no room for a parameter's full path. */
const inShort = (node: TraceNode): TemplateResult =>
  symbol(node.role === 'parameter' ? { ...node, name: node.name.replace(/^.+\.(?=[^.\d][^.]*\.[^.]+$)/, '') } : node);

/** Of many arguments, parameters are omitted: a line has room only for the data that flows through. */
function shownArguments(nodes: readonly TraceNode[]): readonly TraceNode[] {
  const flowing = nodes.filter(({ role }) => role !== 'parameter');
  return nodes.length > MAX_ARGUMENTS && flowing.length ? flowing : nodes;
}
const MAX_ARGUMENTS = 3;

const DEEPEST = 4;

/** Up to two operations read better written out than as a call by name. */
const isShort = (trace: Trace, scope: TraceScope): boolean =>
  trace.nodes.slice(scope.first, scope.last + 1).filter((node) => node.phase === 'forward').length <= 2;

/** Explained by its operations; the backward pass is explained by the rules of differentiation instead. */
const isComputed = ({ phase }: TraceNode): boolean => phase === 'forward' || phase === 'update';
const isOpen = (node: TraceNode, shown: ReadonlySet<number>): boolean =>
  isComputed(node) && !shown.has(node.id) && !isNamed(node);

/** Binding strength of a formula: 1 for a sum, 2 for a product, 3 for what never needs brackets. */
const strength = (formula: string): number =>
  / [+−?] /.test(formula) ? 1 : / [·/] |^−|^(Σ|max|mean) /.test(formula) ? 2 : 3;

/** Binding strength an operand needs to stand in `formula` without brackets; `own` is what `formula` itself needs. */
function needed(formula: string, piece: number, own: number): number {
  if (formula === '{0}') return own;
  if (/[([]/.test(formula)) return 0;
  const right = piece > 0 ? { ' − ': 2, ' / ': 3 }[/ [−/] /.exec(formula)?.[0] ?? ''] : undefined;
  return right ?? strength(formula);
}

/** The formula with hidden operands expanded recursively; bracketed if it binds more weakly than `need`. */
function expand(
  trace: Trace,
  node: TraceNode,
  shown: ReadonlySet<number>,
  valuesOf: ReadValues,
  depth: number,
  need = 0,
): Part[] {
  const formula = formulaOf(node).replace(/^Σ (?=.*·)/, '');
  const parts = cut(formula).map((piece): Part => {
    if (typeof piece === 'string') return piece.replace('ᵀ', '');
    const input = trace.nodes[node.inputs[piece] ?? -1];
    if (!input) return '';
    if (input.op === 'constant') return operand(input, valuesOf);
    if (!isOpen(input, shown) || depth >= DEEPEST) return html`${inShort(input)}${transposed(node, piece)}`;
    const superscript = transposed(node, piece);
    const inner = superscript ? 3 : needed(formula, piece, need);
    return html`${expand(trace, input, shown, valuesOf, depth + 1, inner)}${superscript}`;
  });
  return strength(formula) < need ? ['(', ...parts, ')'] : parts;
}
