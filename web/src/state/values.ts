// Values of one finished trace, or their probabilities, fetched from the worker when first asked for.
import type { Reply } from '../types';

/** Milliseconds that values may wait for those they were asked for with. */
const PATIENCE = 100;

type Known = Map<number, Float32Array | null>;

export class Values {
  private known: Known = new Map();
  /** Asked for since the last renewal: what is on show. */
  private asked = new Set<number>();
  /** On their way to `known`. */
  private waiting = new Set<number>();
  private untold = false;
  private told = 0;

  constructor(
    private readonly ask: (node: number) => Promise<Reply<Float32Array>>,
    private readonly arrived: () => void,
  ) {}

  /** Undefined until they are there; `arrived` is called then. */
  get(node: number): Float32Array | undefined {
    this.asked.add(node);
    if (!this.known.has(node)) void this.fetch(node);
    return this.known.get(node) ?? undefined;
  }

  /** Forget everything: another run has begun. */
  clear(): void {
    this.begin(new Map());
    this.asked.clear();
  }

  /** The same nodes have other values now: what is on show is fetched again, and stays until it is there. */
  async renew(): Promise<void> {
    const old = this.known;
    const ids = [...this.asked].filter((id) => old.has(id));
    this.asked.clear();
    const replies = await Promise.all(ids.map((id) => this.ask(id)));
    if (old !== this.known) return;
    this.begin(new Map(replies.flatMap((reply, i) => (reply.ok ? [[ids[i]!, reply.value]] : []))));
    this.arrived();
  }

  /** What is still on its way to the values before holds none of these up. */
  private begin(known: Known): void {
    this.known = known;
    this.waiting = new Set();
    this.untold = false;
  }

  private async fetch(node: number): Promise<void> {
    const { known, waiting } = this;
    known.set(node, null);
    waiting.add(node);
    const reply = await this.ask(node);
    waiting.delete(node);
    if (reply.ok) known.set(node, reply.value);
    else known.delete(node);
    if (known !== this.known) return;
    this.untold ||= reply.ok;
    this.tell();
  }

  /** All that were asked for together arrive together, or as far as they are after a while. */
  private tell(): void {
    if (!this.untold || (this.waiting.size && performance.now() - this.told < PATIENCE)) return;
    this.untold = false;
    this.told = performance.now();
    this.arrived();
  }
}
