// <u-positions>: how a model encodes positions. A table as a map, a pair of its columns as waves and as a point that
// rotates from p to p + k by the same matrix for every p. Rotated queries likewise; a bias for distance as a map.
import { type PropertyValues, type TemplateResult, html, nothing, svg } from 'lit';
import type { TraceNode } from '../../engine/types';
import { numberSelect } from '../attention/attention-choice';
import { AttentionFigure } from '../attention/attention-figure';
import { type At, type MapBox, type Place, mapCells, placeIn, pointIn, ring } from '../attention/attention-map';
import { wordTable } from '../attention/attention-table';
import { flowOf, headPlane } from '../attention/attention-trace';
import { consumeKey } from '../figure';
import { csvOf } from '../figure-export';
import { cellAfterKey, cellIndex, planeOf } from '../../ui/grid-layout';
import { legend } from '../shared/legend';
import { symbol } from '../shared/marks';
import { exact, shortest, significant } from '../../ui/numbers';
import { scaleOf } from '../shared/palette';
import { circleOf, matrixOf, wavesOf } from './positions-drawing';
import { type PositionsLayout, diagonalSpread, layOutPositions } from './positions-layout';
import { type PositionTensors, positionsOf } from './positions-trace';
import { type Rotation, rotationOf } from './positions-rotation';
import { isPress } from '../shared/touch';

const LINE = 12.5;

export class Positions extends AttentionFigure {
  static override properties = {
    ...AttentionFigure.properties,
    cursor: { state: true },
    pair: { state: true },
    from: { state: true },
    shift: { state: true },
  };

  declare cursor: Place | null;
  /** Index of the pair of columns drawn as waves and as a point. */
  declare pair: number;
  declare from: number;
  declare shift: number;

  #tensors: PositionTensors = {};
  #rotation: Rotation | null = null;
  #layout: PositionsLayout | null = null;
  /** The choice, clamped to this model's sizes. */
  #now = { pair: 0, from: 0, shift: 1 };

