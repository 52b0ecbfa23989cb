// The text of a lesson as a learner reads it.

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
