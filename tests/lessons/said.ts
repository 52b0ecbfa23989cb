// A template as the HTML that a browser would show: text is escaped, HTML from the lesson's build is not.
import { escape } from '../../web/src/ui/escape';

/** A template, a text, or the result of unsafeHTML. */
export function htmlOf(said: unknown): string {
  if (said === null || said === undefined) return '';
  if (Array.isArray(said)) return said.map(htmlOf).join('');
  if (typeof said !== 'object') return String(said).replace(/[&<>]/g, escape);
  const { strings, values } = said as { strings?: string[]; values: unknown[] };
  if (!strings) return values.join('');
  return strings.map((text, i) => text + htmlOf(values[i])).join('');
}
