// What the pointer rests on, shared by the views of a lab: a cell, a whole tensor, or a line of the code.

export interface Hover {
  /** Node id, or null. */
  node: number | null;
  /** Flat index of a cell, or null for the whole tensor. */
  index: number | null;
  /** "engine/nn/attention/attention.h:38", or null. */
  line: string | null;
}

export const NOWHERE: Hover = { node: null, index: null, line: null };

export const sameHover = (a: Hover, b: Hover): boolean => a.node === b.node && a.index === b.index && a.line === b.line;

export const lineKey = (file: string, line: number): string => `${file}:${line}`;
