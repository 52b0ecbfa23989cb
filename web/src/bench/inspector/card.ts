// <u-card>: the inspector as a card beside the chosen cell, open while a cell is chosen; on a phone, a sheet.
import { html, type TemplateResult } from 'lit';
import { aboutCell, CLOSE } from '#messages/bench/inspector';
import './card.css';
import './inspector';
import '../what-if/what-if';
import type { Grid } from '../../figures/shared/grid';
import { subjectOf } from '../../figures/shared/summary';
import { icon } from '../../ui/icons';
import { narrow } from '../../ui/narrow';
import { LabElement, onResize, whileConnected } from '../../ui/lab-element';
import { inQuotes, nameOfCell, nameOfTensor, runOf } from '../../ui/tensor-names';

/** CSS pixels between the cell and the card, and between the card and the edges of the stage. */
const GAP = 10;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** To the pixel. */
const isInside = (inner: Box, outer: Box): boolean =>
  inner.left >= outer.left - 1 &&
  inner.right <= outer.right + 1 &&
  inner.top >= outer.top - 1 &&
  inner.bottom <= outer.bottom + 1;

/** The area that two boxes share. */
function overlap(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

export class Card extends LabElement {
  protected readonly topics = ['selection', 'run', 'values'] as const;

  /** The panes that have room for the card at their ends. */
  #roomOf: HTMLElement | null = null;

  constructor() {
    super();
    whileConnected(this, () => onResize(this, () => requestAnimationFrame(() => this.#place())));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.setAttribute('role', 'group');
    this.listen(window, 'resize', () => this.#place());
    this.listen(this.#bench, 'keydown', this.#key);
  }

  get #bench(): HTMLElement {
    return this.closest('u-bench')!;
  }

  protected override render(): TemplateResult {
    return html`<button type="button" class="tbn shut" aria-label=${CLOSE} @click=${this.#close}>
        ${icon('close')}
      </button>
      <u-inspector></u-inspector>
      <u-what-if></u-what-if>`;
  }

  /** The chosen cell in words. */
  #label(): string {
    const { lab } = this;
    const run = runOf(lab);
    const subject = run && subjectOf(lab, run.trace);
    if (!subject) return '';
    const { node, index } = subject;
    const words = [nameOfTensor(run, node, index) ?? [node.name], nameOfCell(run, node, index)];
    return aboutCell(
      words
        .map((each) => each && inQuotes(each))
        .filter(Boolean)
        .join(', '),
    );
  }

  protected override updated(): void {
    this.setAttribute('aria-label', this.#label());
    void this.querySelector<LabElement>('u-inspector')?.updateComplete.then(() => this.#place());
  }

  /** Below the cell, above it or beside its tensor: where it covers the least of the numbers; else at the foot of the stage. */
  #place(): void {
    if (narrow.matches) return this.#makeRoom();
    const panes = this.#panes?.getBoundingClientRect();
    if (!panes) return;
    const nowhere = { left: panes.left, right: panes.left, top: panes.bottom, bottom: panes.bottom };
    const cell = this.#cells().at(-1) ?? nowhere;
    const [width, height] = [this.offsetWidth, this.offsetHeight];
    const under = Math.min(Math.max(cell.left - GAP, panes.left), panes.right - width);
    const boxAt = (left: number, top: number): Box => ({ left, top, right: left + width, bottom: top + height });
    const [foot, numbers] = [panes.bottom - height, this.#numbers()];
    const besides = numbers
      .filter((box) => isInside(cell, box))
      .map(({ right }) => boxAt(right + GAP, Math.min(cell.top, foot)));
    const places = [boxAt(under, cell.bottom + GAP), boxAt(under, cell.top - GAP - height), ...besides]
      .filter((box) => isInside(box, panes))
      .map((box) => ({ box, covered: numbers.reduce((sum, other) => sum + overlap(box, other), 0) }))
      .sort((a, b) => a.covered - b.covered);
    const { left, top } = places[0]?.box ?? boxAt(under, Math.max(panes.top, foot)); // the cell may be out of sight
    this.style.translate = `${Math.round(left)}px ${Math.round(top)}px`;
  }

  /** Where tensors stand as numbers. */
  #numbers(): Box[] {
    return [...this.#bench.querySelectorAll('.panes u-grid canvas')].map((cells) => cells.getBoundingClientRect());
  }

  /** A sheet over the transport: the stage can be scrolled above it, and the chosen cell is. */
  #makeRoom(): void {
    this.removeAttribute('style');
    const [panes, top] = [this.#panes, this.getBoundingClientRect().top];
    if (!panes) return;
    this.#roomOf = panes;
    panes.style.setProperty('--card', `${Math.max(0, Math.round(panes.getBoundingClientRect().bottom - top))}px`);
    const below = this.#cells().map(({ bottom }) => bottom - top + GAP);
    if (below.length) panes.querySelector('.pane')!.scrollBy(0, Math.max(0, Math.min(...below)));
  }

  get #panes(): HTMLElement | null | undefined {
    return this.closest('u-bench')?.querySelector<HTMLElement>('.panes');
  }

  override disconnectedCallback(): void {
    this.#roomOf?.style.removeProperty('--card');
    super.disconnectedCallback();
  }

  /** Where the chosen cell is on the screen; in a drawing it may be more than once. */
  #cells(): Box[] {
    const grids = [...this.#bench.querySelectorAll<Grid>('.panes u-grid')];
    const chosen = grids.map((grid) => grid.chosen).filter((box) => box !== null);
    const drawn = [...this.#bench.querySelectorAll('.panes svg .here')].map((here) => here.getBoundingClientRect());
    return chosen.length ? chosen : drawn;
  }

  readonly #close = (): void => this.lab.unselect();

  /** Escape closes it, from the cells too; from the card, the focus returns to the cell. */
  readonly #key = (event: Event): void => {
    const { key, defaultPrevented, target } = event as KeyboardEvent;
    if (key !== 'Escape' || defaultPrevented || (target as Element).closest('[popover], dialog')) return;
    event.stopPropagation();
    const grids = [...this.#bench.querySelectorAll<Grid>('.panes u-grid')];
    const back = (grids.find(({ chosen }) => chosen) ?? this.#bench).querySelector<HTMLElement>('[tabindex="0"]');
    if (this.contains(document.activeElement)) back?.focus();
    this.#close();
  };
}

customElements.define('u-card', Card);
