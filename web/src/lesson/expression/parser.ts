// Parser of expressions in lessons: names of tensors, indices, numbers, + - * /, comparisons, and, or, not, functions.
import * as texts from '#messages/lesson/expressions';
import { FUNCTIONS } from './functions';
import { isTextName, TAKES } from '../facts';

/** Character range of a part in the text, so that messages can quote it. */
export interface Span {
  from: number;
  to: number;
}

export interface Token extends Span {
  kind: 'number' | 'quoted' | 'word' | 'sign' | 'end';
  text: string;
}

/** One sentence: what is wrong, and where; `column` counts from 1. */
export class BadExpression extends Error {
  constructor(
    message: string,
    readonly column: number,
  ) {
    super(message);
  }
}

const PATTERNS: [Token['kind'], RegExp][] = [
  ['number', /(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|∞/y],
  ['quoted', /"[^"]*"|'[^']*'/y],
  ['word', /[\p{L}_∂][\p{L}\p{N}_]*/uy],
  ['sign', /==|!=|<=|>=|[-+*/<>~()[\],:−·≤≥≠]/y],
];
const SPELLINGS = new Map([...'−·≤≥≠'].map((sign, i) => [sign, ['-', '*', '<=', '>=', '!='][i]!]));

/** Throws BadExpression. */
export function tokens(text: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text[at]!)) {
      at++;
      continue;
    }
    const token = tokenAt(text, at);
    found.push(token);
    at = token.to;
  }
  return [...found, { kind: 'end', text: '', from: text.length, to: text.length }];
}

function tokenAt(text: string, from: number): Token {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = from;
    const matched = pattern.exec(text)?.[0];
    if (matched) return { kind, text: SPELLINGS.get(matched) ?? matched, from, to: from + matched.length };
  }
  throw new BadExpression(texts.noToken(text[from]!), from + 1);
}

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | '~';
export type Arithmetic = '+' | '-' | '*' | '/';

export type Expression = Span &
  (
    | { kind: 'number'; value: number }
    | { kind: 'name'; name: string }
    | { kind: 'text'; value: string }
    | { kind: 'index'; of: Expression; at: Position[] }
    | { kind: 'call'; name: string; args: Expression[] }
    | { kind: 'negative' | 'not'; of: Expression }
    | { kind: 'arithmetic'; op: Arithmetic; left: Expression; right: Expression }
    | { kind: 'comparison'; op: Comparison; left: Expression; right: Expression }
    | { kind: 'and' | 'or'; left: Expression; right: Expression }
  );

/** On one axis: one position, or a range of them; null is an open end. */
export type Position = Expression | Range;
export type Range = Span & { kind: 'range'; start: Expression | null; stop: Expression | null };

const WORDS = new Set(['and', 'or', 'not', 'inf']);
const COMPARISONS = new Set<string>(['==', '!=', '<', '<=', '>', '>=', '~']);
const MAX_DEPTH = 60;
const MAX_LENGTH = 400;

class Parser {
  private at = 0;
  private depth = 0;
  private readonly list: Token[];

  constructor(readonly text: string) {
    this.list = tokens(text);
  }

  parseAll(): Expression {
    const expression = this.parseOr();
    if (this.next.kind !== 'end') this.unexpected(texts.OPERATOR_OR_END);
    return expression;
  }

  private get next(): Token {
    return this.list[this.at]!;
  }

  /** Consumes the next token if it is one of these. */
  private take(...wanted: string[]): Token | null {
    const token = this.next;
    if ((token.kind !== 'sign' && token.kind !== 'word') || !wanted.includes(token.text)) return null;
    this.at++;
    return token;
  }

  private expect(sign: string): Token {
    return this.take(sign) ?? this.unexpected(texts.sign(sign));
  }

  private unexpected(wanted: string): never {
    const { kind, text, from } = this.next;
    throw new BadExpression(kind === 'end' ? texts.ends(wanted) : texts.found(text, wanted), from + 1);
  }

  private parseOr(): Expression {
    if (++this.depth > MAX_DEPTH) throw new BadExpression(texts.tooDeep(MAX_DEPTH), this.next.from + 1);
    let left = this.parseAnd();
    while (this.take('or')) left = this.logical('or', left, this.parseAnd());
    this.depth--;
    return left;
  }

  private parseAnd(): Expression {
    let left = this.parseNot();
    while (this.take('and')) left = this.logical('and', left, this.parseNot());
    return left;
  }

  private logical(kind: 'and' | 'or', left: Expression, right: Expression): Expression {
    return { kind, left, right, from: left.from, to: right.to };
  }

  private parseNot(): Expression {
    const word = this.take('not');
    if (!word) return this.parseComparison();
    const of = this.parseComparison();
    return { kind: 'not', of, from: word.from, to: of.to };
  }

  private parseComparison(): Expression {
    const left = this.parseSum();
    if (!COMPARISONS.has(this.next.text)) return left;
    const op = this.list[this.at++]!.text as Comparison;
    const right = this.parseSum();
    const span = { from: left.from, to: right.to };
    if (!isText(left) && !isText(right)) return { kind: 'comparison', op, left, right, ...span };
    if (op !== '==' && op !== '!=') throw new BadExpression(texts.TEXT_IS_EQUAL_OR_NOT, left.from + 1);
    return { kind: 'comparison', op, left: this.asText(left), right: this.asText(right), ...span };
  }

