// The page's workers: one per engine module in use.
import { Client } from './client';
import type { EngineModule } from './modules';

export class Workers {
  /** Called after a worker was lost. */
  onLost: (client: Client, reason: string) => void = () => undefined;
  /** Called when no worker could be started; the next call of `of` makes a new client. */
  onStartFailed: (client: Client, reason: string) => void = () => undefined;

  private readonly clients = new Map<EngineModule, Client>();

  of(module: EngineModule): Client {
    const client = this.clients.get(module) ?? this.open(module);
    this.clients.set(module, client);
    return client;
  }

  private open(module: EngineModule): Client {
    const client = new Client(module);
    client.onLost = (reason) => this.onLost(client, reason);
    client.onStartFailed = (reason) => {
      this.clients.delete(module);
      this.onStartFailed(client, reason);
    };
    return client;
  }
}
