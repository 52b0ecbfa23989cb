// <u-dataflow>: the data flow of an attention layer, each tensor drawn to its shape, from the trace of the run.
import { type PropertyValues, type TemplateResult, html } from 'lit';
import * as texts from '#messages/figures/dataflow';
import './dataflow.css';
import type { Trace, TraceNode } from '../../engine/types';
import { exact } from '../../ui/numbers';
import { AttentionFigure, numberChoice } from '../host/lab-figure';
import { type Description, type Drawing, type Room, listNavigation, renamed, states } from '../host/contract';
import { type SplitAttention, partsOf, splitAttentionsOf } from '../shared/attention/attention-parts';
import { flowOf, isMaskOf } from '../shared/attention/attention-trace';
import { isInside } from '../shared/geometry';
import { headline, namesOf, tuple } from '../shared/summary';
import { textWidth } from '../shared/palette';
import * as drawing from './dataflow-drawing';
import { type DataflowLayout, type Placed, layOutDataflow, layOutPart } from './dataflow-layout';
import { type Item, type Slab, linesOf, linesOfPart } from './dataflow-slabs';

const LINE = 12.5;
/** CSS pixels. */
const NARROW = 480;
const MARGIN = 6;

interface DataflowScene {
  /** The content of each line. */
  lines: Item[][];
  /** "Block" or "Position": what the layer comes in, how many there are, and the one on show. */
  kind: string;
  count: number;
  part: number;
}

export class Dataflow extends AttentionFigure<DataflowScene, drawing.Spot, DataflowLayout> {
  static override properties = states('at');

  /** Part on show (a position, or a block of keys): the last that the bench's cursor entered, or the one chosen. */
  at = Infinity;

  protected override readonly kind = 'dataflow';

  #lastNode = -1;
  /** Id of the tensor that was brought into sight last. */
  #seen = -1;