  constructor() {
    super();
    this.cursor = null;
    this.pair = this.from = 0;
    this.shift = 1;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    const { trace } = this.lab;
    const flow = trace && this.weights ? flowOf(trace, this.weights) : null;
    this.#tensors = trace ? positionsOf(trace, flow, (node) => this.valuesOf(node)) : {};
    this.#layout = this.#rotation = null;
    if (!this.ready) return;
    const { rows, columns } = this.#box;
    this.#now = this.#within(rows, columns);
    this.#rotation = rotationOf(this.#tensors, this.#now.pair, (node) => this.valuesOf(node), this.#planeAt);
    if (this.width)
      this.#layout = layOutPositions({
        rows,
        columns,
        width: this.width,
        line: this.#line,
        waves: this.#hasPairs,
        circle: this.#rotation !== null,
      });
  }

  #within(rows: number, columns: number): { pair: number; from: number; shift: number } {
    const from = Math.min(this.from, rows - 1);
    const pair = Math.min(this.pair, Math.max(0, Math.floor(columns / 2) - 1));
    return { pair, from, shift: Math.min(this.shift, rows - 1 - from) };
  }

  get #line(): number {
    return LINE * this.zoom;
  }

  /** The tensor drawn as a map. */
  get #node(): TraceNode | undefined {
    const { table, rotated, bias } = this.#tensors;
    return table ?? rotated?.result ?? bias;
  }

  get #hasPairs(): boolean {
    const { table, rotated } = this.#tensors;
    return (table !== undefined && table.shape[1]! > 1) || (rotated !== undefined && !table);
  }

  protected get ready(): boolean {
    return this.#node !== undefined;
  }

  get #box(): { rows: number; columns: number } {
    return planeOf(this.#node!.shape);
  }

  readonly #planeAt = (node: TraceNode, row: number, c: number): number =>
    cellIndex(headPlane(node, this.headOnShow, this.heads), row, c);

  readonly #at: At = (row, c) => this.#planeAt(this.#node!, row, c);

  protected get heading(): string {
    const { table, rotated } = this.#tensors;
    return table ? 'Positions' : rotated ? 'Queries rotated by their position' : 'Distance bias';
  }

  protected override get tensorName(): string | typeof nothing {
    return this.#node?.name ?? nothing;
  }

  protected override head(): TemplateResult {
    return html`<span class="ftitle">${this.heading}</span>
      ${this.#tensors.table || !this.weights ? nothing : this.choices()} ${this.#controls()}`;
  }

  #controls(): TemplateResult | typeof nothing {
    const { rows, columns } = this.#box;
    if (!this.#hasPairs) return nothing;
    return html`${numberSelect('Pair', this.#now.pair, Math.floor(columns / 2), (pair) => this.choose({ pair }))}
    ${this.#rotation ? numberSelect('p', this.#now.from, rows, (from) => this.choose({ from })) : nothing}
    ${this.#rotation?.shifts ? numberSelect('k', this.#now.shift, rows - this.#now.from, (shift) => this.choose({ shift })) : nothing}`;
  }

  protected picture(): TemplateResult {
    const layout = this.#layout!;
    const { rows, columns } = this.#box;
    return html`<div
      class="matrix"
      role="grid"
      tabindex="0"
      aria-label="Cells of ${this.#node!.name}"
      aria-rowcount=${rows}
      aria-colcount=${columns}
      aria-activedescendant="${this.uid}-cell"
      @keydown=${this.#keyed}
      @focus=${() => (this.cursor ??= { row: 0, column: 0 })}
      @pointerdown=${this.#pressed}
      @click=${this.#pressed}
    >
      <svg
        class="drawn positions"
        width=${layout.width}
        height=${layout.height}
        viewBox="0 0 ${layout.width} ${layout.height}"
        aria-hidden="true"
      >
        ${this.#map(layout.map)} ${this.#waves(layout)} ${this.#circle(layout)}
      </svg>
      ${this.#spokenCell()}
    </div>`;
  }

  #map(box: MapBox): TemplateResult {
    const line = this.#line;
    const node = this.#node!;
    const values = this.valuesOf(node);
    const [wide, high] = [box.cell.width, box.rows * box.cell.height];
    const every = Math.max(1, Math.ceil((line * 1.1) / box.cell.height));
    const positions = Array.from({ length: box.rows }, (_, p) => p).filter((p) => p % every === 0);
    return svg`<text class="map-name" x="0" y=${line * 0.8}>${this.#tensors.bias === node ? 'query ↓ key →' : 'position ↓ column →'}</text>
      ${positions.map((p) => svg`<text class="map-name" text-anchor="end" x=${box.x - 7} y=${box.y + (p + 0.5) * box.cell.height + line * 0.32}>${p}</text>`)}
      ${mapCells(box, values, this.#at, scaleOf(node.role === 'weight' ? 'weight' : 'state', values))}
      ${this.#hasPairs ? svg`<rect class="chosen" x=${box.x + 2 * this.#now.pair * wide - 1} y=${box.y - 1} width=${2 * wide + 1} height=${high + 1}></rect>` : nothing}
      ${ring(box, this.cursor)}`;
  }

  #waves({ waves }: PositionsLayout): TemplateResult | typeof nothing {
    const values = this.valuesOf(this.#node);
    if (!waves || !values) return nothing;
    const columns = [2 * this.#now.pair, 2 * this.#now.pair + 1].map((c) => ({
      c,
      list: Array.from({ length: this.#box.rows }, (_, p) => values[this.#at(p, c)]!),
    }));
    return wavesOf(columns, waves, this.#rotation ? this.#now.from : -1, this.#line);
  }

  #circle({ circle, matrix }: PositionsLayout): TemplateResult | typeof nothing {
    const rotation = this.#rotation;
    if (!circle || !matrix || !rotation) return nothing;
    return svg`${circleOf(rotation, circle, this.#now.from, this.#now.shift, this.#box.rows, this.#line)}
      ${matrixOf(rotation, matrix, this.#now.from, this.#now.shift, this.#line)}`;
  }

  #spokenCell(): TemplateResult {
    const place = this.cursor ?? { row: 0, column: 0 };
    return html`<div role="row" class="vh" aria-rowindex=${place.row + 1}>
      <span
        role="gridcell"
        id="${this.uid}-cell"
        aria-colindex=${place.column + 1}
        aria-selected=${this.cursor !== null}
        data-index=${this.#at(place.row, place.column)}
        >${this.#describe(place)}</span
      >
    </div>`;
  }

  /** Selects a cell; its column chooses the pair, its row the position. */
  #go(place: Place): void {
    this.cursor = place;
    const pair = Math.min(Math.floor(place.column / 2), Math.floor(this.#box.columns / 2) - 1);
    this.choose({ ...(this.#hasPairs && { pair }), ...(this.#rotation && { from: place.row }) });
    this.lab.select(this.#node!.name, this.#at(place.row, place.column));
  }

  readonly #pressed = (event: PointerEvent): void => {
    if (!isPress(event)) return;
    const drawing = this.querySelector<SVGSVGElement>('svg.drawn');
    const place = drawing && this.#layout && placeIn(this.#layout.map, ...pointIn(drawing, event));
    if (place) this.#go(place);
  };

  readonly #keyed = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey) return;
    const { rows, columns } = this.#box;
    const to = cellAfterKey(planeOf([rows, columns]), this.cursor ?? { row: 0, column: 0 }, event.key, event.ctrlKey);
    if (to) this.#go(to);
    consumeKey(event, to !== null);
  };

  protected override belowDrawing(): TemplateResult | typeof nothing {
    if (!this.#tensors.rotated || !this.lab.info?.inputs.some(({ name }) => name === 'X')) return nothing;
    return html`<p class="distance">
      <button class="preset" @click=${() => void this.#repeat()}>Same word everywhere</button>
      <span role="status">${this.#spread()}</span>
    </p>`;
  }

  /** Sets every row of X to the first, so that only positions tell the words apart. */
  async #repeat(): Promise<void> {
    const input = this.lab.node('X');
    const values = input && this.lab.values(input);
    if (!input || !values) return;
    const columns = input.shape[1] ?? 0;
    const repeated = Array.from(values, (_, i) => values[i % columns]!);
    await this.lab.setInput('X', repeated);
  }

  /** How far scores at the same distance differ: not at all if they depend on the distance alone. */
  #spread(): string {
    const flow = this.weights && flowOf(this.lab.trace!, this.weights);
    const values = flow && this.valuesOf(flow.scores);
    if (!flow || !values) return 'The scores have not been reached yet.';
    const [rows, columns] = [flow.scores.shape.at(-2)!, flow.scores.shape.at(-1)!];
    const most = diagonalSpread((row, c) => values[this.#planeAt(flow.scores, row, c)]!, rows, columns);
    return `Scores at the same distance differ by at most ${significant(most, 2)}.`;
  }

  protected readout(): string {
    const rotation = this.#rotation;
    const p = this.#now.from;
    if (!rotation) return this.cursor ? this.#describe(this.cursor) : 'Point at a cell to read it.';
    const { name, differs } = rotation.check(p, this.#now.shift);
    return `${name} differ by at most ${significant(differs, 2)}.`;
  }

  #describe({ row, column: c }: Place): string {
    const value = this.valuesOf(this.#node)?.[this.#at(row, c)];
    if (value === undefined) return 'not reached yet';
    return `position ${row}, ${this.#tensors.bias === this.#node ? 'key' : 'column'} ${c}: ${exact(value)}`;
  }

  protected override key(): TemplateResult {
    const node = this.#node!;
    return legend(scaleOf('state', this.valuesOf(node)), symbol(node));
  }

  protected spoken(): string {
    const { rows, columns } = this.#box;
    const where = `${this.heading}: ${rows} positions, ${columns} ${this.#tensors.bias === this.#node ? 'keys' : 'values'} each.`;
    return `${where} ${this.valuesOf(this.#node) ? this.readout() : 'Not reached yet.'}`;
  }

  get #words(): { rows: string[]; columns: string[] } {
    const count = (n: number): string[] => Array.from({ length: n }, (_, i) => `${i}`);
    return { rows: count(this.#box.rows), columns: count(this.#box.columns) };
  }

  protected twin(): TemplateResult {
    return html`${wordTable(this.#node!.name, this.heading, this.#words, this.valuesOf(this.#node), this.#at)}`;
  }

  protected csv(): string {
    const values = this.valuesOf(this.#node);
    const { rows, columns } = this.#words;
    return csvOf([
      ['position', ...columns],
      ...rows.map((row, r) => [row, ...columns.map((_, c) => shortest(values?.[this.#at(r, c)] ?? NaN))]),
    ]);
  }
}

customElements.define('u-positions', Positions);
