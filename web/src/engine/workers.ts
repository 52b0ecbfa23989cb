// The page's workers: each lab has one per engine module in use; those with threads are shared by all labs.
import { Client } from './client';
import type { EngineModule } from './kinds';
import { threadedOf, type ThreadedModule } from './modules';

/** Clients of workers with threads, by module and number of threads. */
const shared = new Map<string, Client>();
/** Of every lab on the page. */
const all = new Set<Workers>();

export class Workers {
  /** Called after a worker was lost. */
  onLost: (client: Client, reason: string) => void = () => undefined;
  /** Called when no worker could be started; the next call of `of` makes a new client. */
  onStartFailed: (client: Client, reason: string) => void = () => undefined;

  private readonly own = new Map<string, Client>();

  constructor() {
    all.add(this);
  }

  /** With several threads the module that has them, if there is one. */
  of(module: EngineModule, threads = 1): Client {
    const threaded = threads > 1 && threadedOf(module);
    return threaded ? at(shared, all, threaded, threads) : at(this.own, [this], module, 1);
  }

  /** Its lab has left the page. */
  close(): void {
    all.delete(this);
  }
}

/** The client in the table, which is opened for these labs if there is none. */
function at(
  clients: Map<string, Client>,
  labs: Iterable<Workers>,
  module: EngineModule | ThreadedModule,
  threads: number,
): Client {
  const key = `${module} ${threads}`;
  const client = clients.get(key) ?? new Client(module, threads);
  clients.set(key, client);
  client.onLost = (reason) => {
    for (const lab of labs) lab.onLost(client, reason);
  };
  client.onStartFailed = (reason) => {
    clients.delete(key);
    for (const lab of labs) lab.onStartFailed(client, reason);
  };
  return client;
}
