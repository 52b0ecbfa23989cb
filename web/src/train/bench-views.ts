// <u-bench-views>: the run on the bench as a network unrolled and as an alignment, both as far as the cursor has come.
import { html, type TemplateResult } from 'lit';
import { LabElement } from '../shell/lab-element';
import '../views/sequence-views';
import type { AlignmentData } from '../views/alignment-layout';
import { readUnrolled, type Look } from '../views/unrolled-trace';
import type { Trace } from '../types';
import './why';
import { EOS, sourceColumns } from './words';

const VIEWS = ['unrolled', 'alignment'];

export class BenchViews extends LabElement {
  static override properties = { show: {} };
  /** Which of them; empty: all that the page asks for. */
  declare show: string;
  /** Where attention looks, for the trace it was read from. */
  private read: { trace: Trace; looks: Look[] } | null = null;

  protected override render(): TemplateResult {
    const { views } = this.lab.page;
    const asked = this.show ? [this.show] : views.length ? views : VIEWS;
    return html`${asked.map((view) => (view === 'alignment' ? this.alignment() : this.unrolled()))}<u-why></u-why>`;
  }

  private unrolled(): TemplateResult {
    const { pair } = this.lab;
    const words = pair ? { source: sourceColumns(this.lab, 0), target: [...pair.target, EOS] } : {};
    return html`<u-unrolled .words=${words}></u-unrolled>`;
  }

  private alignment(): TemplateResult {
    const data = this.alignmentData();
    return html`<u-alignment .data=${data} ?hidden=${!data}></u-alignment>`;
  }

  private looks(trace: Trace): Look[] {
    if (this.read?.trace !== trace) this.read = { trace, looks: readUnrolled(trace).looks };
    return this.read.looks;
  }

  private alignmentData(): AlignmentData | null {
    const { trace, pair } = this.lab;
    if (!trace || !pair) return null;
    const looks = this.looks(trace);
    const target = [...pair.target, EOS];
    const width = looks[0] ? trace.nodes[looks[0].weights]!.shape.at(-1)! : 0;
    if (!width) return null;
    const columns = sourceColumns(this.lab, width);
    const weights = new Float32Array(target.length * width).fill(NaN);
    for (const { position, weights: id } of looks) this.place(weights, position * width, trace, id);
    const truth = pair.alignment.length ? links(pair.alignment, columns) : undefined;
    return { source: columns, target, weights, truth, name: 'attention/α' };
  }

  /** What the cursor has not reached stays NaN. */
  private place(all: Float32Array, at: number, trace: Trace, id: number): void {
    const node = trace.nodes[id]!;
    const values = this.lab.reached(node) ? this.lab.values(node) : undefined;
    if (values && at + values.length <= all.length) all.set(values, at);
  }
}

const links = (flat: number[], source: string[]): [number, number][] =>
  Array.from({ length: flat.length / 2 }, (_, i): [number, number] => [flat[2 * i]!, flat[2 * i + 1]!]).filter(
    ([word]) => word < source.length,
  );

customElements.define('u-bench-views', BenchViews);