  protected read(): DataflowScene | null {
    const { trace } = this.lab;
    const flow = trace && this.weights ? (flowOf(trace, this.weights) ?? partsOf(trace, this.weights)) : null;
    if (!flow) return null;
    const head = this.headOnShow;
    if (!('parts' in flow))
      return { lines: linesOf(flow, head, this.#labelOf), kind: texts.POSITION, count: 0, part: 0 };
    this.#followCursor(flow.parts);
    const part = Math.min(this.at, flow.parts.length - 1);
    const lines = linesOfPart(flow, head, part, this.#labelOf);
    return { lines, kind: flow.form === 'blocks' ? texts.BLOCK : texts.POSITION, count: flow.parts.length, part };
  }

  readonly #labelOf = (node: TraceNode): string => (isMaskOf(this.lab.values(node)) ? texts.MASK : texts.BIAS);

  /** Only attention whose data flow is in the trace: a mean over heads has none. */
  protected override attentionsIn(trace: Trace): TraceNode[] {
    return [...super.attentionsIn(trace).filter((weights) => flowOf(trace, weights)), ...splitAttentionsOf(trace)];
  }

  /** Shows the part that the bench's cursor moves into. */
  #followCursor(parts: SplitAttention['parts']): void {
    const { node } = this.lab.cursor;
    const [first] = parts;
    if (!first || node === this.#lastNode) return;
    this.#lastNode = node;
    const now = parts.findIndex(({ end }) => node <= end.id);
    if (now >= 0 && node >= first.key.id) this.follow({ at: now });
  }

  override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    const now = this.scene ? this.#nowIn(this.scene) : -1;
    if (now === this.#seen) return;
    this.#seen = now;
    const slab = this.querySelector('.slab:has(.slab-name.on)');
    if (slab) bringToMiddle(slab);
  }

  protected describe(scene: DataflowScene): Description<drawing.Spot> {
    return {
      heading: texts.HEADING,
      summary: () => texts.layer(slabsOf(scene).map((slab) => this.#about(slab))),
      cell: ({ placed }) => this.#about(this.#placed[placed]!.slab),
      readout: () => this.#readout(),
      tables: () => slabsOf(scene).map((slab) => drawing.tableOf(slab, this.valuesOf(slab.node))),
    };
  }

  protected layOut(scene: DataflowScene, room: Room): DataflowLayout & Drawing<drawing.Spot> {
    const { width, maxHeight, zoom } = room;
    const now = this.#nowIn(scene);
    const line = LINE * zoom;
    const narrow = width < NARROW * zoom;
    const labelLines = narrow ? 3 : 2; // in a narrow figure the shape stands below the name
    const labelWidth = (slab: Slab): number => labelWidthOf(slab, line, labelLines);
    const measures = { width: width - 2 * MARGIN, maxHeight, line, labelWidth, labelLines };
    const layout =
      room.inPart && narrow ? layOutPart(scene.lines, measures, now) : layOutDataflow(scene.lines, measures);
    const shown = { values: ({ node }: Slab) => this.valuesOf(node) };
    return {
      ...layout,
      margin: [MARGIN, 1],
      draw: (here) => drawing.dataflow(layout, { ...shown, now, spots: this.#spots, cursor: here?.placed ?? -1 }),
      hit: (x, y) => spotAt(layout, x, y),
      navigation: renamed(listNavigation(texts.TENSORS, layout.placed.length), cornerOf, ({ placed }) => placed),
    };
  }

  get #placed(): readonly Placed[] {
    return this.plan?.placed ?? [];
  }

  /** Id of the tensor that the operation at the cursor contributes to: the next one of the flow; −1 for none. */
  #nowIn(scene: DataflowScene): number {
    const { node } = this.lab.cursor;
    const ahead = slabsOf(scene).flatMap(({ node: { id, phase } }) => (phase !== 'leaf' && id >= node ? [id] : []));
    return node < 0 || !ahead.length ? -1 : Math.min(...ahead);
  }

  /** The hovered cell, else the selected one, wherever it is drawn. */
  get #spots(): drawing.Spot[] {
    const { selection } = this.lab;
    const { node, index } = this.lab.hover;
    const chosen = selection && this.lab.node(selection.node);
    if (node !== null && index !== null && this.#placed.some(({ slab }) => slab.node.id === node))
      return this.#find(node, index);
    return chosen ? this.#find(chosen.id, selection.index) : [];
  }

  #find(node: number, index: number): drawing.Spot[] {
    return this.#placed.flatMap(({ slab }, placed) => {
      if (slab.node.id !== node) return [];
      for (let row = 0; row < slab.rows; row++)
        for (let c = 0; c < slab.columns; c++) if (slab.at(row, c) === index) return [{ placed, row, column: c }];
      return [];
    });
  }

  /** "Q, n × K = 4 × 3: largest …" */
  #about(slab: Slab): string {
    const values = this.valuesOf(slab.node);
    const about = values && headline(slab.node, values, slab.node.role, null, namesOf(this.lab, slab.node));
    return texts.tensorAndValues(drawing.tensorText(slab), about);
  }

  /** The cell is pointed at everywhere on the page. */
  protected override point(spot: drawing.Spot | null): void {
    const slab = spot && this.#placed[spot.placed]?.slab;
    const reached = slab && this.lab.reached(slab.node);
    this.lab.point(slab ? { node: slab.node.id, index: reached ? slab.at(spot.row, spot.column) : null } : {});
  }

  /** On a matrix, or on its label. */
  protected override press(spot: drawing.Spot | null, event: PointerEvent): void {
    const drawn = (event.target as Element).closest<SVGElement>('.slab')?.dataset.placed;
    const at = spot ?? (drawn === undefined ? null : cornerOf(Number(drawn)));
    if (at) this.enter(at);
  }

  protected override enter(spot: drawing.Spot): boolean {
    const { slab } = this.#placed[spot.placed] ?? {};
    if (!slab) return false;
    this.cursor = spot;
    this.focusCell(slab.node, slab.at(spot.row, spot.column));
    return true;
  }

  protected override leave(): void {
    this.cursor = null;
  }

  protected override head(scene: DataflowScene): TemplateResult {
    const { kind, count, part } = scene;
    return html`${super.head(scene)} ${this.choices()} ${numberChoice(kind, count, part, (at) => this.choose({ at }))}`;
  }

  #readout(): string {
    const spot = this.#spots[0];
    const slab = spot && this.#placed[spot.placed]?.slab;
    if (!slab) return '';
    const value = this.valuesOf(slab.node)?.[slab.at(spot.row, spot.column)];
    const name = `${drawing.slabText(slab)}${tuple([spot.row, spot.column])}`;
    return texts.cell(name, value === undefined ? value : exact(value), this.#factorsOf(spot));
  }

  /** undefined unless the cell is one of a product. */
  #factorsOf({ placed, row, column }: drawing.Spot): texts.Factors | undefined {
    const { factors } = this.#placed[placed]!;
    const [left, top] = factors ? [this.#placed[factors[0]], this.#placed[factors[1]]] : [];
    return left && top && { row, left: drawing.slabText(left.slab), column, top: drawing.slabText(top.slab) };
  }
}

function spotAt({ placed: all, cell }: DataflowLayout, px: number, py: number): drawing.Spot | null {
  const placed = all.findIndex((each) => isInside(each, px, py));
  const at = all[placed];
  return at ? { placed, row: Math.floor((py - at.y) / cell), column: Math.floor((px - at.x) / cell) } : null;
}

const cornerOf = (placed: number): drawing.Spot => ({ placed, row: 0, column: 0 });

/** Each tensor once; transposed only if it is drawn no other way. */
function slabsOf({ lines }: DataflowScene): Slab[] {
  const all = lines.flatMap((line) =>
    line.flatMap(({ slab, top, bias }) => [slab, ...(top ? [top] : []), ...(bias ? [bias] : [])]),
  );
  const key = ({ node, columns, transposed }: Slab): string => `${node.id} ${transposed ? 'transposed' : columns}`;
  const known = new Set(all.filter(({ transposed }) => !transposed).map(({ node }) => node.id));
  const seen = new Set<string>();
  return all.filter(
    (slab) => !(slab.transposed && known.has(slab.node.id)) && !seen.has(key(slab)) && seen.add(key(slab)),
  );
}

/** On a phone the drawing is taller than its pane, which then scrolls to what the stop is about. */
function bringToMiddle(part: Element): void {
  const pane = part.closest('.pane');
  if (!pane || pane.scrollHeight <= pane.clientHeight + 1) return;
  const [{ top, height }, view] = [part.getBoundingClientRect(), pane.getBoundingClientRect()];
  pane.scrollTop += top + height / 2 - (view.top + view.height / 2);
}

function labelWidthOf(slab: Slab, line: number, labelLines: number): number {
  const small = (text: string): number => textWidth(text, line * 0.9);
  const { base, sub, sup } = drawing.slabName(slab);
  const name = textWidth(`${base}${sub}${sup}`, line * 1.1);
  const shape = small(drawing.slabShape(slab));
  const beside = labelLines < 3 ? name + 14 + shape : Math.max(name, shape) + 6;
  return Math.ceil(Math.max(beside, small(drawing.slabLetters(slab)) + 6));
}

customElements.define('u-dataflow', Dataflow);
