// What the pointer rests on, shared by the views: a cell, a whole tensor, or a line of the code.

export interface Hover {
  /** Node id, or null. */
  node: number | null;
  /** Flat index of a cell, or null for the whole tensor. */
  index: number | null;
  /** "engine/nn/attention/attention.h:38", or null. */
  line: string | null;
}

class HoverState extends EventTarget {
  #now: Hover = { node: null, index: null, line: null };

  get now(): Hover {
    return this.#now;
  }

  /** Dispatches 'change' if it differs from before. */
  set(next: Partial<Hover>): void {
    const hover = { node: null, index: null, line: null, ...next };
    if (hover.node === this.#now.node && hover.index === this.#now.index && hover.line === this.#now.line) return;
    this.#now = hover;
    this.dispatchEvent(new Event('change'));
  }
}

export const hover = new HoverState();
export const lineKey = (file: string, line: number): string => `${file}:${line}`;
