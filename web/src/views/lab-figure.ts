// A figure of what is on the bench: drawn again whenever the lab changes.
import { type Lab, theLab } from '../lab';
import type { TraceNode } from '../types';
import { Figure } from './figure';

export abstract class LabFigure extends Figure {
  readonly #again = (): void => this.requestUpdate();

  get lab(): Lab {
    return theLab();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.lab.addEventListener('change', this.#again);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.lab.removeEventListener('change', this.#again);
  }

  /** undefined while the cursor has not passed it. */
  protected reached(node: TraceNode | undefined): Float32Array | undefined {
    return node && this.lab.reached(node) ? this.lab.values(node) : undefined;
  }
}
