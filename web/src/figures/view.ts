// Base class of views: renders into the light DOM, so that the page's styles apply, and updates whenever the lab, the
// hovered item, the followed subject, the theme or the loaded source changes.
import { LitElement } from 'lit';
import { type Lab, theLab } from '../lab/lab';
import { hover } from './shared/hover';
import { onTheme } from './shared/palette';
import { source } from './shared/source';
import { following } from './shared/subject';

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
