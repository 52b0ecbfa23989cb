// <u-map>: the rows of a matrix of the trace, such as the embeddings of words, as points on the two axes along which they vary
// most. It follows training, and no axis turns round meanwhile.
import { type TemplateResult, html, nothing } from 'lit';
import * as texts from '#messages/figures/map';
import './map.css';
import type { AxesInfo, Trace, TraceNode } from '../../engine/types';
import { type Description, type Drawing, type Navigation, type Part, type Room } from '../host/contract';
import { MatrixFigure } from '../host/matrix-figure';
import { Asked } from '../shared/asked';
import { symbol } from '../shared/marks';
import { wordWidth } from '../shared/palette';
import { type MapLayout, drawn, layOutMap, rowAfterKey, rowAt } from './map-drawing';
import { MapScene, shownOf } from './map-scene';

/** Its cells are the rows. */
export class RowMap extends MatrixFigure<MapScene, number, MapLayout> {
  protected override readonly kind = 'map';

  readonly #asked = new Asked<AxesInfo>(() => this.requestUpdate());
  /** The points drawn last, and of which tensor. */
  #before: { tensor: string; points: Float32Array } | null = null;

  protected preferred(_trace: Trace, matrices: readonly TraceNode[]): TraceNode | undefined {
    return matrices.find(({ name }) => /embedding/.test(name)) ?? matrices.find(({ role }) => role === 'input');
  }

  protected read(): MapScene | null {
    const { trace, run } = this.lab;
    const node = trace && this.matrix(trace);
    if (!node) return null;
    const values = this.valuesOf(node);
    const told = values && this.#asked.of(node.name, [run, values], () => this.lab.engine.principalAxes(node.id));
    const before = this.#before?.tensor === node.name ? this.#before.points : undefined;
    const scene = new MapScene(shownOf(this.lab, node, values), told, before);
    if (scene.count) this.#before = { tensor: node.name, points: scene.points };
    return scene;
  }

  protected describe(scene: MapScene): Description<number> {
    return {
      heading: texts.headingOf(scene.shown.tensor),
      tensor: scene.shown.tensor,
      summary: () => scene.tell(),
      cell: (row) => (scene.count ? scene.tellRow(row) : scene.tell()),
      readout: (here) => (here === null ? scene.tell() : scene.tellRow(here)),
      tables: () => [scene.table()],
    };
  }

  protected layOut(scene: MapScene, { width, maxHeight, line }: Room): MapLayout & Drawing<number> {
    const widths = scene.shown.names.map((name) => wordWidth(name, line));
    const layout = layOutMap(scene, { width, maxHeight, line, widths });
    return {
      ...layout,
      draw: (here) => drawn(scene, layout, here),
      hit: (x, y) => (scene.count ? rowAt(layout, x, y) : null),
      navigation: navigationOf(texts.pointsOf(scene.shown.tensor), layout),
    };
  }

  protected override above(scene: MapScene): Part {
    const { trace } = this.lab;
    return html`<div class="row">${this.choiceOf(texts.MATRIX, trace!, this.lab.node(scene.shown.tensor)!)}</div>`;
  }

  protected override legend({ shown }: MapScene): TemplateResult {
    const node = this.lab.node(shown.tensor)!;
    const hidden = this.plan?.names.filter((box) => !box).length ?? 0;
    return html`<span class="legend">${symbol(node)}</span>
      ${hidden ? html`<span class="legend">${texts.namesHidden(hidden)}</span>` : nothing}`;
  }
}

const navigationOf = (label: string, { points }: MapLayout): Navigation<number> => ({
  ...{ role: 'listbox', label, first: 0 },
  has: (row) => row < points.length,
  move: (from, key, ctrl) => (ctrl ? null : rowAfterKey(points, from, key)),
  place: () => ({}),
});

customElements.define('u-map', RowMap);
