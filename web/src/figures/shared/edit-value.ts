// What a cell accepts as input, and the result of a gradient check in words.
import type { TemplateResult } from 'lit';
import * as texts from '#messages/figures/editing';
import type { GradientCheck, TraceNode } from '../../engine/types';
import { unravel } from '../../ui/index-rules';
import { shortName } from './marks';
import { parseNumber, significant } from '../../ui/numbers';
import { type Names, tuple } from './summary';

/** The engine's own limit. */
const MAX_VALUE = 1e6;
/** Characters. */
const MAX_QUOTED = 30;

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
  const typed = text.trim().slice(0, MAX_QUOTED);
  if (!typed) return texts.isEmpty(field, infinite);
  if (value === null) return texts.isNoNumber(field, typed, infinite);
  if (Math.abs(value) <= MAX_VALUE || (infinite && value === -Infinity)) return '';
  if (value === -Infinity && !takesInfinity(node)) return texts.isNoScore(field, typed);
  return texts.isOutOfRange(field, typed, infinite);
}

/** "Finite difference −0.21838: agrees to within 4 × 10⁻⁵." */
export function describeCheck({ analytic, numeric, difference }: GradientCheck): TemplateResult {
  const size = Math.max(Math.abs(analytic), Math.abs(numeric), 1e-3);
  const agrees = Math.abs(difference) <= 1e-2 * size;
  const [found, gap] = [significant(numeric, 5), significant(Math.abs(difference), 1)];
  if (difference === 0) return texts.agreesExactly(found);
  return agrees ? texts.agreesWithin(found, gap) : texts.differsBy(found, gap, significant(analytic, 5));
}
