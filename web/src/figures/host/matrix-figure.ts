// Figures of one of the matrices of a trace, which is chosen by its name or follows the bench: the selected tensor, else the
// result at the cursor.
import { type TemplateResult, html } from 'lit';
import type { Trace, TraceNode } from '../../engine/types';
import { select } from '../../ui/choices';
import { ChangeDetector, forwardOf } from '../shared/follow';
import { matricesOf } from '../shared/matrices';
import { states } from './contract';
import { LabFigure } from './lab-figure';

export abstract class MatrixFigure<Scene, Cell, Layout = object> extends LabFigure<Scene, Cell, Layout> {
  static override properties = states('look', 'front');

  /** Name of the tensor shown; null: the first choice. */
  look: string | null = null;
  /** Which of its parts. */
  front = 0;

  readonly #tensors = new ChangeDetector<string>();

  /** The tensor that is shown while none was chosen. */
  protected abstract preferred(trace: Trace, matrices: readonly TraceNode[]): TraceNode | undefined;

  /** Undefined if the trace has no matrix. */
  protected matrix(trace: Trace): TraceNode | undefined {
    const all = matricesOf(trace);
    const at = this.#tensors.next(this.#onBench(trace, all)?.name);
    this.follow(at ? { look: at } : {});
    return all.find(({ name }) => name === this.look) ?? this.preferred(trace, all) ?? all[0];
  }

  #onBench(trace: Trace, all: readonly TraceNode[]): TraceNode | undefined {
    const { selection, cursor } = this.lab;
    const at = trace.nodes[cursor.node];
    const nodes = [selection && this.lab.node(selection.node), at && !cursor.opening && forwardOf(trace, at)];
    return nodes.map((node) => all.find((each) => each === node)).find(Boolean);
  }

  protected choiceOf(label: string, trace: Trace, { name }: TraceNode): TemplateResult {
    const names = matricesOf(trace).map((node) => node.name);
    return html`<label class="choice"
      >${label} ${select(names, name, (look) => this.choose({ look, front: 0 }))}</label
    >`;
  }
}
