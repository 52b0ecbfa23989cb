// Base class of figures whose cells are positions. They play: go to one position after the other, and pause at the last.
import { type TemplateResult, html } from 'lit';
import { Player } from '../../lab/cursor';
import { whileConnected } from '../../ui/lab-element';
import { states } from './contract';
import { LabFigure } from './lab-figure';

export abstract class PlayedFigure<Scene> extends LabFigure<Scene, number> {
  static override properties = states('at');

  /** The position on show. */
  at = 0;

  readonly #player = new Player(() => this.#step(), this.onChange);

  constructor() {
    super();
    whileConnected(this, () => () => this.#player.pause());
  }

  protected abstract get last(): number;
  /** Shows a position, and moves the bench's cursor along. */
  protected abstract goTo(at: number): void;

  protected override get spot(): number {
    return this.at;
  }

  protected override point(_at: number | null, _event: PointerEvent): void {}

  protected override press(at: number | null, _event: PointerEvent): void {
    if (at !== null) this.go(at);
  }

  protected override go(at: number): void {
    this.goTo(at);
  }

  protected playButton(play: string, pause: string): TemplateResult {
    return html`<button type="button" class="btn small" @click=${this.#toggle}>
      ${this.#player.playing ? pause : play}
    </button>`;
  }

  readonly #toggle = (): void => {
    if (this.#player.playing) return this.#player.pause();
    this.lab.pause(); // one thing moves the bench at a time
    if (this.at === this.last) this.goTo(0);
    this.#player.play();
    this.requestUpdate();
  };

  /** False at the end. */
  #step(): boolean {
    this.goTo(this.at + 1);
    return this.at < this.last;
  }
}
