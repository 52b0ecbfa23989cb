// <u-bench-views>: the stage *Picture*: one view of the run, up to the cursor. A lesson says which there are; on the
// workbench there are all that fit the model.
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { NO_PICTURE, VIEWS_OF_MODEL } from '#messages/bench/views';
import { nameOf } from '#messages/ui';
import './bench-views.css';
import { LabElement } from '../ui/lab-element';
import type { AlignmentData } from '../figures/alignment/alignment-scene';
import { loadSequenceViews } from '../figures/sequence';
import { type AttentionRow, readUnrolled } from '../figures/unrolled/unrolled-trace';
import { offered, viewsOf } from '../figures/views';
import { attentionsOf } from '../figures/shared/attention/attention-trace';
import { cellCount, type Trace, type TraceNode } from '../engine/types';
import { EOS, readsTexts, sourceColumns, writesTarget, targetWords, marked } from '../ui/words';

/** Each view is a chunk of its own, fetched when it is first shown, but for those that lessons show in their text too. */
const FETCHED = import.meta.glob([
  '../figures/*/*.ts',
  '!../figures/*/*-*.ts',
  '!../figures/*/offer.ts',
  '!../figures/{host,shared,alignment,beam,charts,unrolled}/*.ts',
]);
const load = (view: string): Promise<unknown> => FETCHED[`../figures/${view}/${view}.ts`]?.() ?? loadSequenceViews();

/** The choice of a view, as the page state keeps it. */
const CHOICE = 'picture';

export class BenchViews extends LabElement {
  protected readonly topics = ['run', 'cursor', 'choice', 'values'] as const;
  private readonly elements = new Map<string, HTMLElement>();
  /** The kind of model `elements` belong to: another kind gets new elements, with no state left over. */
  private kind: unknown;
  /** Attention weights by target position, cached for the trace they were read from. */
  private attention: { trace: Trace; rows: AttentionRow[] } | null = null;

  protected override render(): TemplateResult {
    const { kind } = this.lab.config();
    if (this.kind !== kind) this.elements.clear();
    this.kind = kind;
    const { page, state, trace } = this.lab;
    const views = page.lesson ? viewsOf(this.requested(kind), kind) : offered(kind, trace);
    const chosen = state.shown[CHOICE]?.look;
    const view = views.find((each) => each === chosen) ?? views[0];
    if (!view) return html`<p class="hint">${NO_PICTURE}</p>`;
    return html`${views.length > 1 ? this.choice(views, view) : nothing} ${keyed(kind, this.view(view))}`;
  }

  /** The lesson's views; of another kind of model those that fit it, or all if none of the lesson's do. */
  private requested(kind: unknown): readonly string[] {
    const { config, views } = this.lab.page;
    if (kind === config.kind) return views;
    const all = offered(kind, this.lab.trace);
    const fitting = views.filter((view) => all.includes(view));
    return fitting.length ? fitting : all;
  }

  private choice(views: readonly string[], now: string): TemplateResult {
    return html`<div class="row view-choice" role="group" aria-label=${VIEWS_OF_MODEL}>
      ${views.map(
        (view) =>
          html`<button
            type="button"
            class="link"
            aria-pressed=${view === now}
            @click=${() => this.lab.choose(CHOICE, { look: view })}
          >
            ${nameOf(view)}
          </button>`,
      )}
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
    const known = { vocabulary: this.lab.page.labels.logits?.columns?.map(String) };
    const words = !pair ? known : readsTexts(this.lab) ? read : { source: sourceColumns(this.lab, 0), ...read };
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
