// Reads the small language of exercises: names of tensors, indices, numbers, + - * /, comparisons, and, or, not, functions.

/** Where in the text a part stands, so that messages can quote it. */
interface Span {
  from: number;
  to: number;
}

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=' | '~';
export type Arithmetic = '+' | '-' | '*' | '/';

export type Expression = Span &
  (
    | { kind: 'number'; value: number }
    | { kind: 'name'; name: string }
    /** null is ":", the whole axis. */
    | { kind: 'index'; of: Expression; at: (Expression | null)[] }
    | { kind: 'call'; name: string; args: Expression[] }
    | { kind: 'negative' | 'not'; of: Expression }
    | { kind: 'arithmetic'; op: Arithmetic; left: Expression; right: Expression }
    | { kind: 'comparison'; op: Comparison; left: Expression; right: Expression }
    | { kind: 'and' | 'or'; left: Expression; right: Expression }
  );

/** One sentence: what is wrong, and where; `column` counts from 1. */
export class BadExpression extends Error {
  constructor(
    message: string,
    readonly column: number,
  ) {
    super(message);
  }
}

/** Every function, with how many values it takes. */
export const FUNCTIONS: Record<string, [least: number, most: number]> = {
  sum: [1, 1],
  max: [1, Infinity],
  min: [1, Infinity],
  mean: [1, 1],
  argmax: [1, 1],
  abs: [1, 1],
  exp: [1, 1],
  log: [1, 1],
  sqrt: [1, 1],
  entropy: [1, 1],
  dot: [2, 2],
};

interface Token extends Span {
  kind: 'number' | 'name' | 'word' | 'sign' | 'end';
  text: string;
}

