// <u-beam-tree .data>: what a beam search kept, dropped and finished, position by position.
import { type PropertyValues, type TemplateResult, html, nothing, svg } from 'lit';
import {
  type BeamLayout,
  type BeamNode,
  type BeamTreeData,
  type Placed,
  hypothesesOf,
  layOutBeam,
  nodeAfterKey,
  pathTo,
} from './beam-tree-layout';
import { Figure, consumeKey } from '../figure';
import { csvOf } from '../figure-export';
import { textWidth } from '../figure-text';
import { fixed, significant } from '../../ui/numbers';
import { palette } from '../shared/palette';
import { markTitle, marked } from '../../ui/token';

const SIZE = 13;
const SMALL = 12;
const PAD = 5;

const STATES: Record<BeamNode['state'], string> = { kept: 'kept', pruned: 'dropped', finished: 'finished' };

export class BeamTree extends Figure {
  static override properties = { ...Figure.properties, data: { attribute: false }, cursor: { state: true } };

  declare data: BeamTreeData | null;
  /** Index of a node; null: none. */
  declare cursor: number | null;

  constructor() {
    super();
    this.data = null;
    this.cursor = null;
  }

  protected get ready(): boolean {
    return Boolean(this.data?.nodes.length);
  }

  protected readonly heading = 'Beam search';

