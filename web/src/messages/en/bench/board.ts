// The model's tensors: the board, and each tensor on it.
export const NO_MODEL = 'There is no model yet.';
export const TENSORS = 'Tensors of the model';
export const WHAT_CELLS_SHOW = 'What the cells show';
export const MODES = { values: 'Values', gradients: 'Gradients', update: 'Update' };
export const SHOW_AS_CELLS = 'Show as cells';

export const NO_GRADIENT = 'no gradient';
/** Name of the axis of the heads. */
export const HEAD = 'head';
export const axisAt = (place: number): string => `axis ${place}`;

/** What stands out in a tensor, or in one row of it: "∂L/∂c: largest 2 at [2]." */
export const standsOut = <T>(tensor: T, row: string | null, what: string): (T | string)[] => [
  tensor,
  row === null ? `: ${what}` : `, row ${row}: ${what}`,
];
