// What may be typed into a cell, and what a gradient check found, in words.
import { type TemplateResult, html } from 'lit';
import type { GradientCheck, TraceNode } from '../types';
import { unravel } from './index-rules';
import { shortName } from './marks';
import { significant } from './numbers';
import type { Names } from './summary';

const LARGEST = 3.4e38;

/** −∞ means something in scores and masks only. */
const takesInfinity = (node: TraceNode): boolean => node.role === 'score' || /mask/.test(node.name);

/** Why `text` is refused, naming field, value, range and fix; "" if it is taken. `value` is the text read, or null. */
export function refusal(node: TraceNode, index: number, text: string, value: number | null, names: Names = {}): string {
  const position = unravel(index, node.shape);
  const lists = [names.rows, names.columns].slice(-position.length);
  const place = position.map((i, axis) => lists[axis - position.length + lists.length]?.[i] ?? i + 1);
  const field = `${shortName(node.name)}${place.length ? `[${place.join(', ')}]` : ''}`;
  const infinite = takesInfinity(node) ? ', or -inf or inf' : '';
  const range = `from −3.4 × 10³⁸ to 3.4 × 10³⁸${infinite}`;
  if (!text.trim()) return `${field} is empty: type a number ${range}, such as 0.5.`;
  if (value === null || Number.isNaN(value))
    return `${field} cannot be “${text.trim()}”: type a number ${range}, such as 0.5.`;
  if (!Number.isFinite(value) && !infinite)
    return `${field} cannot be infinite: type a number ${range}. Only scores and masks take -inf.`;
  if (Number.isFinite(value) && Math.abs(value) > LARGEST)
    return `${field} cannot be ${text.trim()}: type a number ${range}.`;
  return '';
}

/** "Finite difference −0.21838: agrees to 4 × 10⁻⁵." */
export function checkWords({ analytic, numeric, difference }: GradientCheck): TemplateResult {
  const size = Math.max(Math.abs(analytic), Math.abs(numeric), 1e-3);
  const agrees = Math.abs(difference) <= 1e-2 * size;
  const gap = significant(Math.abs(difference), 1);
  const found = html`Finite difference <span class="num">${significant(numeric, 5)}</span>`;
  if (difference === 0) return html`${found}: agrees exactly.`;
  return agrees
    ? html`${found}: agrees to ${gap}.`
    : html`${found}: differs by ${gap} from ${significant(analytic, 5)}.`;
}
