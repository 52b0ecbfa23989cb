// The worker's end of an engine with threads: each is a worker that this one starts, and all share one memory.
import { NO_SHARED_MEMORY } from '#messages/engine';
import { allowOwnScripts } from './addresses';
import { attempt, serve } from './serve';
import type { Engine } from './types';

/** What the page tells a worker with threads before it starts. */
export interface ThreadedScope {
  threads: number;
}

/** A module with threads. The memory and the script of a thread are the page's; `setThreads` starts them. */
export type CreateThreadedEngine = (parts: {
  wasmMemory: WebAssembly.Memory;
  mainScriptUrlOrBlob: string;
  locateFile: () => string;
}) => Promise<Pick<Engine, 'Session'> & { setThreads(count: number): void }>;

const PAGES_IN_MEGABYTE = 16;
/** As bindings/emscripten.cmake says. */
const INITIAL_MEGABYTES = 32;
/** A browser reserves the maximum, and may have no room for it. */
const MAXIMUM_MEGABYTES = [1024, 512, 256];

function sharedMemory(): WebAssembly.Memory {
  const initial = INITIAL_MEGABYTES * PAGES_IN_MEGABYTE;
  for (const megabytes of MAXIMUM_MEGABYTES) {
    try {
      return new WebAssembly.Memory({ initial, maximum: megabytes * PAGES_IN_MEGABYTE, shared: true });
    } catch {
      continue;
    }
  }
  throw new Error(NO_SHARED_MEMORY);
}

/**
 * Blob URL of a thread's script, which is this worker's own: the engine knows by the worker's name what it is. Messages
 * may come before it listens. It tells on a channel when it does.
 */
function threadScript(worker: string, channel: string): string {
  const source = `const early = [];
self.onmessage = (event) => early.push(event);
import(${JSON.stringify(worker)}).then(() => {
  early.forEach((event) => self.onmessage(event));
  new BroadcastChannel(${JSON.stringify(channel)}).postMessage('started');
});`;
  return URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
}

const isThread = (): boolean => self.name.startsWith('em-pthread');

/**
 * @param worker URL of this worker's script
 * @param wasm URL of the module
 */
export function serveThreads(createEngine: CreateThreadedEngine, worker: string, wasm: string): void {
  if (isThread()) return; // the engine's script has started the thread
  allowOwnScripts();
  const { threads } = self as unknown as ThreadedScope;
  serve(async () => {
    const channel = crypto.randomUUID();
    const engine = await createEngine({
      wasmMemory: sharedMemory(),
      mainScriptUrlOrBlob: threadScript(worker, channel),
      locateFile: () => wasm,
    });
    startOneByOne(threads, new BroadcastChannel(channel), (count) => engine.setThreads(count));
    return engine;
  });
}

/** Each thread once the one before it has started: Firefox may hang in starting several workers at once. */
function startOneByOne(threads: number, started: BroadcastChannel, setThreads: (count: number) => void): void {
  let count = 1;
  const next = (): void => {
    if (count === threads) return started.close();
    setThreads(++count);
  };
  started.onmessage = () => void attempt(next);
  next();
}
