// The lines of a file that define a name, with the comment above them.
import type { Lines } from '../src/lab/page';

/** The lines that `show` of a lesson names, "file#name", from 1; the whole file if it does not define the name. */
export function shownLines(show: string, read: (file: string) => string): Lines {
  const [file, name] = show.split('#') as [string, string];
  const lines = read(file).split('\n');
  const [first, last] = regionOf(lines, name) ?? [0, lines.length - 1];
  return { file, first: first + 1, last: last + 1 };
}

/** First and last line, from 0; null if the file does not define the name, like "attend" or "Norm::operator()". */
export function regionOf(lines: readonly string[], name: string): [first: number, last: number] | null {
  const escaped = name.replace('()', '\\(\\)');
  const begins = new RegExp(`^(?!\\s|//|#|}|using )([^={;]*\\b${escaped}\\(|(class|struct|enum) .*\\b${escaped}\\b)`);
  const found = lines.findIndex((line) => begins.test(line));
  if (found < 0) return null;
  let first = found;
  while (first > 0 && lines[first - 1]!.startsWith('//')) first--;
  return [first, lastOf(lines, found)];
}

/** A definition ends at a brace in the first column, a declaration at its semicolon. */
function lastOf(lines: readonly string[], from: number): number {
  for (let at = from; at < lines.length; at++) {
    if (/^}/.test(lines[at]!) || (/;\s*(\/\/.*)?$/.test(lines[at]!) && !/^\s/.test(lines[at]!))) return at;
    if (/^.*\)\s*(const)?\s*{.*}\s*$/.test(lines[at]!)) return at;
  }
  return lines.length - 1;
}
