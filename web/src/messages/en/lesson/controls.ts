// Controls in the text of a lesson: steps and things to try.
import { nameOf } from '../ui';

export const SHOW_ON_BENCH = 'Show on the bench';
export const showOnBench = (tensor: string): string => `Show on the bench: ${tensor}`;

/** For which settings a number in the text holds, where the bench has others: "with temperature 1". */
export const heldWith = (settings: readonly (readonly [name: string, value: string])[]): string =>
  settings.length > 2
    ? 'with the lesson’s settings'
    : `with ${settings.map(([name, value]) => `${nameOf(name)} ${value}`).join(' and ')}`;
export const WITHOUT_CHANGES = 'without your changes';
/** On the button, where the bench has no such tensor with its settings now. */
export const showOnBenchWith = (settings: string): string => `${SHOW_ON_BENCH} ${settings}`;
/** Below a setting that was changed. */
export const numbersHold = (settings: string): string => `The numbers in the text hold ${settings}.`;

export const ON = 'on';
export const OFF = 'off';
export const WHAT_IT_READS = 'What the model reads';
export const reset = (tensor: string): string => `Reset ${tensor}`;

/** Name of a formula that scrolls. */
export const formula = (number: number): string => `Formula ${number}`;

/** One number of a tensor, "W, row the, column 2"; a vector has no row, and a name stands for itself. */
export const elementOf = (tensor: string, row: string | number | null, column: string | number): string =>
  [tensor, ...(row === null ? [] : [`row ${row}`]), typeof column === 'number' ? `column ${column}` : column].join(
    ', ',
  );
