// Cost of generating each token of a text, as the engine counts it; asked once per trace and position.
import type { GenerationCost, Reply, Trace } from '../../engine/types';

export class Costs {
  #trace: Trace | null = null;
  readonly #cache = new Map<number, GenerationCost | null>();

  constructor(
    private readonly ask: (positions: number) => Promise<Reply<GenerationCost>>,
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
    const reply = await this.ask(positions);
    if (!reply.ok || trace !== this.#trace) return;
    this.#cache.set(positions, reply.value);
    this.arrived();
  }
}
