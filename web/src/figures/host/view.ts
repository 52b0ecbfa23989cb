// Base class of views: also renders again whenever the theme or the loaded source changes.
import { LabElement } from '../../ui/lab-element';
import { onTheme } from '../shared/palette';
import { source } from '../shared/source';

export abstract class View extends LabElement {
  #stopTheme = (): void => {};

  override connectedCallback(): void {
    super.connectedCallback();
    source.addEventListener('change', this.onChange);
    this.#stopTheme = onTheme(this.onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    source.removeEventListener('change', this.onChange);
    this.#stopTheme();
  }
}
