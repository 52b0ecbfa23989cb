// The engine's source, loaded file by file on first use.
import { sources } from 'virtual:sources';

class Source extends EventTarget {
  readonly #files = new Map<string, string[] | null>();

  has(file: string): boolean {
    return sources[file] !== undefined;
  }

  /** Lines as highlighted HTML; null until they are loaded, then 'change' is dispatched. */
  lines(file: string): string[] | null {
    if (!this.#files.has(file)) void this.#fetch(file);
    return this.#files.get(file) ?? null;
  }

  async #fetch(file: string): Promise<void> {
    this.#files.set(file, null);
    const source = await sources[file]?.().catch(() => null);
    if (!source) return void this.#files.delete(file); // the next call retries
    this.#files.set(file, source.lines);
    this.dispatchEvent(new Event('change'));
  }
}

export const source = new Source();