  get #here(): number | null {
    return this.cursor !== null && this.data?.nodes[this.cursor] ? this.cursor : null;
  }

  protected override head(): TemplateResult {
    return html`<span class="ftitle">${this.heading}</span>
      <span class="fhint"
        >one column per position; each number is the probability of the word given those before it</span
      >`;
  }

  protected picture(): TemplateResult {
    const data = this.data!;
    const layout = this.#layOut(data);
    const [width, height] = [Math.max(layout.width + 2 * PAD, this.width), layout.height + 2 * PAD];
    const best = new Set(pathTo(data.nodes, data.best));
    const here = new Set(this.#here === null ? [] : pathTo(data.nodes, this.#here));
    const order = data.nodes.map((_, i) => i).sort((a, b) => rank(data, best, a) - rank(data, best, b));
    return html`<div
      class="scrolled"
      role="tree"
      tabindex="0"
      aria-label="Prefixes in the beam search"
      aria-activedescendant="${this.uid}-node"
      @keydown=${this.#keyed}
      @focus=${() => (this.cursor ??= data.best)}
    >
      <svg
        class="drawn tree"
        width=${width}
        height=${height}
        viewBox="${-PAD} ${-PAD} ${width} ${height}"
        aria-hidden="true"
      >
        ${order.map((i) => this.#edge(data, layout, i, best))}
        ${data.nodes.map((node, i) => this.#node(node, layout.places[i]!, i, best.has(i), here.has(i)))}
      </svg>
      ${this.#spokenNode(data)}
    </div>`;
  }

  #layOut(data: BeamTreeData): BeamLayout {
    const { zoom } = this;
    const { sans } = palette();
    const widths = data.nodes.map(
      (node) =>
        textWidth(marked(node.token), SIZE * zoom, sans, 600) +
        (node.parent < 0 ? 0 : textWidth(probabilityText(node), SMALL * zoom, sans) + 6) +
        (node.state === 'finished' ? 14 : 0),
    );
    return layOutBeam(data, widths, SIZE * 1.75 * zoom, 40 * zoom);
  }

  #edge(data: BeamTreeData, { places }: BeamLayout, i: number, best: ReadonlySet<number>): TemplateResult {
    const node = data.nodes[i]!;
    const [from, to] = [places[node.parent], places[i]!];
    if (!from) return svg``;
    const [x0, x1] = [from.x + from.width + 6, to.x - 6];
    const left = Math.max(x0, to.x - 34 * this.zoom);
    const bend = (left + x1) / 2;
    return svg`<path class="branch ${best.has(i) ? 'best' : node.state}"
      d="M${x0} ${from.y}H${left}C${bend} ${from.y} ${bend} ${to.y} ${x1} ${to.y}"></path>`;
  }

  #node(node: BeamNode, { x, y, width }: Placed, i: number, best: boolean, onPath: boolean): TemplateResult {
    const { zoom } = this;
    const base = y + SIZE * 0.35 * zoom;
    const here = this.#here === i;
    return svg`<g class="beginning ${node.state} ${best ? 'best' : ''} ${onPath ? 'on' : ''}" data-node=${i}
      @pointerdown=${() => (this.cursor = i)} @pointerenter=${() => (this.cursor = i)}>
      <rect class="target" x=${x - 4} y=${y - SIZE * 0.87 * zoom} width=${width + 8} height=${SIZE * 1.75 * zoom}></rect>
      ${here ? svg`<rect class="here" x=${x - 4} y=${base + 4} width=${width + 8} height="2"></rect>` : nothing}
      <text class="token" x=${x} y=${base}>${marked(node.token)}${markTitle(marked(node.token))}</text>
      ${node.parent < 0 ? nothing : svg`<text class="odds" text-anchor="end" x=${x + width - (node.state === 'finished' ? 14 : 0)} y=${base}>${probabilityText(node)}</text>`}
      ${node.state === 'finished' ? svg`<path class="stop" d="M${x + width - 8} ${y - 4}h8v8h-8z"></path>` : nothing}
    </g>`;
  }

  #spokenNode(data: BeamTreeData): TemplateResult {
    const here = this.#here ?? data.best;
    return html`<span
      class="vh"
      role="treeitem"
      id="${this.uid}-node"
      aria-level=${pathTo(data.nodes, here).length}
      aria-selected=${this.#here !== null}
      >${this.#words(data, here)}</span
    >`;
  }

  readonly #keyed = (event: KeyboardEvent): void => {
    if (!this.data || event.altKey || event.metaKey || event.ctrlKey) return;
    const to = nodeAfterKey(this.data, this.#here ?? this.data.best, event.key);
    if (to !== null) this.cursor = to;
    consumeKey(event, to !== null);
  };

  /** A wide tree scrolls inside the figure to follow the cursor. */
  override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    if (!changed.has('cursor') || this.cursor === null) return;
    const box = this.querySelector('.scrolled');
    const node = this.querySelector(`[data-node="${this.cursor}"] .target`);
    if (!box || !node || !box.contains(document.activeElement)) return;
    const [outer, inner] = [box.getBoundingClientRect(), node.getBoundingClientRect()];
    if (inner.right > outer.right) box.scrollLeft += inner.right - outer.right + 8;
    if (inner.left < outer.left) box.scrollLeft -= outer.left - inner.left + 8;
  }

  #words(data: BeamTreeData, i: number): string {
    const node = data.nodes[i]!;
    const own =
      node.parent < 0 ? '' : `: p ${probabilityText(node)}, log p of the whole sequence ${fixed(node.score, 2)}`;
    const rank = i === data.best ? ', the best' : '';
    return `${sequence(data, i) || marked(node.token)}${own}, ${STATES[node.state]}${rank}`;
  }

  protected readout(): string {
    return this.data ? this.#words(this.data, this.#here ?? this.data.best) : '';
  }

  protected override key(): TemplateResult {
    const sample = (kind: string, text: string): TemplateResult =>
      html`<span class="sample"
        ><svg viewBox="0 0 22 8" aria-hidden="true"><path class="branch ${kind}" d="M0 4h22" /></svg>${text}</span
      >`;
    return html`<span class="legend"
      >${sample('best', 'best')}${sample('kept', 'kept')}${sample('pruned', 'dropped')}<span class="sample"
        ><svg class="end-sign" viewBox="0 0 8 8" aria-hidden="true"><path class="stop" d="M0 0h8v8H0z" /></svg>end</span
      ></span
    >`;
  }

  protected spoken(): string {
    const data = this.data;
    if (!data) return '';
    const ends = hypothesesOf(data);
    const dropped = data.nodes.filter(({ state }) => state === 'pruned').length;
    const texts = ends.slice(0, 5).map((i) => `${sequence(data, i)}, log p ${fixed(data.nodes[i]!.score, 2)}`);
    return `A tree of ${data.nodes.length - 1} prefixes, ${dropped} of them dropped. Hypotheses, best first: ${texts.join('; ')}.`;
  }

  #rows(): [rank: number, words: string, score: number, node: BeamNode][] {
    const data = this.data!;
    return hypothesesOf(data).map((i, rank) => [rank + 1, sequence(data, i), data.nodes[i]!.score, data.nodes[i]!]);
  }

  protected twin(): TemplateResult {
    return html`<table class="worded">
      <caption class="vh">
        Hypotheses of the beam search, best first
      </caption>
      <thead>
        <tr>
          ${['rank', 'hypothesis', 'score (log p)', 'p', 'state'].map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${this.#rows().map(
          ([rank, words, score, node]) =>
            html`<tr>
              <td>${rank}</td>
              <th scope="row">${words}</th>
              <td>${fixed(score, 4)}</td>
              <td>${significant(node.sequenceProbability, 3)}</td>
              <td>${STATES[node.state]}</td>
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  protected csv(): string {
    return csvOf([
      ['node', 'parent', 'token', 'log probability', 'score', 'state'],
      ...this.data!.nodes.map((n, i) => [i, n.parent, n.token, n.logProbability, n.score, STATES[n.state]]),
    ]);
  }
}

const probabilityText = (node: BeamNode): string => fixed(node.probability, 2);

/** The tokens after the root. */
const sequence = ({ nodes }: BeamTreeData, i: number): string =>
  pathTo(nodes, i)
    .slice(1)
    .map((at) => marked(nodes[at]!.token))
    .join(' ');

/** Drawing order: dropped branches first, the best last, on top. */
const rank = (data: BeamTreeData, best: ReadonlySet<number>, i: number): number =>
  best.has(i) ? 2 : data.nodes[i]!.state === 'pruned' ? 0 : 1;

customElements.define('u-beam-tree', BeamTree);
