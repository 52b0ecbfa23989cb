// What a page asks of its host and of its engine, and what it complains of.
import type { Page } from '@playwright/test';

/** Records the engine modules that a page fetches from now on. */
export function modulesOf(page: Page): string[] {
  const fetched: string[] = [];
  page.on('request', (request) => {
    const name = /engine_(\w+)-[\w-]+\.wasm$/.exec(request.url())?.[1];
    if (name) fetched.push(name);
  });
  return fetched;
}

export interface EngineCall {
  method: string;
  args: unknown[];
  /** In milliseconds since the page began to load. */
  at: number;
}

/** For a page not yet opened: records its calls to these methods of its engines. Another page begins anew. */
export async function recordCalls(page: Page, ...methods: string[]): Promise<() => Promise<EngineCall[]>> {
  await page.addInitScript((wanted) => {
    const post = Worker.prototype.postMessage;
    const calls: EngineCall[] = [];
    Object.assign(globalThis, { calls });
    Worker.prototype.postMessage = function (this: Worker, ...call: Parameters<typeof post>): void {
      const { method, args } = call[0] as EngineCall;
      if (wanted.includes(method)) calls.push({ method, args, at: performance.now() });
      post.apply(this, call);
    } as typeof post;
  }, methods);
  return () => page.evaluate(() => (globalThis as unknown as { calls: EngineCall[] }).calls);
}

export interface Held {
  hold(): Promise<void>;
  release(): Promise<void>;
}

/** For a page not yet opened: holds back its calls to the engine, for at most the 5 s that a call may take. */
export async function holdable(page: Page): Promise<Held> {
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    const held: (() => void)[] = [];
    const engine = {
      holds: false,
      release: () => {
        engine.holds = false;
        for (const send of held.splice(0)) send();
      },
    };
    Worker.prototype.postMessage = function (this: Worker, ...call: Parameters<typeof post>): void {
      const send = (): void => post.apply(this, call);
      if (engine.holds) held.push(send);
      else send();
    } as typeof post;
    Object.assign(globalThis, { engine });
  });
  return {
    hold: () =>
      page.evaluate(() => void ((globalThis as unknown as { engine: { holds: boolean } }).engine.holds = true)),
    release: () => page.evaluate(() => (globalThis as unknown as { engine: { release(): void } }).engine.release()),
  };
}

/** Records requests to other hosts from now on. */
export function requestsBeyond(page: Page, host: string): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(host) && !/^(blob|data):/.test(request.url())) asked.push(request.url());
  });
  return asked;
}

/** Records every console error, uncaught error and policy violation of the page; it should be empty at the end. */
export function complaints(page: Page): string[] {
  const heard: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') heard.push(message.text());
  });
  page.on('pageerror', (error) => heard.push(error.message));
  return heard;
}
