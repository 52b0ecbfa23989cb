// <u-compare id="…">: several settings side by side. The kind of comparison decides which element is fetched for it.
import './compare.css';
import { hostOf } from '../../lab/lab';
import { lessonData } from '../lesson-data';
import type { Comparison } from '../format/comparisons';

const ELEMENTS: Record<Comparison['kind'], () => Promise<unknown>> = {
  values: () => import('./tensors'),
  training: () => import('./training'),
  lengths: () => import('./training'),
  lags: () => import('./tensors'),
};

/** Until the element is at most a window away. */
const near = (element: Element): Promise<void> =>
  new Promise((done) => {
    const coming = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        coming.disconnect();
        done();
      },
      { rootMargin: '100% 0%' },
    );
    coming.observe(element);
  });

export class Compare extends HTMLElement {
  connectedCallback(): void {
    void this.show();
  }

  private async show(): Promise<void> {
    const { comparisons } = await lessonData(hostOf(this).lab.page);
    const comparison = comparisons[this.id]!;
    if (comparison.kind === 'values') await near(this); // it runs by itself
    await ELEMENTS[comparison.kind]();
    this.append(Object.assign(document.createElement(`u-compare-${comparison.kind}`), { comparison }));
  }
}

customElements.define('u-compare', Compare);
