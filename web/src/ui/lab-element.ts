// Base class of elements that show the lab: renders without a shadow root, and again after every change.
import { LitElement } from 'lit';
import { theLab, type Lab } from '../lab/lab';

export abstract class LabElement extends LitElement {
  protected readonly onChange = (): void => this.requestUpdate();
  /** Events that trigger a render; elements that show training add 'training'. */
  protected readonly events: readonly ('change' | 'training')[] = ['change'];

  protected get lab(): Lab {
    return theLab();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate(); // the lab may have changed while it was detached
    for (const event of this.events) this.lab.addEventListener(event, this.onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const event of this.events) this.lab.removeEventListener(event, this.onChange);
  }
}
