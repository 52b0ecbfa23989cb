// What a chain of names in a program stands for, found in its text: nn.Linear is torch.nn.Linear where nn was imported.

const NAME = '[\\p{L}_][\\p{L}\\p{N}_]*';
const CHAIN = new RegExp(`(?:${NAME}\\.)*${NAME}$`, 'u');
const IMPORT = new RegExp(`^\\s*import\\s+([\\w.]+)(?:\\s+as\\s+(${NAME}))?`, 'gmu');
const FROM = /^\s*from\s+([\w.]+)\s+import\s+(?:\(([^)]*)\)|(.*))$/gmu;

/** Each imported name, and the path that it stands for. */
export function importsOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, path, name] of text.matchAll(IMPORT))
    found.set(name ?? path!.split('.')[0]!, name ? path! : path!.split('.')[0]!);
  for (const [, path, several, line] of text.matchAll(FROM))
    for (const each of (several ?? line ?? '').replace(/#.*$/gm, '').split(',')) {
      const [name, alias] = each.trim().split(/\s+as\s+/);
      if (name) found.set(alias ?? name, `${path}.${name}`);
    }
  return found;
}

/** "torch.nn.Linear" for "nn.Linear"; null for a chain that begins with no import. */
export function pathOf(chain: string, text: string): string | null {
  const [first, ...rest] = chain.split('.') as [string, ...string[]];
  const path = importsOf(text).get(first);
  return path === undefined ? null : [path, ...rest].join('.');
}

/** The chain that ends there: "nn.Linear" before "(" or "nn" before "."; null if none does. */
export const chainBefore = (text: string): string | null => CHAIN.exec(text)?.[0] ?? null;

/** What follows "self." around this place: attributes that the class assigns, and its methods. */
export function ownNames(text: string, at: number): string[] {
  const lines = text.split('\n');
  const line = text.slice(0, at).split('\n').length - 1;
  const first = lines.slice(0, line + 1).findLastIndex((each) => /^class\s/.test(each));
  if (first < 0) return [];
  const length = lines.slice(first + 1).findIndex((each) => /^[^\s#)\]}]/.test(each));
  const body = lines.slice(first, length < 0 ? undefined : first + 1 + length).join('\n');
  const found = [
    ...body.matchAll(/\bself\.([\p{L}_][\p{L}\p{N}_]*)(?=[^=\n]*=[^=])/gu),
    ...body.matchAll(/^\s+def\s+(\w+)/gmu),
  ];
  return [...new Set(found.map(([, name]) => name!))].filter((name) => !name.startsWith('__'));
}

/** The innermost open parenthesis before the end, if a name stands before it: what is called, and where. */
export function openCall(text: string): { chain: string; at: number } | null {
  let depth = 0;
  for (let i = text.length - 1; i >= 0 && text.length - i < FARTHEST; i--) {
    const sign = text[i]!;
    if (')]}'.includes(sign)) depth++;
    else if ('([{'.includes(sign) && depth-- === 0) {
      const chain = sign === '(' ? chainBefore(text.slice(0, i)) : null;
      return chain === null || /(?:^|\s)(?:def|class)\s+\S*$/.test(text.slice(0, i)) ? null : { chain, at: i };
    }
  }
  return null;
}

/** Characters within which an open parenthesis is looked for. */
const FARTHEST = 1000;
