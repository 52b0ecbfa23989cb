// What may be typed into a cell, and what a gradient check found, in words.
import { type TemplateResult, html } from 'lit';
import type { GradientCheck, TraceNode } from '../types';
import { unravel } from './index-rules';
import { shortName } from './marks';
import { parseNumber, significant } from './numbers';
import { type Names, tuple } from './summary';

/** The engine's own limit. */
const LARGEST = 1e6;
const RANGE = 'from −1000000 to 1000000';

/** −∞ hides a key: it means something in masks and scores only. */
export const isMask = (node: TraceNode): boolean => /mask/.test(node.name);
const takesInfinity = (node: TraceNode): boolean => node.role === 'score' || isMask(node);

/** "e[b, 2]": the tensor and the cell, by name where it has one, else counted from 0. */
function fieldName(node: TraceNode, index: number, names: Names): string {
  const position = unravel(index, node.shape);
  const lists = [names.slices, names.rows, names.columns].slice(-position.length);
  const place = position.map((i, axis) => lists[axis - position.length + lists.length]?.[i] ?? i);
  return `${shortName(node.name)}${place.length ? tuple(place) : ''}`;
}

/** Why the text typed for a cell is refused, naming field, value, range and fix; "" if it is taken. */
export function refusal(
  node: TraceNode,
  index: number,
  text: string,
  names: Names = {},
  infinite = takesInfinity(node),
): string {
  const value = parseNumber(text);
  const field = fieldName(node, index, names);
  const wanted = `type a number ${RANGE}${infinite ? ', or -inf' : ''}`;
  if (!text.trim()) return `${field} is empty: ${wanted}, such as 0.5.`;
  if (value === null) return `${field} cannot be “${text.trim().slice(0, 30)}”: ${wanted}, such as 0.5.`;
  if (Math.abs(value) <= LARGEST || (infinite && value === -Infinity)) return '';
  const where = takesInfinity(node) ? '' : ' Only masks and scores take -inf.';
  return `${field} cannot be ${text.trim().slice(0, 30)}: ${wanted}.${value === -Infinity ? where : ''}`;
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
