// A state with edits is being opened: says how far that is once it takes long, and lets the reader stop it.
import * as texts from '#messages/opening';
import type { Edit } from '../engine/types';
import type { Notice } from './notice';

/** Milliseconds after which opening takes long. */
const PATIENCE = 1_000;

export class Opening {
  /** The edits that are not put in place, because the reader stopped it. */
  readonly left: Edit[] = [];
  private inPlace = 0;
  private stopped = false;
  private late = false;
  private readonly timer: number;

  constructor(
    private readonly edits: number,
    /** Shows what there is to say; null: no more, if it is still shown. */
    private readonly tell: (notice: Notice | null) => void,
  ) {
    this.timer = window.setTimeout(() => {
      this.late = true;
      this.show();
    }, PATIENCE);
  }

  /** Before more edits are put in place: whether they are to be. */
  readonly goesOn = (edits: readonly Edit[], inPlace: number): boolean => {
    this.inPlace = inPlace;
    if (this.stopped) this.left.push(...edits);
    else if (this.late) this.show();
    return !this.stopped;
  };

  end(): void {
    clearTimeout(this.timer);
    if (this.late) this.tell(null);
  }

  /** The reader did not wait for all edits: `open` begins again. */
  rest(inPlace: number, open: () => void): Notice {
    return { message: texts.openingStopped(inPlace, this.edits), action: { label: texts.OPEN_ALL, run: open } };
  }

  private show(): void {
    const stop = (): void => {
      this.stopped = true;
      this.tell({ message: texts.STOPPING });
    };
    this.tell({ message: texts.opening(this.inPlace, this.edits), action: { label: texts.STOP, run: stop } });
  }
}
