// A template as the HTML that a browser would show: text is escaped, HTML from the lesson's build is not.
import { escape } from '../../web/src/ui/escape';

/** A template, a text, or the result of unsafeHTML. */
export function htmlOf(message: unknown): string {
  if (message === null || message === undefined) return '';
  if (Array.isArray(message)) return message.map(htmlOf).join('');
  if (typeof message !== 'object') return String(message).replace(/[&<>]/g, escape);
  const { strings, values } = message as { strings?: string[]; values: unknown[] };
  if (!strings) return values.join('');
  return strings.map((text, i) => text + htmlOf(values[i])).join('');
}
