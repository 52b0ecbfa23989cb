// <u-bench-views>: views of the run, up to the cursor. The page chooses them; on the workbench the reader does.
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { VIEWS, VIEWS_OF_MODEL } from '#messages/bench/views';
import { nameOf } from '#messages/ui';
import './bench-views.css';
import { LabElement } from '../ui/lab-element';
import type { AlignmentData } from '../figures/alignment/alignment-scene';
import { keepBelow } from './board/into-view';
import { loadSequenceViews } from '../figures/sequence';
import { type AttentionRow, readUnrolled } from '../figures/unrolled/unrolled-trace';
import { MAPS, offered, viewsOf } from '../figures/views';
import { attentionsOf } from '../figures/shared/attention/attention-trace';
import { cellCount, type Trace, type TraceNode } from '../engine/types';
import './training/why';
import { EOS, readsTexts, sourceColumns, writesTarget, targetWords, marked } from '../ui/words';

/** Each view is a chunk of its own, fetched when it is first shown, but for those that lessons show in their text too. */
const FETCHED = import.meta.glob([
  '../figures/*/*.ts',
  '!../figures/*/*-*.ts',
  '!../figures/*/offer.ts',
  '!../figures/{host,shared,alignment,beam,charts,unrolled}/*.ts',
]);
const load = (view: string): Promise<unknown> => FETCHED[`../figures/${view}/${view}.ts`]?.() ?? loadSequenceViews();

export class BenchViews extends LabElement {
  protected readonly topics = ['run', 'cursor', 'values'] as const;
  static override properties = { show: {}, chosen: { state: true } };
  /** "weights": only views of attention weights. */
  show = '';
  /** The reader's choice, and the kind of model it is for. */
  chosen: { kind: unknown; views: readonly string[] } | null = null;
  private readonly elements = new Map<string, HTMLElement>();
  /** The kind of model `elements` belong to: another kind gets new elements, with no state left over. */
  private kind: unknown;
  /** Attention weights by target position, cached for the trace they were read from. */
  private attention: { trace: Trace; rows: AttentionRow[] } | null = null;

  protected override render(): TemplateResult {
    const { chosen } = this;
    const { kind } = this.lab.config();
    if (this.kind !== kind) this.elements.clear();
    this.kind = kind;
    const current = chosen && chosen.kind === kind ? chosen.views : viewsOf(this.lab.page.views, kind);
    const shown = this.show === 'weights' ? current.filter((view) => MAPS.includes(view)) : current;
    return html`${this.lab.page.lesson || this.show === 'weights' ? nothing : this.choice(kind, current)}
      ${keyed(
        kind,
        shown.map((view) => this.view(view)),
      )}<u-why></u-why>`;
  }

  protected override updated(): void {
    [...this.children].forEach(keepBelow);
  }

  private choice(kind: unknown, current: readonly string[]): TemplateResult {
    const toggle = (view: string): void => {
      const views = current.includes(view) ? current.filter((each) => each !== view) : [...current, view];
      this.chosen = { kind, views };
    };
    return html`<div class="row view-choice" role="group" aria-label=${VIEWS_OF_MODEL}>
      <span class="fhint">${VIEWS}</span>
      <span class="switch">
        ${offered(kind).map(
          (view) =>
            html`<button type="button" aria-pressed=${current.includes(view)} @click=${() => toggle(view)}>
              ${nameOf(view)}
            </button>`,
        )}
      </span>
    </div>`;
  }

  private view(view: string): TemplateResult | HTMLElement {
    if (!this.elements.has(view)) {
      void load(view);
      this.elements.set(view, document.createElement(`u-${view}`));
    }
    if (view === 'unrolled') return this.unrolled();
    return view === 'alignment' ? this.alignment() : this.elements.get(view)!;
  }

  private unrolled(): TemplateResult {
    const { pair } = this.lab;
    const target = [...targetWords(this.lab).words, EOS];
    const read = { target, vocabulary: this.lab.task?.targetWords.map(marked), generated: writesTarget(this.lab) };
    const words = !pair ? {} : readsTexts(this.lab) ? read : { source: sourceColumns(this.lab, 0), ...read };
    return html`<u-unrolled .words=${words}></u-unrolled>`;
  }

  private alignment(): TemplateResult {
    const data = this.alignmentData();
    return html`<u-alignment .data=${data} ?hidden=${!data}></u-alignment>`;
  }

  private attentionRows(trace: Trace): AttentionRow[] {
    if (this.attention?.trace !== trace) this.attention = { trace, rows: readUnrolled(trace).attention };
    return this.attention.rows;
  }

  private alignmentData(): AlignmentData | null {
    const { trace, pair } = this.lab;
    if (!trace || !pair) return null;
    const target = [...targetWords(this.lab).words, EOS];
    const own = this.attentionRows(trace);
    const rows = own.length ? own : alignmentIn(trace, target.length, pair.source.length);
    const width = rows[0] ? trace.nodes[rows[0].weights]!.shape.at(-1)! : 0;
    if (!width) return null;
    const columns = sourceColumns(this.lab, width);
    const weights = new Float32Array(target.length * width).fill(NaN);
    for (const { position, weights: id } of rows) this.copyValues(weights, position * width, trace, id);
    const truth = pair.alignment.length ? links(pair.alignment, columns) : undefined;
    return { source: columns, target, weights, truth, name: 'attention/α' };
  }

  /** Copies a node's weights to `at`; they stay NaN if the cursor has not reached the node. */
  private copyValues(all: Float32Array, at: number, trace: Trace, id: number): void {
    const node = trace.nodes[id]!;
    const values = this.lab.reached(node) ? this.lab.values(node) : undefined;
    if (values && at + values.length <= all.length) all.set(values, at);
  }
}

/**
 * The attention of a learner's program to its source, which has no names to go by: weights as wide as the source, all
 * rows in one tensor or one row in each.
 */
function alignmentIn(trace: Trace, targets: number, sources: number): Pick<AttentionRow, 'position' | 'weights'>[] {
  const toSource = attentionsOf(trace).filter(({ shape }) => sources <= shape.at(-1)! && shape.at(-1)! <= sources + 1);
  const rowsOf = ({ shape }: TraceNode): number => cellCount(shape) / shape.at(-1)!;
  const whole = toSource.find((node) => rowsOf(node) === targets);
  if (whole) return [{ position: 0, weights: whole.id }];
  return toSource.filter((node) => rowsOf(node) === 1).map(({ id }, position) => ({ position, weights: id }));
}

const links = (flat: number[], source: string[]): [number, number][] =>
  Array.from({ length: flat.length / 2 }, (_, i): [number, number] => [flat[2 * i]!, flat[2 * i + 1]!]).filter(
    ([word]) => word < source.length,
  );

customElements.define('u-bench-views', BenchViews);
