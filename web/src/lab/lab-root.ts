// <u-lab data-config="…">: the elements inside it share one lab, whose model its data attributes describe (see page.ts).
// A page may have several; the one with the attribute `linked` is its main lab.
import { Lab, type LabHost } from './lab';
import { readPage, type Page } from './page';
import { STAGES } from './stages';

/** A path through the lessons may open them with a stage pinned: lessons/softmax/?pinned=code. */
function pinnedByAddress(): Partial<Pick<Page, 'pinned'>> {
  const pinned = new URLSearchParams(location.search).get('pinned');
  return STAGES.flatMap((stage) => (stage === pinned ? [{ pinned: stage }] : []))[0] ?? {};
}

export class LabRoot extends HTMLElement implements LabHost {
  #lab: Lab | null = null;

  /** Made on first use. The main lab is started by the page, with the state in its address. */
  get lab(): Lab {
    return (this.#lab ??= this.#open());
  }

  #open(): Lab {
    const linked = this.hasAttribute('linked');
    const page = readPage(this.dataset);
    const lab = new Lab(linked ? { ...page, ...pinnedByAddress() } : page, linked);
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

/** The page's main lab; null on a page without one. That of a lesson without a model is never started. */
export const mainLab = (): LabRoot | null => document.querySelector<LabRoot>('u-lab[linked]');

customElements.define('u-lab', LabRoot);
