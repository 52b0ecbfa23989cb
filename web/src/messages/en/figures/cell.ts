// One recurrent cell, with its gates as valves. Letters are the engine's.
import { notReached } from './shared';

export const HEADING = 'The cell and its gates';
export const HEADING_PLAIN = 'The cell and its weights';
/** What the cursor moves over. */
export const PARTS = 'Gates of the cell, and their values by position';
export const PARTS_PLAIN = 'Weights of the cell, and its values by position';

export const UNIT = 'Unit';
/** Before the letter of values whose bars are logarithms. */
export const LOG = 'log';
export const LAYER = 'Layer';
/** "0", "1 ←": of layers and directions by the engine's names, such as cell.1_reverse. */
export const layerName = (layer: string, reverse: boolean): string => `${layer}${reverse ? ' ←' : ''}`;

/** What a drag sets: the gate at the position on show, or its bias, and so the gate at every position. */
export const DRAG = 'Drag';
export const DRAG_SETS = 'What a drag sets';
export const HERE = 'this position';
export const EVERYWHERE = 'every position';
export const UNDO = 'Undo drags';
export const GRADIENTS = 'Gradients';
export const HIDE_GRADIENTS = 'Hide gradients';

/** By letter, in words. */
export const NAMES: Readonly<Record<string, string>> = {
  ...{ x: 'input x', h: 'state h', c: 'memory c', r: 'reset gate r', z: 'update gate z', n: 'proposal n' },
  ...{ i: 'input gate i', f: 'forget gate f', o: 'output gate o', g: 'proposal g' },
  ...{ u: 'weight u of the old state', w: 'weight w of the input', b: 'bias b', '∂h': 'gradient of the state' },
};
const nameOf = (letter: string): string => NAMES[letter] ?? letter;

export const CELLS = { rnn: 'Plain cell', gru: 'GRU', lstm: 'LSTM' };

/** "update gate z at position 3: 0.53". */
export const valueAt = (letter: string, position: number, value: string | undefined): string => {
  const what = `${nameOf(letter)} at position ${position}`;
  return value === undefined ? notReached(what) : `${what}: ${value}`;
};
/** Of a weight, which is the same at every position. */
const weightIs = (letter: string, value: string | undefined): string =>
  value === undefined ? notReached(nameOf(letter)) : `${nameOf(letter)}: ${value}`;

/** Of what can be dragged, for who uses keys. */
export const dragged = (letter: string, position: number | null, value: string | undefined): string =>
  `${position === null ? weightIs(letter, value) : valueAt(letter, position, value)}. Plus and minus change it.`;

/** At a glance: "GRU, unit 0, position 3 of 0 to 19. Update gate z: 0.53, …; state h: 0.28, before 0.31." */
export function summary(cell: string, unit: number, at: number, last: number, values: readonly string[]): string {
  return `${cell}, unit ${unit}, position ${at} of 0 to ${last}. ${values.join('; ')}.`;
}
export const named = (letter: string, value: string): string => `${nameOf(letter)}: ${value}`;
export const span = (letter: string, least: string, most: string): string =>
  `${nameOf(letter)} over all positions: from ${least} to ${most}`;

/** Under the plain cell's sum if it has more units. */
export const OTHER_UNITS = '+ other units';
export const caption = (cell: string, unit: number): string => `${cell}, unit ${unit}: one row per position`;
export const POSITION = 'position';
