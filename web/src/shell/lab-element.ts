// An element that shows the lab: renders into the page itself, and again after every change.
import { LitElement } from 'lit';
import { theLab, type Lab } from '../lab';

export abstract class LabElement extends LitElement {
  private readonly onChange = (): void => this.requestUpdate();

  protected get lab(): Lab {
    return theLab();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.lab.addEventListener('change', this.onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.lab.removeEventListener('change', this.onChange);
  }
}
