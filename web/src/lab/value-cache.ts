// Values (or probabilities) of the tensors of one finished trace, fetched from the worker on first use.
import type { Reply } from '../engine/types';

/** Minimum milliseconds between two calls of `arrived` while values are in flight. */
const NOTIFY_INTERVAL = 100;

type Cached = Map<number, Float32Array | null>;

export class ValueCache {
  private cached: Cached = new Map();
  /** Requested since the last renewal: what is on screen. */
  private requested = new Set<number>();
  /** Nodes requested for `cached` that have not arrived. */
  private inFlight = new Set<number>();
  /** Whether values have arrived that `arrived` has not been called for. */
  private pending = false;
  private lastNotified = 0;

  constructor(
    private readonly ask: (node: number) => Promise<Reply<Float32Array>>,
    private readonly arrived: () => void,
  ) {}

  /** Undefined until the values arrive; `arrived` is called then. */
  get(node: number): Float32Array | undefined {
    this.requested.add(node);
    if (!this.cached.has(node)) void this.fetch(node);
    return this.cached.get(node) ?? undefined;
  }

  /** Forgets everything: there is a new run. */
  clear(): void {
    this.begin(new Map());
    this.requested.clear();
  }

  /** The nodes have new values: refetches those on screen, and serves the old ones until all have arrived. */
  async renew(): Promise<void> {
    const old = this.cached;
    const ids = [...this.requested].filter((id) => old.has(id));
    this.requested.clear();
    const replies = await Promise.all(ids.map((id) => this.ask(id)));
    if (old !== this.cached) return;
    this.begin(new Map(replies.flatMap((reply, i) => (reply.ok ? [[ids[i]!, reply.value]] : []))));
    this.arrived();
  }

  /** Requests still in flight for the old values do not delay the new ones. */
  private begin(cached: Cached): void {
    this.cached = cached;
    this.inFlight = new Set();
    this.pending = false;
  }

  private async fetch(node: number): Promise<void> {
    const { cached, inFlight } = this;
    cached.set(node, null);
    inFlight.add(node);
    const reply = await this.ask(node);
    inFlight.delete(node);
    if (reply.ok) cached.set(node, reply.value);
    else cached.delete(node);
    if (cached !== this.cached) return;
    this.pending ||= reply.ok;
    this.notify();
  }

  /** Values requested together are announced together, or as far as they have arrived after a while. */
  private notify(): void {
    if (!this.pending || (this.inFlight.size && performance.now() - this.lastNotified < NOTIFY_INTERVAL)) return;
    this.pending = false;
    this.lastNotified = performance.now();
    this.arrived();
  }
}
