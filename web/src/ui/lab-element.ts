// Base class of the elements inside a <u-lab>: they render without a shadow root, know the lab around them, and render
// again after its changes.
import { LitElement } from 'lit';
import { hostOf, type Lab } from '../lab/lab';

export abstract class LabElement extends LitElement {
  /** Kept from connection on: an update may be due after the element was removed. */
  #lab: Lab | null = null;
  protected readonly onChange = (): void => this.requestUpdate();
  /** Events of the lab that trigger a render; elements that show training add 'training'. */
  protected readonly events: readonly ('change' | 'training')[] = ['change'];

  get lab(): Lab {
    return (this.#lab ??= hostOf(this).lab);
  }

  /** An id for an element inside this one, unique on the page. */
  protected idOf(name: string): string {
    return `${this.lab.id}-${name}`;
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    this.#lab = null;
    super.connectedCallback();
    this.requestUpdate(); // the lab may have changed while it was detached
    for (const event of this.events) this.lab.addEventListener(event, this.onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const event of this.events) this.lab.removeEventListener(event, this.onChange);
  }
}
