// What a cell accepts as input, and the result of a gradient check in words.
import { type TemplateResult, html } from 'lit';
import type { GradientCheck, TraceNode } from '../../engine/types';
import { unravel } from '../../ui/index-rules';
import { shortName } from './marks';
import { parseNumber, significant } from '../../ui/numbers';
import { type Names, tuple } from './summary';

/** The engine's own limit. */
const LARGEST = 1e6;
const RANGE = 'from −1000000 to 1000000';

export const isMask = (node: TraceNode): boolean => /mask/.test(node.name);
/** −∞ hides a key, so only masks and scores accept it. */
const takesInfinity = (node: TraceNode): boolean => node.role === 'score' || isMask(node);

/** "e[b, 2]": the tensor and the cell, each position by name if it has one, else as a 0-based index. */
function fieldName(node: TraceNode, index: number, names: Names): string {
  const position = unravel(index, node.shape);
  const lists = [names.slices, names.rows, names.columns].slice(-position.length);
  const place = position.map((i, axis) => lists[axis - position.length + lists.length]?.[i] ?? i);
  return `${shortName(node.name)}${place.length ? tuple(place) : ''}`;
}

/** Why the text typed into a cell is rejected, naming field, value, range and fix; "" if it is accepted. */
export function validationError(
  node: TraceNode,
  index: number,
  text: string,
  names: Names = {},
  infinite = takesInfinity(node),
): string {
  const value = parseNumber(text);
  const field = fieldName(node, index, names);
  const wanted = `enter a number ${RANGE}${infinite ? ', or -inf' : ''}`;
  if (!text.trim()) return `${field} is empty: ${wanted}, such as 0.5.`;
  if (value === null) return `${field} cannot be “${text.trim().slice(0, 30)}”: ${wanted}, such as 0.5.`;
  if (Math.abs(value) <= LARGEST || (infinite && value === -Infinity)) return '';
  const where = takesInfinity(node) ? '' : ' Only masks and scores accept -inf.';
  return `${field} cannot be ${text.trim().slice(0, 30)}: ${wanted}.${value === -Infinity ? where : ''}`;
}

/** "Finite difference −0.21838: agrees to within 4 × 10⁻⁵." */
export function describeCheck({ analytic, numeric, difference }: GradientCheck): TemplateResult {
  const size = Math.max(Math.abs(analytic), Math.abs(numeric), 1e-3);
  const agrees = Math.abs(difference) <= 1e-2 * size;
  const gap = significant(Math.abs(difference), 1);
  const found = html`Finite difference <span class="num">${significant(numeric, 5)}</span>`;
  if (difference === 0) return html`${found}: agrees exactly.`;
  return agrees
    ? html`${found}: agrees to within ${gap}.`
    : html`${found}: differs by ${gap} from ${significant(analytic, 5)}.`;
}
