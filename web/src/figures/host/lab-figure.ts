// A figure of what is on the bench, redrawn whenever the lab changes. It shows what the bench led to or what was chosen
// in it, whichever came later; after the first choice, the page state stores what it shows.
import type { PropertyValues } from 'lit';
import type { Topic } from '../../lab/lab';
import type { Choice, TraceNode } from '../../engine/types';
import type { Drawing } from './contract';
import { Figure } from './figure';

export abstract class LabFigure<Scene, Cell, Plan extends Drawing<Cell> = Drawing<Cell>> extends Figure<
  Scene,
  Cell,
  Plan
> {
  protected override readonly topics: readonly Topic[] = ['run', 'cursor', 'selection', 'choice', 'values'];

  /** The stored choice that this figure has applied. */
  #shown: Choice | undefined;
  /** The choice stored in the state at this update. */
  #stored: Choice | undefined;
  /** What it would show without a choice. */
  #defaults: Choice = {};

  override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    this.#shown = this.#stored;
  }

  get #held(): Choice | undefined {
    return this.lab.state.shown[this.localName];
  }

  /** Applies a choice and stores it in the page state. */
  protected choose(choice: Choice): void {
    this.#assign(choice);
    this.#shown = { ...this.#held, ...choice };
    this.lab.choose(this.localName, this.#shown);
  }

  /** Called at every update: follows the bench, unless a link or going back has set or removed the stored choice. */
  protected follow(defaults: Choice): void {
    const held = (this.#stored = this.#held);
    if (held !== this.#shown) this.#assign({ ...this.#defaults, ...defaults, ...held });
    else if (held && Object.keys(defaults).length) this.choose(defaults);
    else this.#assign(defaults);
    this.#defaults = { ...this.#defaults, ...defaults };
  }

  #assign(choice: Choice): void {
    const keys = Object.keys(choice) as (keyof this)[];
    this.#defaults = { ...Object.fromEntries(keys.map((key) => [key, this[key]])), ...this.#defaults };
    Object.assign(this, choice);
  }

  /** Values of `node`; undefined until the cursor has reached it. */
  protected reached(node: TraceNode | undefined): Float32Array | undefined {
    return node && this.lab.reached(node) ? this.lab.values(node) : undefined;
  }
}
