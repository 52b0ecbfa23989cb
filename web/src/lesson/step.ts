// <u-step data-at="α" data-cell="0,2">: a paragraph about one tensor; it leads the workbench there and shows when it stands there.
import { theLab } from '../lab';
import { findNode } from './find-node';
import type { TraceNode } from '../types';

export class Step extends HTMLElement {
  private readonly onChange = (): void => this.mark();

  connectedCallback(): void {
    if (!this.querySelector('.to-bench')) this.addButton();
    theLab().addEventListener('change', this.onChange);
    this.mark();
  }

  disconnectedCallback(): void {
    theLab().removeEventListener('change', this.onChange);
  }

  get node(): TraceNode | undefined {
    const { trace } = theLab();
    return trace ? findNode(trace, this.dataset.at!) : undefined;
  }

  /** Moves the workbench to this paragraph's tensor. False if this run does not have it. */
  show(): boolean {
    const { node } = this;
    if (!node) return false;
    theLab().focus({ at: node.name, cell: this.dataset.cell?.split(',').map(Number) });
    return true;
  }

  private addButton(): void {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'link to-bench';
    button.textContent = 'Show on the bench';
    button.setAttribute('aria-label', `Show on the bench: ${this.dataset.at}`);
    button.addEventListener('click', () => this.show());
    const last = this.lastElementChild;
    if (last?.tagName === 'P') last.append(' ', button);
    else this.append(button);
  }

  private mark(): void {
    const { cursor } = theLab();
    const { node } = this;
    this.classList.toggle('here', node !== undefined && node.id === cursor.node);
    this.querySelector<HTMLButtonElement>('.to-bench')!.hidden = theLab().trace !== null && node === undefined;
  }
}

customElements.define('u-step', Step);