const WORDS = new Set(['and', 'or', 'not', 'inf']);
const PATTERNS: [Token['kind'], RegExp][] = [
  ['number', /(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|∞/y],
  ['name', /"[^"]*"|'[^']*'/y],
  ['word', /[\p{L}_∂][\p{L}\p{N}_]*/uy],
  ['sign', /==|!=|<=|>=|[-+*/<>~()[\],:−·≤≥≠]/y],
];
const SPELLINGS = new Map([...'−·≤≥≠'].map((sign, i) => [sign, ['-', '*', '<=', '>=', '!='][i]!]));

function tokens(text: string): Token[] {
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
  throw new BadExpression(
    `"${text[from]}" is not part of an expression; use names, numbers, + - * / and comparisons.`,
    from + 1,
  );
}

const COMPARISONS = new Set<string>(['==', '!=', '<', '<=', '>', '>=', '~']);
const DEEPEST = 60;

class Parser {
  private at = 0;
  private depth = 0;
  private readonly list: Token[];

  constructor(readonly text: string) {
    this.list = tokens(text);
  }

  whole(): Expression {
    const expression = this.either();
    if (this.next.kind !== 'end') this.unexpected('an operator or the end');
    return expression;
  }

  private get next(): Token {
    return this.list[this.at]!;
  }

  /** Takes the next token if it is one of these. */
  private take(...wanted: string[]): Token | null {
    const token = this.next;
    if ((token.kind !== 'sign' && token.kind !== 'word') || !wanted.includes(token.text)) return null;
    this.at++;
    return token;
  }

  private need(sign: string): Token {
    return this.take(sign) ?? this.unexpected(`"${sign}"`);
  }

  private unexpected(wanted: string): never {
    const { kind, text, from } = this.next;
    const found = kind === 'end' ? 'The expression ends' : `"${text}" stands`;
    throw new BadExpression(`${found} where ${wanted} is expected.`, from + 1);
  }

  private either(): Expression {
    if (++this.depth > DEEPEST)
      throw new BadExpression(
        `The expression nests deeper than ${DEEPEST} levels; write it flatter.`,
        this.next.from + 1,
      );
    let left = this.both();
    while (this.take('or')) left = this.pair('or', left, this.both());
    this.depth--;
    return left;
  }

  private both(): Expression {
    let left = this.negated();
    while (this.take('and')) left = this.pair('and', left, this.negated());
    return left;
  }

  private pair(kind: 'and' | 'or', left: Expression, right: Expression): Expression {
    return { kind, left, right, from: left.from, to: right.to };
  }

  private negated(): Expression {
    const word = this.take('not');
    if (!word) return this.comparison();
    const of = this.comparison();
    return { kind: 'not', of, from: word.from, to: of.to };
  }

  private comparison(): Expression {
    const left = this.total();
    if (!COMPARISONS.has(this.next.text)) return left;
    const op = this.list[this.at++]!.text as Comparison;
    const right = this.total();
    return { kind: 'comparison', op, left, right, from: left.from, to: right.to };
  }

  private total(): Expression {
    let left = this.product();
    for (let sign = this.take('+', '-'); sign; sign = this.take('+', '-'))
      left = this.computed(sign, left, this.product());
    return left;
  }

  private product(): Expression {
    let left = this.signed();
    for (let sign = this.take('*', '/'); sign; sign = this.take('*', '/'))
      left = this.computed(sign, left, this.signed());
    return left;
  }

  private computed(sign: Token, left: Expression, right: Expression): Expression {
    return { kind: 'arithmetic', op: sign.text as Arithmetic, left, right, from: left.from, to: right.to };
  }

  private signed(): Expression {
    const minus = this.take('-');
    if (!minus) return this.indexed();
    if (++this.depth > DEEPEST) this.unexpected('a value');
    const of = this.signed();
    this.depth--;
    return { kind: 'negative', of, from: minus.from, to: of.to };
  }

  private indexed(): Expression {
    let of = this.atom();
    while (this.take('[')) {
      const at = this.listed(() => (this.take(':') ? null : this.total()));
      of = { kind: 'index', of, at, from: of.from, to: this.need(']').to };
    }
    return of;
  }

  private listed<T>(item: () => T): T[] {
    const items = [item()];
    while (this.take(',')) items.push(item());
    return items;
  }

  private atom(): Expression {
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
    if (token.kind === 'name') {
      this.at++;
      return { kind: 'name', name: token.text.slice(1, -1), from: token.from, to: token.to };
    }
    if (token.kind === 'word' && !WORDS.has(token.text)) return this.named(token);
    this.opening();
    const inner = this.either();
    const { to } = this.need(')');
    return { ...inner, from: token.from, to };
  }

  private opening(): void {
    if (!this.take('(')) this.unexpected('a name, a number or a bracket');
  }

  private named(token: Token): Expression {
    this.at++;
    if (!this.take('(')) return { kind: 'name', name: token.text, from: token.from, to: token.to };
    const takes = Object.hasOwn(FUNCTIONS, token.text) ? FUNCTIONS[token.text] : undefined;
    if (!takes)
      throw new BadExpression(
        `"${token.text}" is not a function; use one of ${Object.keys(FUNCTIONS).join(', ')}.`,
        token.from + 1,
      );
    const args = this.listed(() => this.either());
    const { to } = this.need(')');
    const [least, most] = takes;
    if (args.length < least || args.length > most)
      throw new BadExpression(
        `${token.text} takes ${least === 1 ? 'one value' : 'two values'}; it got ${args.length}.`,
        token.from + 1,
      );
    return { kind: 'call', name: token.text, args, from: token.from, to };
  }
}

/** Throws BadExpression. */
export function parse(text: string): Expression {
  if (text.length > 400)
    throw new BadExpression(`The expression has ${text.length} characters; at most 400 are read.`, 401);
  if (!text.trim()) throw new BadExpression('The expression is empty; write one, like exp(e[1]) / sum(exp(e)).', 1);
  return new Parser(text).whole();
}

/** The parts of an expression, itself first. */
export function* partsOf(expression: Expression): Generator<Expression> {
  yield expression;
  for (const part of directParts(expression)) yield* partsOf(part);
}

function directParts(expression: Expression): Expression[] {
  switch (expression.kind) {
    case 'index':
      return [expression.of, ...expression.at.filter((part) => part !== null)];
    case 'call':
      return expression.args;
    case 'negative':
    case 'not':
      return [expression.of];
    case 'number':
    case 'name':
      return [];
    default:
      return [expression.left, expression.right];
  }
}

/** The tensors an expression needs, each once. */
export const namesIn = (expression: Expression): string[] => [
  ...new Set([...partsOf(expression)].flatMap((part) => (part.kind === 'name' ? [part.name] : []))),
];
