// The lines of a file that define a name, with the comment above them.

/** First and last line, counted from 0; null if the file does not define the name, like "attend", "Norm::operator()". */
export function regionOf(lines: readonly string[], name: string): [first: number, last: number] | null {
  const begins = new RegExp(`^(?!\\s|//|#|}|using ).*\\b${name.replace('()', '\\(\\)')}(?!\\w)`);
  const found = lines.findIndex((line) => begins.test(line) && !/^namespace/.test(line));
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
