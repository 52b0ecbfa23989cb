// Values of one finished trace, fetched from the worker when first asked for.
import type { RemoteSession } from '../engine/remote';

export class Values {
  private known = new Map<number, Float32Array | null>();

  constructor(
    private readonly session: RemoteSession,
    private readonly arrived: () => void,
  ) {}

  /** Undefined until they are there; `arrived` is called then. */
  get(node: number): Float32Array | undefined {
    if (!this.known.has(node)) void this.fetch(node);
    return this.known.get(node) ?? undefined;
  }

  /** Forget everything: another run has begun. */
  clear(): void {
    this.known = new Map();
  }

  private async fetch(node: number): Promise<void> {
    const { known } = this;
    known.set(node, null);
    const reply = await this.session.values(node);
    if (reply.ok) known.set(node, reply.value);
    else known.delete(node);
    if (reply.ok && known === this.known) this.arrived();
  }
}
