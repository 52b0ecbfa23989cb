// Tokens of an expression: names, numbers and signs, each with its position.
import { noToken } from '#messages/lesson/expressions';

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
  throw new BadExpression(noToken(text[from]!), from + 1);
}
