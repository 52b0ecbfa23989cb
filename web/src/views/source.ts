// The engine's source as the page holds it: fetched a file at a time when first asked for.
import { sources } from 'virtual:sources';

class Source extends EventTarget {
  readonly #files = new Map<string, string[] | null>();

  has(file: string): boolean {
    return sources[file] !== undefined;
  }

  /** Lines as highlighted HTML; null until they are there, then 'change' is dispatched. */
  lines(file: string): string[] | null {
    if (!this.#files.has(file)) void this.#fetch(file);
    return this.#files.get(file) ?? null;
  }

  async #fetch(file: string): Promise<void> {
    this.#files.set(file, null);
    const source = await sources[file]?.().catch(() => null);
    if (!source) return void this.#files.delete(file); // the next look asks again
    this.#files.set(file, source.lines);
    this.dispatchEvent(new Event('change'));
  }
}

export const source = new Source();
