// Base class of views: also renders again whenever the hovered item, the followed subject, the theme or the loaded source
// changes.
import { LabElement } from '../../ui/lab-element';
import { hover } from '../shared/hover';
import { onTheme } from '../shared/palette';
import { source } from '../shared/source';
import { following } from '../shared/subject';

const SOURCES = [hover, following, source];

export abstract class View extends LabElement {
  #stopTheme = (): void => {};

  override connectedCallback(): void {
    super.connectedCallback();
    for (const each of SOURCES) each.addEventListener('change', this.onChange);
    this.#stopTheme = onTheme(this.onChange);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const each of SOURCES) each.removeEventListener('change', this.onChange);
    this.#stopTheme();
  }
}
