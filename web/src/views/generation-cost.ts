// What each word of a text takes to write, as the engine counts it: asked once a trace and position.
import type { Trace, WritingCost } from '../types';

export class Costs {
  #trace: Trace | null = null;
  readonly #known = new Map<number, WritingCost | null>();

  constructor(
    private readonly ask: (positions: number) => Promise<WritingCost | null>,
    private readonly arrived: () => void,
  ) {}

  /** null while it is not known, and for a model without a KV cache. */
  behind(trace: Trace, positions: number): WritingCost | null {
    if (trace !== this.#trace) this.#known.clear();
    this.#trace = trace;
    if (!this.#known.has(positions)) void this.#fetch(trace, positions);
    return this.#known.get(positions) ?? null;
  }

  async #fetch(trace: Trace, positions: number): Promise<void> {
    this.#known.set(positions, null);
    const cost = await this.ask(positions);
    if (!cost || trace !== this.#trace) return;
    this.#known.set(positions, cost);
    this.arrived();
  }
}

const whole = (count: number): string => count.toLocaleString('en-GB');

/** "KV cache: 1,280 bytes. Next word: 9,400 multiply-adds; 47,000 without it". */
export function costText({ cacheBytes, multiplyAdds, multiplyAddsAnew }: WritingCost): string {
  return `KV cache: ${whole(cacheBytes)} bytes. Next word: ${whole(multiplyAdds)} multiply-adds; ${whole(multiplyAddsAnew)} without it`;
}
