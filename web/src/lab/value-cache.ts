// Values (or probabilities) of the tensors of one finished trace, fetched from the worker on first use.
import type { Reply } from '../engine/types';

type Values = Reply<Float32Array>;
type Cached = Map<number, Float32Array | null>;

export class ValueCache {
  /** Null while on the way. */
  private cached: Cached = new Map();
  /** Requested since the last renewal: what is on screen. */
  private requested = new Set<number>();
  /** Not asked for yet. */
  private wanted: number[] = [];

  constructor(
    private readonly ask: (nodes: readonly number[]) => Promise<Values[]>,
    private readonly arrived: () => void,
  ) {}

  /** Undefined until the values arrive; `arrived` is called then. */
  get(node: number): Float32Array | undefined {
    this.requested.add(node);
    if (!this.cached.has(node)) this.want(node);
    return this.cached.get(node) ?? undefined;
  }

  /** Forgets everything: there is a new run. */
  clear(): void {
    this.cached = new Map();
    this.wanted = [];
    this.requested.clear();
  }

  /** The nodes have new values: refetches those on screen, and serves the old ones until all have arrived. */
  async renew(): Promise<void> {
    const old = this.cached;
    const nodes = [...this.requested].filter((node) => old.has(node));
    this.requested.clear();
    const renewed: Cached = new Map();
    await this.fetch(nodes, renewed);
    if (old !== this.cached) return;
    this.cached = renewed;
    this.arrived();
  }

  /** All that the elements of a page want when they render is asked for together, once they have rendered. */
  private want(node: number): void {
    if (!this.wanted.length) setTimeout(() => void this.fetchWanted());
    this.wanted.push(node);
    this.cached.set(node, null);
  }

  private async fetchWanted(): Promise<void> {
    const { cached } = this;
    const some = await this.fetch(this.wanted.splice(0), cached);
    if (some && cached === this.cached) this.arrived();
  }

  /** One call for all of them. A refused one is left out, to be asked for again. Whether there are some. */
  private async fetch(nodes: readonly number[], into: Cached): Promise<boolean> {
    const replies = nodes.length ? await this.ask(nodes) : [];
    for (const [i, node] of nodes.entries()) {
      const reply = replies[i]!;
      if (reply.ok) into.set(node, reply.value);
      else into.delete(node);
    }
    return replies.some(({ ok }) => ok);
  }
}
