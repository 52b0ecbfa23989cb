// A figure of what is on the bench: drawn again whenever the lab changes. Of where the bench stands and what is chosen in
// the figure the later counts; once something was chosen, the state of the page holds what it shows.
import type { PropertyValues } from 'lit';
import { type Lab, theLab } from '../lab';
import type { Choice, TraceNode } from '../types';
import { Figure } from './figure';

export abstract class LabFigure extends Figure {
  /** What it shows by a choice that this figure has taken up. */
  #shown: Choice | undefined;
  /** What the state held at this update. */
  #met: Choice | undefined;
  /** What it would show without one. */
  #led: Choice = {};
  readonly #again = (): void => this.requestUpdate();

  get lab(): Lab {
    return theLab();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.lab.addEventListener('change', this.#again);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.lab.removeEventListener('change', this.#again);
  }

  override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    this.#shown = this.#met;
  }

  get #held(): Choice | undefined {
    return this.lab.state.shown[this.localName];
  }

  /** By hand. */
  protected choose(choice: Choice): void {
    this.#put(choice);
    this.#shown = { ...this.#held, ...choice };
    this.lab.choose(this.localName, this.#shown);
  }

  /** At every update: goes along with the bench, unless a link or the way back has brought a choice, or its end. */
  protected follow(led: Choice): void {
    const held = (this.#met = this.#held);
    if (held !== this.#shown) this.#put({ ...this.#led, ...led, ...held });
    else if (held && Object.keys(led).length) this.choose(led);
    else this.#put(led);
    this.#led = { ...this.#led, ...led };
  }

  #put(choice: Choice): void {
    const keys = Object.keys(choice) as (keyof this)[];
    this.#led = { ...Object.fromEntries(keys.map((key) => [key, this[key]])), ...this.#led };
    Object.assign(this, choice);
  }

  /** undefined while the cursor has not passed it. */
  protected reached(node: TraceNode | undefined): Float32Array | undefined {
    return node && this.lab.reached(node) ? this.lab.values(node) : undefined;
  }
}
