// Texts that several figures share: cells, tensors and attention in words.
import { type TemplateResult, html } from 'lit';
import { counted, plural } from '../../intl';

/** After a colon, or in place of a value. */
export const NOT_REACHED = 'not reached yet';
/** A sentence of its own. */
export const NOTHING_REACHED = 'Not reached yet.';
export const notReached = (what: string): string => `${what}: ${NOT_REACHED}`;

export const LAYER = 'Layer';
/** Key to the words of the prompt, which the model did not generate. */
export const wordFromPrompt = (): TemplateResult => html`<u class="given">word</u> from the prompt`;

/** "decoder 1, cross-attention": attention of a kind, inside parts of the model; both by the engine's names. */
export function attentionIn(parts: readonly string[], kind: string): string {
  if (!parts.length) return kind.replace('_', '-');
  const path = parts.map((part, i) => (i === 0 ? part : /^\d+$/.test(part) ? ` ${part}` : `, ${part}`));
  return `${path.join('')}, ${kind === 'attention' ? 'self-attention' : kind.replace('_', '-')}`;
}

export const attendsTo = (row: string, column: string, weight: string): string =>
  `${row} attends to ${column} with weight ${weight}`;
export const hasNoWeights = (row: string): string => `${row} has no attention weights yet`;

// Of a tensor that is not computed.
export const A_PARAMETER = 'A parameter: it is updated by training.';
export const A_CONSTANT = 'A constant.';
export const OPTIMISER_STATE = 'Optimiser state, carried over from the previous step.';
export const AN_INPUT = 'An input: given, not computed.';

/** By its path; `words`: what it is, if that is known. */
export const cellsOf = (tensor: string, words = ''): string => `Cells of ${tensor}${words && `, ${words}`}`;
/** A cell; of a scalar, which is nowhere, only its value. */
export const cellAt = (where: string, value = NOT_REACHED): string => (where ? `${where}: ${value}` : value);

/** A position on the axis before rows and columns. */
export const sliceAt = (at: number | string, axis = 'slice'): string => `${axis} ${at}`;
export const columnAt = (column: number | string): string => `column ${column}`;
export const rowAndColumn = (row: number | string, column: number | string, slice?: string): string =>
  `${slice === undefined ? '' : `${slice}, `}row ${row}, column ${column}`;

/** "1 bit", "0.469 bits". */
export const bits = (amount: string): string => `${amount} ${plural(Number(amount), { one: 'bit', other: 'bits' })}`;

/** The largest value of a tensor and its cell; of a scalar only the value; null: none is finite. */
export type Largest = Readonly<{ value: string; at?: string }> | null;

function largestIs(largest: Largest): string {
  if (!largest) return 'no finite value';
  const { value, at } = largest;
  return at === undefined ? `the value is ${value}` : `largest ${value} at ${at}`;
}

const capitalised = (text: string): string => text[0]!.toUpperCase() + text.slice(1);

/** In the middle of a line: "largest 2 at [2]." */
export const largestInLine = (largest: Largest): string => `${largestIs(largest)}.`;

/** One row of weights: the largest, where it is, and the row's entropy in bits. */
export interface RowOfWeights {
  row: number | string;
  at: string;
  value: string;
  entropy: string;
}

/** In the middle of a line. */
export const weightsInLine = ({ at, value, entropy }: Omit<RowOfWeights, 'row'>): string =>
  `largest at ${at}, ${value}; entropy ${bits(entropy)}`;

/** One of the two lines above as a line of its own, of one row if `row` is not null. */
export const headline = (row: string | null, line: string): string =>
  row === null ? capitalised(line) : `row ${row}: ${line}`;

/** What is shown of a tensor. */
export interface Summary {
  largest: Largest;
  smallest?: string | undefined;
  /** Values that are not finite. */
  odd?: number;
  rows?: readonly RowOfWeights[];
}

export function summaryOf({ largest, smallest, odd = 0, rows = [] }: Summary): string {
  const least = smallest === undefined ? '' : `; smallest ${smallest}`;
  return [
    `${capitalised(largestIs(largest))}${least}.`,
    ...(odd ? [`${counted(odd, { one: 'value is', other: 'values are' })} not finite.`] : []),
    ...(rows.length === 1 ? [`Entropy ${bits(rows[0]!.entropy)}.`] : rows.map(ofRow)),
  ].join(' ');
}

const ofRow = ({ row, ...weights }: RowOfWeights): string => `Row ${row}: ${weightsInLine(weights)}.`;

/** Of a figure that plays by itself. */
export const PLAY = 'Play';
export const PAUSE = 'Pause';
