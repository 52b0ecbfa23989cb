// What every view has in common: it lives in the page's own tree, so that the page's styles reach it, and it is drawn
// again whenever the lab, the pointer, the theme or the source at hand changes.
import { LitElement } from 'lit';
import { type Lab, theLab } from '../lab';
import { hover } from './hover';
import { onTheme } from './palette';
import { source } from './source';
import { following } from './subject';

export class View extends LitElement {
  #stopTheme = (): void => {};
  readonly #again = (): void => this.requestUpdate();

  get lab(): Lab {
    return theLab();
  }

  override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.lab.addEventListener('change', this.#again);
    hover.addEventListener('change', this.#again);
    following.addEventListener('change', this.#again);
    source.addEventListener('change', this.#again);
    this.#stopTheme = onTheme(this.#again);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.lab.removeEventListener('change', this.#again);
    hover.removeEventListener('change', this.#again);
    following.removeEventListener('change', this.#again);
    source.removeEventListener('change', this.#again);
    this.#stopTheme();
  }
}
