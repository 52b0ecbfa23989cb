// The engine's source, loaded file by file on first use.
import { folder } from 'virtual:sources';
import { root } from '../../engine/addresses';

/** Files of the language's own library, such as "nn/linear.py", by their names in a trace. */
export const isOfLibrary = (file: string): boolean => file.endsWith('.py');

const pathOf = (file: string): string => (isOfLibrary(file) ? `engine/program/library/${file}` : file);

class Source extends EventTarget {
  readonly #files = new Map<string, string[] | null>();

  has(file: string): boolean {
    return file.startsWith('engine/') || isOfLibrary(file);
  }

  /** Lines as highlighted HTML; null until they are loaded, see `onLoad`. */
  lines(file: string): string[] | null {
    if (this.has(file) && !this.#files.has(file)) void this.#load(file);
    return this.#files.get(file) ?? null;
  }

  /** Returns what ends the subscription. */
  onLoad(changed: () => void): () => void {
    this.addEventListener('change', changed);
    return () => this.removeEventListener('change', changed);
  }

  async #load(file: string): Promise<void> {
    this.#files.set(file, null);
    const lines = await fetchLines(file).catch(reportMissing);
    if (!lines) return void this.#files.delete(file); // the next call retries
    this.#files.set(file, lines);
    this.dispatchEvent(new Event('change'));
  }
}

async function fetchLines(file: string): Promise<string[]> {
  const answer = await fetch(new URL(`assets/${folder}/${pathOf(file)}.json`, root));
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  return (await answer.json()) as string[];
}

/** Reports a file that is missing as Vite reports a missing chunk. */
function reportMissing(payload: Error): null {
  dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload }));
  return null;
}

export const source = new Source();
