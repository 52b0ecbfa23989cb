// <u-divider>: the line between text and stage, which a pointer drags and arrow keys move. The browser remembers where it
// stands; theme.js puts it there before the page is drawn.
import { type TemplateResult, html } from 'lit';
import { WIDTH_OF_TEXT } from '#messages/bench/bench';
import './divider.css';
import { putText, textIn } from '../lab/store/web-storage';
import { PlainElement, states } from '../ui/lab-element';

const SETTING = 'text-width';
/** In rem: the text's least and most, the stage's least, and a press of an arrow key. */
const [LEAST, MOST, STAGE, STEP] = [20, 52, 30, 1];

/** The width of the text in the style sheet, in rem. */
const USUAL = { narrow: 28, wide: 34 };
const wide = matchMedia('(min-width: 90em)');

export class Divider extends PlainElement {
  static override properties = states('width');
  /** Of the text, in rem; null: that of the style sheet. */
  width = Number(textIn('browser', SETTING)) || null;

  protected override render(): TemplateResult {
    return html`<div
      role="separator"
      tabindex="0"
      aria-orientation="vertical"
      aria-label=${WIDTH_OF_TEXT}
      aria-valuemin=${LEAST}
      aria-valuemax=${MOST}
      aria-valuenow=${Math.round(this.width ?? (wide.matches ? USUAL.wide : USUAL.narrow))}
      title=${WIDTH_OF_TEXT}
      @pointerdown=${this.#drag}
      @pointermove=${this.#drag}
      @dblclick=${() => this.#set(null)}
      @keydown=${this.#key}
    ></div>`;
  }

  readonly #drag = (event: PointerEvent): void => {
    const line = event.currentTarget as HTMLElement;
    if (event.type === 'pointerdown') line.setPointerCapture(event.pointerId);
    else if (!line.hasPointerCapture(event.pointerId)) return;
    this.#set((event.clientX - this.#left) / rem());
  };

  readonly #key = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#set((this.#right - this.#left) / rem() + by);
  };

  /** Where the text begins. */
  get #left(): number {
    return this.closest('.page')?.getBoundingClientRect().left ?? 0;
  }

  /** Where the text ends, and the stage begins. */
  get #right(): number {
    return this.parentElement!.getBoundingClientRect().left;
  }

  /** Null: as in the style sheet. */
  #set(wanted: number | null): void {
    const most = Math.min(MOST, innerWidth / rem() - STAGE);
    this.width = wanted === null ? null : Math.max(LEAST, Math.min(most, wanted));
    const width = this.width === null ? null : this.width.toFixed(1);
    putText('browser', SETTING, width);
    const root = document.documentElement.style;
    if (width === null) root.removeProperty('--text-width');
    else root.setProperty('--text-width', `${width}rem`);
  }
}

const rem = (): number => parseFloat(getComputedStyle(document.documentElement).fontSize);

customElements.define('u-divider', Divider);
