// HTML of the static build, which templates may show as such.
import { html, type TemplateResult } from 'lit';

/** Each text once: what is rendered again with the same text stays as it is. */
const known = new Map<string, TemplateResult>();

/** HTML that was rendered when the lessons were built: nothing else may be shown as such. It is a template without values. */
export function builtHtml(text: string): TemplateResult {
  const built = known.get(text) ?? html(Object.assign([text], { raw: [text] }) as TemplateStringsArray);
  known.set(text, built);
  return built;
}
