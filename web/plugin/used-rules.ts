// Removes the rules of a style sheet that no page needs.

/** Drops rules with classes that do not occur in the HTML, then the font faces that no other rule names. */
export function usedRules(css: string, html: string): string {
  const classes = new Set([...html.matchAll(/\bclass="([^"]*)"/g)].flatMap(([, names]) => names!.split(/\s+/)));
  const isUsed = (selector: string): boolean =>
    [...selector.matchAll(/\.([a-zA-Z][\w-]*)/g)].every(([, name]) => classes.has(name!));
  const rules = [...css.matchAll(/([^{}]+)(\{[^{}]*\})/g)].map(([, selectors, body]) => ({
    selectors: selectors!.split(',').filter(isUsed),
    body: body!,
  }));
  const used = rules.filter(({ selectors }) => selectors.length);
  const isFace = ({ selectors }: { selectors: string[] }): boolean => selectors[0]!.startsWith('@font-face');
  const named = used.filter((rule) => !isFace(rule)).map(({ body }) => body);
  const family = ({ body }: { body: string }): string => /font-family:([^;}]+)/.exec(body)?.[1] ?? '';
  return used
    .filter((rule) => !isFace(rule) || named.some((body) => body.includes(family(rule))))
    .map(({ selectors, body }) => selectors.join(',') + body)
    .join('');
}
