// Values (or probabilities) of the tensors of one finished trace, fetched from the worker on first use.
import type { Reply } from '../engine/types';

type Values = Reply<Float32Array>;
type Cached = Map<number, Float32Array | null>;

/** Tensors of a new run that are asked for before an element does: about as many as a screen shows. */
const MOST_AHEAD = 64;

export class ValueCache {
  /** Null while on the way. */
  private cached: Cached = new Map();
  /** Requested since the last renewal: what is on screen. */
  private requested = new Set<number>();
  /** Not asked for yet. */
  private wanted: number[] = [];
  /** Of the run before, by the nodes of this one. */
  private earlier: Cached = new Map();

  constructor(
    private readonly ask: (nodes: readonly number[]) => Promise<Values[]>,
    private readonly arrived: () => void,
  ) {}

  /** Undefined until the values arrive; `arrived` is called then. */
  get(node: number): Float32Array | undefined {
    this.requested.delete(node); // the latest ones are the last
    this.requested.add(node);
    if (!this.cached.has(node)) this.want(node);
    return this.cached.get(node) ?? undefined;
  }

  /**
   * Forgets everything: there is a new run. What was on screen is asked for at once, so that one drawing shows the run
   * and its values. `now`: what node a node of the run before is in this one; −1: none.
   */
  clear(now: (node: number) => number = () => -1): void {
    this.earlier = new Map([...this.cached].map(([node, values]) => [now(node), values]));
    this.wanted = [...this.requested]
      .slice(-MOST_AHEAD)
      .map(now)
      .filter((node) => node >= 0);
    this.cached = new Map(this.wanted.map((node) => [node, null]));
    this.requested.clear();
    if (this.wanted.length) void this.fetchWanted();
  }

  /** The nodes have new values: refetches those on screen, and serves the old ones until all have arrived. */
  async renew(): Promise<void> {
    const old = this.cached;
    const nodes = [...this.requested].filter((node) => old.has(node));
    this.requested.clear();
    const renewed: Cached = new Map();
    await this.fetch(nodes, renewed, old);
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
    const { cached, earlier } = this;
    const some = await this.fetch(this.wanted.splice(0), cached, earlier);
    if (some && cached === this.cached) this.arrived();
  }

  /**
   * One call for all of them. A refused one is left out, to be asked for again. Values equal to those before are the same
   * array, so that nobody draws them again. Whether there are some.
   */
  private async fetch(nodes: readonly number[], into: Cached, before: Cached): Promise<boolean> {
    const replies = nodes.length ? await this.ask(nodes) : [];
    for (const [i, node] of nodes.entries()) {
      const reply = replies[i]!;
      const old = before.get(node);
      if (reply.ok) into.set(node, old && areEqual(old, reply.value) ? old : reply.value);
      else into.delete(node);
    }
    return replies.some(({ ok }) => ok);
  }
}

const areEqual = (a: Float32Array, b: Float32Array): boolean =>
  a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
