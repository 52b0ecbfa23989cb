// What a figure asks the engine about what it shows, once for each run and each change of the values.
import type { Reply } from '../../engine/types';

export class Asked<Answer> {
  #about = '';
  #given: readonly unknown[] = [];
  #reply: Reply<Answer> | undefined;

  /** @param answered Called when there is an answer. */
  constructor(private readonly answered: () => void) {}

  /**
   * The answer; until it has come, the one before, if that was `about` the same.
   * @param given What the answer depends on: it is asked for again when one of these is another.
   */
  of(about: string, given: readonly unknown[], ask: () => Promise<Reply<Answer>>): Reply<Answer> | undefined {
    if (about !== this.#about) this.#reply = undefined;
    if (about !== this.#about || given.some((each, i) => each !== this.#given[i])) {
      [this.#about, this.#given] = [about, given];
      void this.#ask(given, ask);
    }
    return this.#reply;
  }

  async #ask(given: readonly unknown[], ask: () => Promise<Reply<Answer>>): Promise<void> {
    const reply = await ask();
    if (given !== this.#given) return;
    this.#reply = reply;
    this.answered();
  }
}
