// <u-press action="forward">: a button in the text that does what the transport's button does.
import { theLab } from '../lab';
import type { StepAction } from '../types';

export class Press extends HTMLElement {
  connectedCallback(): void {
    if (this.querySelector('button')) return;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'btn';
    button.append(...this.childNodes);
    button.addEventListener('click', () => theLab().step(this.getAttribute('action') as StepAction));
    this.append(button);
  }
}

customElements.define('u-press', Press);
