// A state with edits is being opened: says how far that is once it takes long, and lets the reader stop it.
import * as texts from '#messages/opening';
import type { Edit } from '../engine/types';
import type { Notice } from './notice';

/** Milliseconds after which opening takes long. */
const PATIENCE = 1_000;

export class Opening {
  /** The edits that are not put in place, because the reader stopped it. */
  readonly skipped: Edit[] = [];
  #inPlace = 0;
  #stopped = false;
  #late = false;
  readonly #timer: number;

  constructor(
    private readonly edits: number,
    /** Shows a notice; null: hides the last one, if it is still shown. */
    private readonly notify: (notice: Notice | null) => void,
  ) {
    this.#timer = window.setTimeout(() => {
      this.#late = true;
      this.#show();
    }, PATIENCE);
  }

  /** Before more edits are put in place: whether they are to be. */
  readonly goesOn = (edits: readonly Edit[], inPlace: number): boolean => {
    this.#inPlace = inPlace;
    if (this.#stopped) this.skipped.push(...edits);
    else if (this.#late) this.#show();
    return !this.#stopped;
  };

  end(): void {
    clearTimeout(this.#timer);
    if (this.#late) this.notify(null);
  }

  /** The reader did not wait for all edits: `open` begins again. */
  rest(inPlace: number, open: () => void): Notice {
    return { message: texts.openingStopped(inPlace, this.edits), action: { label: texts.OPEN_ALL, run: open } };
  }

  #show(): void {
    const stop = (): void => {
      this.#stopped = true;
      this.notify({ message: texts.STOPPING });
    };
    this.notify({ message: texts.opening(this.#inPlace, this.edits), action: { label: texts.STOP, run: stop } });
  }
}
