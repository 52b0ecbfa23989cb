// What the engine refuses, in English; see program-refusals.ts.
export { default as SENTENCES } from '../../../../engine/messages/en/engine.json' with { type: 'json' };

export const FIELDS = {};

export const placed = (line: number, column: number, sentence: string): string =>
  `line ${line}, column ${column}: ${sentence}`;

/** As the engine's own programs write it: at most fifteen significant digits, and 1e-05 beyond four zeros. */
export function number(number: number): string {
  if (!Number.isFinite(number)) return Number.isNaN(number) ? 'NaN' : number > 0 ? '∞' : '−∞';
  const [digits, exponent] = number.toExponential(14).split('e').map(Number) as [number, number];
  if (exponent >= -4 && exponent < 15) return String(Number(number.toPrecision(15)));
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
