// <u-code>: the engine's source, with the current line highlighted and each line's result at its end, as a <u-vector>.
import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import * as texts from '#messages/bench/code';
import './code.css';
import type { Role, Trace, TraceNode } from '../../engine/types';
import { lineKey } from '../../lab/cursor';
import { resultOf } from './line-result';
import { tensorsOfLine } from './lines';
import { shortName } from '../../figures/shared/marks';
import { paint } from '../../figures/shared/paint';
import { onTheme, palette, scaleOf } from '../../figures/shared/palette';
import { linesOf, planeOf } from '../../ui/grid-layout';
import { PlainElement, states, whileConnected } from '../../ui/lab-element';
import { shapeText } from '../../ui/numbers';
import { isOfLibrary, source } from '../../figures/shared/source';
import { View } from '../../figures/host/view';

type Place = Pick<TraceNode, 'file' | 'line'>;

export class Code extends View {
  protected readonly topics = ['run', 'cursor', 'hover', 'values'] as const;
  static override properties = states('at', 'engine');

  /** Line of the keyboard cursor in this pane, counted from 1; 0 for none. */
  at = 0;
  /**
   * Whether a source is shown, although the model is the learner's program; until the reader chooses, while a step is in a
   * file of the language's library.
   */
  engine: boolean | null = null;
  #file = '';
  /** The pane may become visible, or get its size, only later: on a phone it is a tab. */
  readonly #sized = new ResizeObserver(() => this.place && this.lines && this.#reveal(this.place.line));
  #scrolledTo = '';

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sized.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sized.disconnect();
  }

  /** Source line at the cursor: the composite's call, else the operation; at the start, the first operation. */
  get place(): Place | null {
    const { trace, cursor } = this.lab;
    const scope = trace?.scopes[cursor.scope];
    if (scope && scope.id > 0) return scope;
    return trace?.nodes[cursor.node] ?? trace?.nodes.find((node) => node.phase === 'forward') ?? null;
  }

  /** Lines of the current file as highlighted HTML; null while loading or if the page does not have the file. */
  get lines(): string[] | null {
    return source.lines(this.#file);
  }

  override willUpdate(_changed: PropertyValues<this>): void {
    const file = this.place?.file ?? '';
    if (file !== this.#file) this.at = 0;
    if (file === 'program' && this.engine === false) this.engine = null;
    this.#file = file;
    if (this.lab.config().program !== undefined) void import('./program');
  }

  override render(): TemplateResult | typeof nothing {
    if (this.lab.config().program === undefined) return this.#engine();
    const engine = (this.engine ?? isOfLibrary(this.#file)) && this.#file !== 'program';
    const choose = ({ detail }: CustomEvent<boolean>): boolean => (this.engine = detail);
    return html`<u-program .file=${this.#file} .engine=${engine} @choose-engine=${choose}></u-program
      >${engine ? this.#engine() : nothing}`;
  }

  #engine(): TemplateResult | typeof nothing {
    const { trace } = this.lab;
    const { place } = this;
    if (!trace || !place) return html`<p class="hint">${texts.NO_LINE}</p>`;
    return html`<div class="phead"><span class="mono">${this.#file}</span></div>
      ${this.lines ? this.#source(trace, place, this.lines) : this.#missing()}`;
  }

  #missing(): TemplateResult {
    return html`<p class="hint">${source.has(this.#file) ? texts.LOADING : texts.NOT_INCLUDED}</p>`;
  }

  #source(trace: Trace, place: Place, lines: string[]): TemplateResult {
    const started = this.lab.cursor.node >= 0;
    return html`<div
      class="src"
      role="listbox"
      tabindex="0"
      aria-label=${texts.sourceOf(this.#file)}
      aria-activedescendant=${this.idOf(`line-${Math.min(this.at || place.line, lines.length)}`)}
      @keydown=${this.#key}
      @pointerleave=${() => this.lab.point({})}
    >
      ${lines.map((line, i) => this.#line(trace, line, i + 1, started && place.line === i + 1))}
    </div>`;
  }

  #line(trace: Trace, line: string, number: number, on: boolean): TemplateResult {
    const { hover } = this.lab;
    const key = lineKey(this.#file, number);
    const tensors = tensorsOfLine(trace, key);
    const bright = tensors.some((node) => node.id === hover.node || node.gradient === hover.node);
    const result = resultOf(trace, this.lab.cursor, tensors);
    return html`<div
      class="ln ${on ? 'on' : ''} ${bright ? 'bright' : ''} ${this.at === number ? 'at' : ''}"
      role="option"
      id=${this.idOf(`line-${number}`)}
      aria-selected=${on}
      aria-label=${line ? nothing : texts.emptyLine(number)}
      @pointerenter=${() => this.lab.point({ line: tensors.length ? key : null })}
      @click=${() => this.#inspect(result)}
    >
      <span class="no" aria-hidden="true">${number}</span>
      <div class="text-of-line" style="--indent:${indentOf(line)}ch">
        <code>${unsafeHTML(line)}</code>${result ? this.#chip(result) : nothing}
      </div>
    </div>`;
  }

  #chip(node: TraceNode): TemplateResult {
    const values = this.lab.reached(node) ? this.lab.values(node) : undefined;
    return html`<span class="chip"
      ><u-vector .values=${values} .shape=${node.shape} .kind=${node.role}></u-vector
      ><span class="vh">${shortName(node.name)}</span><span class="cshape">${shapeText(node.shape)}</span></span
    >`;
  }

  #inspect(node: TraceNode | undefined): void {
    if (node) this.lab.select(node.name, 0);
  }

  /** Up and Down move between lines that computed something; Enter inspects. */
  readonly #key = (event: KeyboardEvent): void => {
    const { trace } = this.lab;
    const steps = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!trace || (!steps && event.key !== 'Enter')) return;
    event.preventDefault();
    event.stopPropagation();
    const here = this.at || (this.place?.line ?? 1);
    if (!steps) return this.#inspect(resultOf(trace, this.lab.cursor, tensorsOfLine(trace, lineKey(this.#file, here))));
    const count = this.lines?.length ?? 0;
    let line = here + steps;
    while (line >= 1 && line <= count && !tensorsOfLine(trace, lineKey(this.#file, line)).length) line += steps;
    if (line < 1 || line > count) return;
    this.at = line;
    this.lab.point({ line: lineKey(this.#file, line) });
    this.#reveal(line);
  };

  override updated(): void {
    const { place } = this;
    if (!place || !this.lines) return;
    const key = lineKey(place.file, place.line);
    // In the next frame: to lay out hundreds of lines here and now would make this task twice as long.
    if (key !== this.#scrolledTo) requestAnimationFrame(() => this.#reveal(place.line));
    this.#scrolledTo = key;
  }

  /** Scrolls the pane, never the page, so that the line is a third from the top. */
  #reveal(line: number): void {
    const pane = this.querySelector<HTMLElement>('.src');
    const row = pane?.children[line - 1] as HTMLElement | undefined;
    if (!pane || !row) return;
    const top = row.offsetTop - pane.offsetTop;
    const inside = top >= pane.scrollTop && top + 2 * row.offsetHeight <= pane.scrollTop + pane.clientHeight;
    if (inside || !pane.clientHeight) return;
    const wanted = top - pane.clientHeight / 3;
    const first = [...pane.children].find((line) => (line as HTMLElement).offsetTop - pane.offsetTop >= wanted);
    pane.scrollTop = first ? (first as HTMLElement).offsetTop - pane.offsetTop : wanted;
  }
}

/** Indent of a wrapped line in characters: two more than where the line begins. */
const indentOf = (line: string): number => (/^(?:<[^>]*>)*( *)/.exec(line)?.[1]?.length ?? 0) + 2;

customElements.define('u-code', Code);

const NONE: ReadonlySet<number> = new Set();
const SIZE = { width: 30, height: 8 };
const MAX_CELLS = 30;

/** A tensor as a narrow coloured strip inside a line of text. Decorative, hidden from assistive tools. */
export class Vector extends PlainElement {
  static override properties = states('values', 'shape', 'kind');

  /** undefined: not reached, drawn hollow. Of a matrix only the first row is drawn. */
  values: Float32Array | undefined;
  shape: readonly number[] = [];
  kind: Role = 'state';

  constructor() {
    super();
    whileConnected(this, () => onTheme(() => this.requestUpdate()));
  }

  override render(): TemplateResult {
    return html`<canvas aria-hidden="true" style="width:${SIZE.width}px;height:${SIZE.height}px"></canvas>`;
  }

  override updated(): void {
    const canvas = this.querySelector('canvas');
    if (!canvas) return;
    const ratio = devicePixelRatio || 1;
    const plane = planeOf([Math.min(this.shape.at(-1) ?? 1, MAX_CELLS)]);
    const lines = linesOf(plane, SIZE.width, SIZE.height, ratio);
    const scale = scaleOf(this.kind, this.values);
    const marks = { edited: NONE, lit: NONE, focus: null, zoom: 1 };
    paint(canvas, { plane, lines, values: this.values, scale, ...marks }, palette(), ratio);
  }
}

customElements.define('u-vector', Vector);
