// Reads the program's sources: their import graph, and the lengths of their functions.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importsIn } from '../run/imports.mjs';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** For every file or unit, those it depends on. */
export type Graph = ReadonlyMap<string, readonly string[]>;

/** Paths from the root of the repository. */
export const filesIn = (folders: readonly string[], form: RegExp): string[] =>
  folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((file) => `${folder}/${String(file)}`),
    )
    .filter((file) => form.test(file) && !file.includes('node_modules/'));

/** Includes type imports, `import()` and `import.meta.glob`, but not packages. */
export function importsOf(files: readonly string[]): Graph {
  const all = new Set(files);
  return new Map(files.map((name) => [name, importsIn(name, read(name), all).map(({ file }) => file)]));
}

/** For every unit of the bindings (a header and its source, or a folder), the others it includes. */
export function includesOf(files: readonly string[]): Graph {
  const unitOf = (file: string): string => /^bindings\/(\w+)/.exec(file)![1]!;
  const graph = new Map<string, string[]>();
  for (const file of files) {
    const included = [...read(file).matchAll(/^\s*#\s*include\s*"(bindings\/[^"]+)"/gm)].map(([, path]) =>
      unitOf(path!),
    );
    const others = included.filter((unit) => unit !== unitOf(file));
    graph.set(unitOf(file), [...(graph.get(unitOf(file)) ?? []), ...others]);
  }
  return graph;
}

/** Files on a cycle or between two cycles: what remains after repeatedly removing those without imports or importers. */
export function inCircles(graph: Graph): string[] {
  const left = new Set(graph.keys());
  let free: string[];
  do {
    const needed = new Set([...left].flatMap((each) => graph.get(each)!));
    free = [...left].filter((each) => !needed.has(each) || !graph.get(each)!.some((other) => left.has(other)));
    free.forEach((each) => left.delete(each));
  } while (free.length);
  return [...left];
}

export function quantile(numbers: readonly number[], part: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? NaN;
}

/** Lengths, in lines, of named functions and methods. */
export function tsFunctions(text: string): number[] {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest);
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const lengths: number[] = [];
  const visit = (node: ts.Node): void => {
    if (isNamedFunction(node)) lengths.push(lineAt(node.end) - lineAt(node.getStart(source)) + 1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return lengths;
}

function isNamedFunction(node: ts.Node): boolean {
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node))
    return node.initializer !== undefined && ts.isFunctionLike(node.initializer);
  const declared = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
  return (declared || ts.isAccessor(node) || ts.isConstructorDeclaration(node)) && node.body !== undefined;
}

/** What may come between a function's parameters and its body. */
const HEAD = /\)\s*(const|noexcept|override|final|mutable|->[^{}]*|:[^{}]*(\{[^{}]*\}[^{}]*)*)*\s*$/;
const OUTER = /^\s*((inline|export)\s+)*(namespace|class|struct|union|enum|extern)\b/;

/** Lengths, in lines, of C++ functions at namespace or class level, found by their braces. */
export function cppFunctions(source: string): number[] {
  const text = plain(source);
  const lengths: number[] = [];
  let head = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === ';' || text[i] === '}') head = i + 1;
    if (text[i] !== '{') continue;
    const before = text.slice(head, i).replace(/^\s*#.*$/gm, (line) => ' '.repeat(line.length));
    if (OUTER.test(before.replace(/^\s*template\s*<.*>\s*(?=struct|class)/s, ''))) {
      head = i + 1;
      continue;
    }
    const end = closing(text, i);
    const start = head + before.search(/\S/);
    if (HEAD.test(before) && !/=\s*$/.test(before)) lengths.push(text.slice(start, end).split('\n').length);
    i = end;
    if (HEAD.test(before)) head = end + 1;
  }
  return lengths;
}

/** Removes comments, strings and characters, whose braces do not count; keeps the line breaks. */
const plain = (source: string): string =>
  source
    .replace(/R"(\w*)\([\s\S]*?\)\1"/g, (text) => text.replace(/[^\n]/g, ' '))
    .replace(/\/\/.*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)'/g, (text) => text.replace(/[^\n]/g, ' '));

function closing(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i;
  }
  return text.length;
}
