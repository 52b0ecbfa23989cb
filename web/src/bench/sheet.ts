// <u-handle>: the handle of the bench where it is a bottom sheet. A press folds or opens the sheet. A drag takes the
// sheet along; let go, it takes the nearer of its two heights, or after a flick the one ahead. An open sheet that is
// dragged further up presents: the stage then has the whole window.
import { html, type TemplateResult } from 'lit';
import { FOLD, UNFOLD } from '#messages/bench/bench';
import './sheet.css';
import { LabElement } from '../ui/lab-element';

/** Pixels that a pointer moves before its press is a drag. */
const SLOP = 6;
/** Pixels per millisecond at the end of a drag that make it a flick. */
const FLICK = 0.5;
/** Pixels above its open height. */
const FURTHER = 60;

interface Drag {
  pointer: number;
  /** Where the pointer was pressed, where it is, and when it came there. */
  from: number;
  y: number;
  time: number;
  /** Pixels per millisecond, downwards. */
  speed: number;
  /** Height of the sheet at first, and its two heights; null until the pointer has moved. */
  heights: { first: number; folded: number; open: number } | null;
}

export class SheetHandle extends LabElement {
  protected readonly topics = [] as const;
  static override properties = { folded: { state: true } };
  folded = false;
  private drag: Drag | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.listen(this.lab, 'edit-cell', () => (this.folded = false)); // the field for a value is in the sheet
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.fold(false);
  }

  protected override updated(): void {
    this.fold(this.folded);
  }

  protected override render(): TemplateResult {
    return html`<button
      type="button"
      class="grab"
      aria-label=${this.folded ? UNFOLD : FOLD}
      aria-expanded=${!this.folded}
      @click=${this.pressed}
      @pointerdown=${this.down}
      @pointermove=${this.move}
      @pointerup=${this.letGo}
      @pointercancel=${this.letGo}
    >
      <i></i>
    </button>`;
  }

  private get sheet(): HTMLElement {
    return this.closest<HTMLElement>('u-bench')!;
  }

  /** On the page, whose text leaves room for the sheet. */
  private fold(folded: boolean): void {
    document.documentElement.toggleAttribute('data-folded', folded);
  }

  /** A key's click, which has no detail, or one that no pointer made: a press is taken when the pointer is let go. */
  private readonly pressed = ({ detail }: MouseEvent): void => {
    if (!detail || !this.drag) this.folded = !this.folded;
    this.drag = null;
  };

  private readonly down = ({ pointerId, clientY, timeStamp, isPrimary, button, target }: PointerEvent): void => {
    if (!isPrimary || button) return;
    (target as Element).setPointerCapture(pointerId);
    this.drag = { pointer: pointerId, from: clientY, y: clientY, time: timeStamp, speed: 0, heights: null };
  };

  private readonly move = ({ pointerId, clientY, timeStamp }: PointerEvent): void => {
    const { drag, sheet } = this;
    if (drag?.pointer !== pointerId) return;
    if (!drag.heights && Math.abs(clientY - drag.from) < SLOP) return;
    const { first, folded, open } = (drag.heights ??= this.measure());
    drag.speed = (clientY - drag.y) / Math.max(timeStamp - drag.time, 1);
    [drag.y, drag.time] = [clientY, timeStamp];
    sheet.style.height = `${Math.min(Math.max(first + drag.from - clientY, folded), open)}px`;
  };

  /** Leaves the sheet open, so that what a drag uncovers is there. */
  private measure(): NonNullable<Drag['heights']> {
    const height = (folded: boolean): number => {
      this.fold(folded);
      return this.sheet.offsetHeight;
    };
    return { first: this.sheet.offsetHeight, folded: height(true), open: height(false) };
  }

  /** Of a press, the browser may make no click: it makes none for a tap that soon follows a flick. */
  private readonly letGo = ({ pointerId, type }: PointerEvent): void => {
    const { drag, sheet } = this;
    if (drag?.pointer !== pointerId) return;
    drag.pointer = -1;
    if (!drag.heights) {
      if (type === 'pointerup') this.folded = !this.folded;
      return;
    }
    const { first, folded, open } = drag.heights;
    if (first + drag.from - drag.y > open + FURTHER) this.dispatchEvent(new Event('present', { bubbles: true }));
    const isFlick = Math.abs(drag.speed) >= FLICK;
    this.folded = isFlick ? drag.speed > 0 : sheet.offsetHeight < (folded + open) / 2;
    sheet.style.height = '';
    this.fold(this.folded);
  };
}

customElements.define('u-handle', SheetHandle);
