// <u-compare id="…">: several settings side by side. The kind of comparison decides which element is fetched for it.
import { hostOf } from '../../lab/lab';
import { inSight } from '../../ui/lab-element';
import { lessonData } from '../lesson-data';
import type { Comparison } from '../format/comparisons';

const ELEMENTS: Record<Comparison['kind'] | 'drawn', () => Promise<unknown>> = {
  values: () => import('./tensors'),
  training: () => import('./training'),
  lengths: () => import('./lengths'),
  drawn: () => import('./drawn/drawn'),
  lags: () => import('./tensors'),
};

export class Compare extends HTMLElement {
  connectedCallback(): void {
    void this.show();
  }

  private async show(): Promise<void> {
    const { comparisons } = await lessonData(hostOf(this).lab.page);
    const comparison = comparisons[this.id]!;
    if (comparison.kind === 'values') await inSight(this, '100% 0%'); // it runs by itself
    const element = comparison.kind === 'lengths' && comparison.drawn ? 'drawn' : comparison.kind;
    await ELEMENTS[element]();
    this.append(Object.assign(document.createElement(`u-compare-${element}`), { comparison }));
  }
}

customElements.define('u-compare', Compare);
