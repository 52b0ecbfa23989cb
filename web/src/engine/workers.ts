// The workers of the page: one for each module of the engine that a model is in.
import { Client } from './client';
import type { EngineModule } from './modules';

export class Workers {
  /** Called after a worker was lost. */
  onLost: (client: Client, reason: string) => void = () => undefined;
  /** Called when none could be started; the next call of `of` begins anew. */
  onGone: (client: Client, reason: string) => void = () => undefined;

  private readonly clients = new Map<EngineModule, Client>();

  of(module: EngineModule): Client {
    const client = this.clients.get(module) ?? this.open(module);
    this.clients.set(module, client);
    return client;
  }

  private open(module: EngineModule): Client {
    const client = new Client(module);
    client.onLost = (reason) => this.onLost(client, reason);
    client.onGone = (reason) => {
      this.clients.delete(module);
      this.onGone(client, reason);
    };
    return client;
  }
}
