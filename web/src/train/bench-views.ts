// <u-bench-views>: the run on the bench as the page asks to see it, as far as the cursor has come. On the workbench the
// reader says which views stand there.
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import '../styles/sequence.css';
import { LabElement } from '../shell/lab-element';
import type { AlignmentData } from '../views/alignment-layout';
import { keepBelow } from '../views/into-view';
import { loadSequenceViews } from '../views/sequence';
import { readUnrolled, type Look } from '../views/unrolled-trace';
import { MAPS, offerOf, type ViewName, viewsOf } from '../views/view-names';
import type { Trace } from '../types';
import './why';
import { EOS, readsTexts, sourceColumns, writesTarget, writtenWords } from './words';
import { marked } from '../views/token';

/** Each a chunk of its own, fetched where it first stands on a bench. */
const FETCHED = import.meta.glob('../views/{dataflow,heads,mask,positions,permute,blocks,generation,picture}.ts');
const load = (view: ViewName): Promise<unknown> =>
  view === 'unrolled' || view === 'alignment' ? loadSequenceViews() : FETCHED[`../views/${view}.ts`]!();

export class BenchViews extends LabElement {
  static override properties = { show: {}, chosen: { state: true } };
  /** "weights": only those that show weights of attention. */
  declare show: string;
  /** By the reader, for a kind of model. */
  declare chosen: { kind: unknown; views: readonly ViewName[] } | null;
  private readonly elements = new Map<ViewName, HTMLElement>();
  /** The kind of model they were made for: nothing of one kind is left in a view of another. */
  private kind: unknown;
  /** Where attention looks, for the trace it was read from. */
  private read: { trace: Trace; looks: Look[] } | null = null;

  constructor() {
    super();
    this.show = '';
    this.chosen = null;
  }

  protected override render(): TemplateResult {
    const { chosen } = this;
    const { kind } = this.lab.config();
    if (this.kind !== kind) this.elements.clear();
    this.kind = kind;
    const standing = chosen && chosen.kind === kind ? chosen.views : viewsOf(this.lab.page.views, kind);
    const shown = this.show === 'weights' ? standing.filter((view) => MAPS.includes(view)) : standing;
    return html`${this.lab.page.lesson || this.show === 'weights' ? nothing : this.choice(kind, standing)}
      ${keyed(
        kind,
        shown.map((view) => this.view(view)),
      )}<u-why></u-why>`;
  }

  protected override updated(): void {
    [...this.children].forEach(keepBelow);
  }

  private choice(kind: unknown, standing: readonly ViewName[]): TemplateResult {
    const { first, more } = offerOf(kind);
    const toggle = (view: ViewName): void => {
      const views = standing.includes(view) ? standing.filter((each) => each !== view) : [...standing, view];
      this.chosen = { kind, views };
    };
    return html`<div class="row view-choice" role="group" aria-label="Views of the model">
      <span class="fhint">Views</span>
      <span class="switch">
        ${[...first, ...more].map(
          (view) =>
            html`<button type="button" aria-pressed=${standing.includes(view)} @click=${() => toggle(view)}>
              ${view}
            </button>`,
        )}
      </span>
    </div>`;
  }

  private view(view: ViewName): TemplateResult | HTMLElement {
    if (!this.elements.has(view)) {
      void load(view);
      this.elements.set(view, document.createElement(`u-${view}`));
    }
    if (view === 'unrolled') return this.unrolled();
    return view === 'alignment' ? this.alignment() : this.elements.get(view)!;
  }

  private unrolled(): TemplateResult {
    const { pair } = this.lab;
    const target = [...writtenWords(this.lab).words, EOS];
    const read = { target, vocabulary: this.lab.task?.targetWords.map(marked), written: writesTarget(this.lab) };
    const words = !pair ? {} : readsTexts(this.lab) ? read : { source: sourceColumns(this.lab, 0), ...read };
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
    const target = [...writtenWords(this.lab).words, EOS];
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
