// <u-step data-at="α" data-cell="0,2" data-given='{"cell":"lstm"}'>: a paragraph about one tensor; it leads the workbench
// there and shows when it stands there. Where it speaks of other settings, its button sets them first.
import { theLab } from '../lab';
import { findNode } from './find-node';
import { currentExperiment } from './lesson-data';
import type { Changes } from './changes';
import type { Config, TextPair, TraceNode } from '../types';

export class Step extends HTMLElement {
  /** When a reader last asked for a step by its button. */
  static pressed = -Infinity;

  private readonly onChange = (): void => this.mark();

  connectedCallback(): void {
    if (!this.querySelector('.to-bench')) this.addButton();
    theLab().addEventListener('change', this.onChange);
    this.mark();
  }

  disconnectedCallback(): void {
    theLab().removeEventListener('change', this.onChange);
  }

  /** Undefined also while the workbench has other settings than the paragraph speaks of. */
  get node(): TraceNode | undefined {
    const { trace } = theLab();
    return trace && this.missing().length === 0 ? findNode(trace, this.dataset.at!) : undefined;
  }

  private get given(): Changes {
    return JSON.parse(this.dataset.given ?? '{}') as Changes;
  }

  /** What of its settings the workbench does not have. */
  private missing(): string[] {
    const { config, pair, steps } = currentExperiment();
    const now: Changes = { ...config, pair: pair ?? [], steps };
    return Object.entries(this.given).flatMap(([name, value]) => (String(now[name]) === String(value) ? [] : [name]));
  }

  private async bring(): Promise<void> {
    Step.pressed = performance.now();
    const { pair, steps, ...config } = this.given;
    const missing = this.missing();
    const more = { ...(pair && { pair: pair as TextPair }), ...(steps !== undefined && { steps: Number(steps) }) };
    const onlyPair = missing.every((name) => name === 'pair');
    const lab = theLab();
    const bring = (): Promise<boolean> =>
      onlyPair ? lab.read(...(pair as TextPair)) : lab.configure(config as Config, more);
    if (!missing.length || (await bring())) this.show();
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
    button.addEventListener('click', () => void this.bring());
    const last = this.lastElementChild;
    if (last?.tagName === 'P') last.append(' ', button);
    else this.append(button);
  }

  private mark(): void {
    const { cursor } = theLab();
    const { node } = this;
    this.classList.toggle('here', node !== undefined && node.id === cursor.node);
    this.querySelector<HTMLButtonElement>('.to-bench')!.hidden =
      theLab().trace !== null && node === undefined && this.missing().length === 0;
  }
}

customElements.define('u-step', Step);
