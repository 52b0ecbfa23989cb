// <u-positions>: how a model encodes positions. A table as a map, a pair of its columns as waves and as a point that
// rotates from p to p + k by the same matrix for every p. Rotated queries likewise; a bias for distance as a map.
import { type TemplateResult, html, nothing } from 'lit';
import * as texts from '#messages/figures/positions';
import { NOTHING_REACHED, cellsOf } from '#messages/figures/shared';
import './positions.css';
import type { TraceNode } from '../../engine/types';
import { type Place, cellIndex } from '../../ui/grid-layout';
import { significant } from '../../ui/numbers';
import { AttentionFigure, numberSelect } from '../host/lab-figure';
import { type Description, type Drawing, type Part, type Room, gridNavigation, states } from '../host/contract';
import { placeIn } from '../shared/attention/attention-map';
import { flowOf, headPlane } from '../shared/attention/attention-trace';
import { legend, symbol } from '../shared/marks';
import { scaleOf } from '../shared/palette';
import { circle, layOutPositions, map, waves } from './positions-drawing';
import { type Read, PositionsScene, diagonalSpread, positionsOf } from './positions-scene';

const LINE = 12.5;

export class Positions extends AttentionFigure<PositionsScene, Place> {
  static override properties = states('pair', 'from', 'shift');

  pair = 0;
  from = 0;
  shift = 1;

  protected override readonly frame = 'matrix';
  protected override readonly kind = 'positions';

  protected read(): PositionsScene | null {
    const { trace } = this.lab;
    if (!trace) return null;
    const flow = this.weights ? flowOf(trace, this.weights) : null;
    const read: Read = (node) => this.valuesOf(node);
    const tensors = positionsOf(trace, flow, read);
    const node = tensors.table ?? tensors.rotated?.result ?? tensors.bias;
    return node ? new PositionsScene(tensors, node, this, read, this.#planeAt) : null;
  }

  readonly #planeAt = (node: TraceNode, row: number, c: number): number =>
    cellIndex(headPlane(node, this.headOnShow, this.heads), row, c);

  protected describe(scene: PositionsScene): Description<Place> {
    const readout = (here: Place | null): string => scene.tellRotation() || (here ? scene.tellPlace(here) : '');
    return {
      heading: scene.heading,
      tensor: scene.node.name,
      summary: () => `${scene.size} ${scene.values ? readout(this.spot) : NOTHING_REACHED}`,
      cell: (place) => scene.tellPlace(place),
      readout,
      tables: () => [scene.table()],
    };
  }

  protected layOut(scene: PositionsScene, { width, zoom }: Room): Drawing<Place> {
    const { extent, hasPairs, rotation, node, at } = scene;
    const layout = layOutPositions({ ...extent, width, line: LINE * zoom, waves: hasPairs, circle: rotation !== null });
    return {
      ...layout,
      draw: (here) => [map(scene, layout, here), waves(scene, layout), circle(scene, layout)],
      hit: (x, y) => placeIn(layout.map, x, y),
      navigation: gridNavigation(cellsOf(node.name), extent, at),
    };
  }

  protected override head(scene: PositionsScene): TemplateResult {
    return html`${super.head(scene)} ${scene.tensors.table || !this.weights ? nothing : this.choices()}
    ${this.#controls(scene)}`;
  }

  #controls({ hasPairs, rotation, choice, extent: { rows, columns } }: PositionsScene): Part {
    if (!hasPairs) return nothing;
    return html`${numberSelect(texts.PAIR, Math.floor(columns / 2), choice.pair, (pair) => this.choose({ pair }))}
    ${rotation ? numberSelect('p', rows, choice.from, (from) => this.choose({ from })) : nothing}
    ${rotation?.shifts ? numberSelect('k', rows - choice.from, choice.shift, (shift) => this.choose({ shift })) : nothing}`;
  }

  /** Selects a cell; its column chooses the pair, its row the position. */
  protected override go(place: Place): void {
    super.go(place);
    const { hasPairs, rotation, extent, node, at } = this.scene!;
    const pair = Math.min(Math.floor(place.column / 2), Math.floor(extent.columns / 2) - 1);
    this.choose({ ...(hasPairs && { pair }), ...(rotation && { from: place.row }) });
    this.lab.select(node.name, at(place.row, place.column));
  }

  protected override press(place: Place | null): void {
    if (place) this.go(place);
  }

  protected override below(): Part {
    const { trace, info } = this.lab;
    const flow = trace && this.weights && flowOf(trace, this.weights);
    if (!this.scene?.tensors.rotated || !flow || !info?.inputs.some(({ name }) => name === 'X')) return nothing;
    return html`<p class="distance">
      <button class="btn" @click=${() => void this.#repeat()}>${texts.SAME_WORD}</button>
      <span role="status">${this.#spread(flow.scores)}</span>
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
  #spread(scores: TraceNode): string {
    const values = this.valuesOf(scores);
    if (!values) return texts.SCORES_NOT_REACHED;
    const [rows, columns] = [scores.shape.at(-2)!, scores.shape.at(-1)!];
    const most = diagonalSpread((row, c) => values[this.#planeAt(scores, row, c)]!, rows, columns);
    return texts.scoresDiffer(significant(most, 2));
  }

  protected override legend({ node, values }: PositionsScene): TemplateResult {
    return legend(scaleOf('state', values), symbol(node));
  }
}

customElements.define('u-positions', Positions);
