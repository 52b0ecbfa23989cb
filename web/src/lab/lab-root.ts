// <u-lab data-config="…">: the elements inside it share one lab, whose model its data attributes describe (see page.ts).
// A page may have several; the one with the attribute `linked` is its main lab.
import { Lab, type LabHost } from './lab';
import { readPage } from './page';

export class LabRoot extends HTMLElement implements LabHost {
  #lab: Lab | null = null;

  /** Made on first use. The main lab is started by the page, with the state in its address. */
  get lab(): Lab {
    return (this.#lab ??= this.#open());
  }

  #open(): Lab {
    const linked = this.hasAttribute('linked');
    const lab = new Lab(readPage(this.dataset), linked);
    if (!linked) void lab.start();
    return lab;
  }

  /**
   * A move within the page disconnects it only for a moment. The main lab stays: it is the page's, and some other script
   * may put it back.
   */
  disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected || this.#lab?.linked) return;
      this.#lab?.close();
      this.#lab = null;
    });
  }
}

/** The page's main lab; null on a page without a model. */
export const mainLab = (): LabRoot | null => document.querySelector<LabRoot>('u-lab[linked]');

customElements.define('u-lab', LabRoot);
