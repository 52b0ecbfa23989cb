// Cost of generating each token of a text, as the engine counts it; asked once per trace and position.
import type { Trace, GenerationCost } from '../../engine/types';

export class Costs {
  #trace: Trace | null = null;
  readonly #cache = new Map<number, GenerationCost | null>();

  constructor(
    private readonly ask: (positions: number) => Promise<GenerationCost | null>,
    private readonly arrived: () => void,
  ) {}

  /** null while pending, and for a model without a KV cache. */
  at(trace: Trace, positions: number): GenerationCost | null {
    if (trace !== this.#trace) this.#cache.clear();
    this.#trace = trace;
    if (!this.#cache.has(positions)) void this.#fetch(trace, positions);
    return this.#cache.get(positions) ?? null;
  }

  async #fetch(trace: Trace, positions: number): Promise<void> {
    this.#cache.set(positions, null);
    const cost = await this.ask(positions);
    if (!cost || trace !== this.#trace) return;
    this.#cache.set(positions, cost);
    this.arrived();
  }
}
