// An element that shows the lab: renders into the page itself, and again after every change.
import { LitElement } from 'lit';
import { theLab, type Lab } from '../lab';

export abstract class LabElement extends LitElement {
  private readonly onChange = (): void => this.requestUpdate();
  /** What to render again after; 'training' besides for elements that show it. */
  protected readonly events: readonly ('change' | 'training')[] = ['change'];

  protected get lab(): Lab {
    return theLab();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate(); // what it showed when it was taken away is over
    for (const event of this.events) this.lab.addEventListener(event, this.onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const event of this.events) this.lab.removeEventListener(event, this.onChange);
  }
}
