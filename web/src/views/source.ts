// The engine's source as the page holds it: fetched a file at a time, and read for the names that lines give results.
import { sources } from 'virtual:sources';
import type { TraceNode } from '../types';

class Source extends EventTarget {
  readonly #files = new Map<string, string[] | null>();
  readonly #names = new Map<string, string | null>();

  has(file: string): boolean {
    return sources[file] !== undefined;
  }

  /** Lines as highlighted HTML; null until they are there, then 'change' is dispatched. */
  lines(file: string): string[] | null {
    if (!this.#files.has(file)) void this.#fetch(file);
    return this.#files.get(file) ?? null;
  }

  async #fetch(file: string): Promise<void> {
    this.#files.set(file, null);
    const source = await sources[file]?.();
    if (!source) return;
    this.#files.set(file, source.lines);
    this.dispatchEvent(new Event('change'));
  }

  /** What the line that computed `node` calls its result: "powers" for `const Tensor powers = exp(shifted);`. */
  variable(node: TraceNode): string | null {
    const key = `${node.file}:${node.line}:${node.op}`;
    const line = this.lines(node.file)?.[node.line - 1];
    if (line === undefined) return null;
    if (!this.#names.has(key)) this.#names.set(key, variableIn(plainText(line), node.op));
    return this.#names.get(key) ?? null;
  }
}

/** The variable a line declares, if `op` is the line's outermost operation: the last to run gives the value. */
export function variableIn(line: string, op: string): string | null {
  const found = /^\s*(?:const\s+)?(?:Tensor|auto)\s+(\w+)\s*=\s*(.*)$/.exec(line);
  const [, name, value] = found ?? [];
  return name && value && outermost(value) === op ? name : null;
}

const SIGNS: Record<string, string> = { '+': 'add', '-': 'subtract', '*': 'multiply', '/': 'divide' };

/** "exp(x)" → exp, "a - f(b)" → subtract; null when that is not plain to see. */
function outermost(value: string): string | null {
  const flat = innermostOut(value);
  const signs = [...flat.matchAll(/\s([-+*/])\s/g)].map((match) => match[1]!);
  if (flat.includes('?')) return null;
  const sum = signs.filter((sign) => sign === '+' || sign === '-').at(-1);
  if (signs.length) return SIGNS[sum ?? signs.at(-1)!] ?? null;
  return /^(?:\w+::)*(\w+)\(\)/.exec(flat)?.[1] ?? null;
}

/** Empties all brackets: "max(detach(x), axis)" → "max()". */
function innermostOut(value: string): string {
  let depth = 0;
  return [...value]
    .filter((char) => {
      if (char === ')') depth--;
      const kept = depth === 0;
      if (char === '(') depth++;
      return kept;
    })
    .join('');
}

const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&#x3C;': '<',
};
const plainText = (html: string): string =>
  html.replace(/<[^>]*>/g, '').replace(/&(?:lt|gt|amp|quot|#39|#x3C);/g, (entity) => ENTITIES[entity] ?? entity);

export const source = new Source();