  private asText(part: Expression): Expression {
    if (isText(part)) return part;
    if (part.kind === 'name' && /^["']/.test(this.text.slice(part.from)))
      return { kind: 'text', value: part.name, from: part.from, to: part.to };
    throw new BadExpression(texts.TEXT_IN_QUOTES, part.from + 1);
  }

  private parseSum(): Expression {
    let left = this.parseProduct();
    for (let sign = this.take('+', '-'); sign; sign = this.take('+', '-'))
      left = this.arithmetic(sign, left, this.parseProduct());
    return left;
  }

  private parseProduct(): Expression {
    let left = this.parseSigned();
    for (let sign = this.take('*', '/'); sign; sign = this.take('*', '/'))
      left = this.arithmetic(sign, left, this.parseSigned());
    return left;
  }

  private arithmetic(sign: Token, left: Expression, right: Expression): Expression {
    return { kind: 'arithmetic', op: sign.text as Arithmetic, left, right, from: left.from, to: right.to };
  }

  private parseSigned(): Expression {
    const minus = this.take('-');
    if (!minus) return this.parseIndexed();
    if (++this.depth > MAX_DEPTH) this.unexpected(texts.VALUE);
    const of = this.parseSigned();
    this.depth--;
    return { kind: 'negative', of, from: minus.from, to: of.to };
  }

  private parseIndexed(): Expression {
    let of = this.parseAtom();
    while (this.take('[')) {
      const at = this.parseList(() => this.parsePosition());
      of = { kind: 'index', of, at, from: of.from, to: this.expect(']').to };
    }
    return of;
  }

  private parsePosition(): Position {
    const { from } = this.next;
    const start = this.next.text === ':' ? null : this.parseSum();
    if (!this.take(':')) return start!;
    const stop = [',', ']'].includes(this.next.text) ? null : this.parseSum();
    return { kind: 'range', start, stop, from, to: this.list[this.at - 1]!.to };
  }

  private parseList<T>(item: () => T): T[] {
    const items = [item()];
    while (this.take(',')) items.push(item());
    return items;
  }

  private parseAtom(): Expression {
    const token = this.next;
    if (token.kind === 'number' || token.text === 'inf') {
      this.at++;
      return {
        kind: 'number',
        value: /[∞i]/.test(token.text) ? Infinity : Number(token.text),
        from: token.from,
        to: token.to,
      };
    }
    if (token.kind === 'quoted') {
      this.at++;
      return { kind: 'name', name: token.text.slice(1, -1), from: token.from, to: token.to };
    }
    if (token.kind === 'word' && !WORDS.has(token.text)) return this.parseNamed(token);
    this.openParen();
    const inner = this.parseOr();
    const { to } = this.expect(')');
    return { ...inner, from: token.from, to };
  }

  private openParen(): void {
    if (!this.take('(')) this.unexpected(texts.OPERAND);
  }

  private parseFact({ text, from }: Token): Expression {
    const [what, most, example] = TAKES[text]!;
    const number = Number(this.next.text);
    if (this.next.kind !== 'number' || !(Number.isInteger(number) && number >= 1 && number <= most))
      throw new BadExpression(texts.takes(text, what, most, example), this.next.from + 1);
    this.at++;
    return { kind: 'name', name: `${text}(${number})`, from, to: this.expect(')').to };
  }

  private parseNamed(token: Token): Expression {
    this.at++;
    if (!this.take('(')) return { kind: 'name', name: token.text, from: token.from, to: token.to };
    if (Object.hasOwn(TAKES, token.text)) return this.parseFact(token);
    const known = Object.hasOwn(FUNCTIONS, token.text) ? FUNCTIONS[token.text] : undefined;
    if (!known) throw new BadExpression(texts.noFunction(token.text, Object.keys(FUNCTIONS)), token.from + 1);
    const args = this.parseList(() => this.parseOr());
    const { to } = this.expect(')');
    const [least, most] = known.arity;
    if (args.length < least || args.length > most)
      throw new BadExpression(texts.takesValues(token.text, least, most, args.length), token.from + 1);
    return { kind: 'call', name: token.text, args, from: token.from, to };
  }
}

const isText = (part: Expression): boolean => part.kind === 'name' && isTextName(part.name);

/** Throws BadExpression. */
export function parse(text: string): Expression {
  if (text.length > MAX_LENGTH) throw new BadExpression(texts.tooLong(text.length, MAX_LENGTH), MAX_LENGTH + 1);
  if (!text.trim()) throw new BadExpression(texts.EMPTY, 1);
  return new Parser(text).parseAll();
}

/** The expression and all its parts, in pre-order. */
export function* partsOf(expression: Expression): Generator<Expression> {
  yield expression;
  for (const part of directParts(expression)) yield* partsOf(part);
}

function directParts(expression: Expression): Expression[] {
  switch (expression.kind) {
    case 'index':
      return [expression.of, ...expression.at.flatMap(ends)];
    case 'call':
      return expression.args;
    case 'negative':
    case 'not':
      return [expression.of];
    case 'number':
    case 'name':
    case 'text':
      return [];
    default:
      return [expression.left, expression.right];
  }
}

const ends = (at: Position): Expression[] =>
  at.kind === 'range' ? [at.start, at.stop].filter((end) => end !== null) : [at];

/** The tensors and facts an expression needs, each once. */
export const namesIn = (expression: Expression): string[] => [
  ...new Set([...partsOf(expression)].flatMap((part) => (part.kind === 'name' ? [part.name] : []))),
];
