// Base class of views: also renders again whenever the theme or the loaded source changes.
import './figure.css';
import { LabElement, whileConnected } from '../../ui/lab-element';
import { onTheme } from '../shared/palette';
import { source } from '../shared/source';

export abstract class View extends LabElement {
  constructor() {
    super();
    whileConnected(this, () => onTheme(this.onChange));
    whileConnected(this, () => source.onLoad(this.onChange));
  }
}
