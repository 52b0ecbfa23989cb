// A template as the HTML that a browser would show: text is escaped, HTML from the lesson's build is not; and the text
// of it as a learner reads it.
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

const SIGNS = { lt: '<', gt: '>', amp: '&' };

export const textIn = (html: string): string =>
  html.replace(/<[^>]*>/g, '').replace(/&(lt|gt|amp);/g, (_, name: keyof typeof SIGNS) => SIGNS[name]);

/** Everything in a hint that a learner could copy into a number field. */
export const sumsIn = (hint: string): string[] =>
  (
    textIn(hint)
      .replace(/[·×]/g, '*')
      .replaceAll('−', '-')
      .match(/(?:[-+*/() \d.]|exp|log|sqrt)+/g) ?? []
  )
    .map((sum) => sum.replace(/[ .]+$/, ''))
    .filter((sum) => /\d/.test(sum));

export const codeIn = (hint: string): string[] =>
  Array.from(hint.matchAll(/<code>(.*?)<\/code>/g), ([, code]) => textIn(code!));
