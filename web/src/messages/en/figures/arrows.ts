// Queries, keys and values as arrows.
import { listed } from '../../intl';

export const HEADING = 'Query, keys and values as arrows';
export const ARROWS = 'Arrows: press Space to pick one up, the arrow keys to move it';
export const QUERIES = 'Query';
export const UNDO_DRAGS = 'Undo drags';

// Above the two panels, and on the arrows.
export const PANELS = { keys: 'query and keys', values: 'values and context' };
export const QUERY = 'query';
export const CONTEXT = 'context';
export const TARGET = 'target';

// What to do.
export const DRAG = 'Drag the tip of an arrow. Or choose one with the arrow keys, pick it up with Space and move it.';
export const PICKED_UP = 'Move it with the arrow keys, with Shift in large steps; Space puts it down.';

export const LEGEND = 'the thicker, the larger the weight';

type Text = string | undefined;

/** "key a" stays so, and has the value "value of key a". */
export function nameOf(of: 'query' | 'key' | 'value', name: string): string {
  if (of === 'query') return name;
  return !name.startsWith('key ') ? `${of} ${name}` : of === 'key' ? name : `value of ${name}`;
}

const atStart = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

export const queryHas = (length: string, at: string): string => `The query ${at} has length ${length}.`;

/** `angle` null: one of the two has no direction; score and weight undefined: not reached yet. */
export function keyHas(name: string, length: string, angle: string | null, score: Text, weight: Text): string {
  const apart = angle === null ? '' : `, ${angle}° from the query`;
  const rated = score === undefined || weight === undefined ? '' : `: score ${score}, weight ${weight}`;
  return `${atStart(nameOf('key', name))} has length ${length}${apart}${rated}.`;
}

export const valueHas = (name: string, at: string, weight: Text): string =>
  `${atStart(nameOf('value', name))} is at ${at}${weight === undefined ? '' : `, weight ${weight}`}.`;

export const weightsAre = (names: readonly string[], weights: readonly string[]): string =>
  `Weights: ${listed(names.map((name, i) => `${name} ${weights[i]}`))}.`;

/** Above the first panel, and as a sentence. */
export const writes = (token: string): string => `writes ${token}`;
export const modelWrites = (token: string): string => `The model writes ${token}.`;

/** `values`: how many there are. */
export function contextIs(at: string, values: number): string {
  const where =
    values === 1 ? 'at the only value' : values === 2 ? 'between the values' : 'inside the shape that the values span';
  return `The context ${at} lies ${where}.`;
}

export const TABLE = 'The arrows, and the context';
export const TABLE_HEAD = ['', 'x', 'y', 'length', 'degrees from the query', 'score', 'weight'];
