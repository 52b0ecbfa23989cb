// <u-beam-tree .data>: what a beam search kept, dropped and finished, position by position.
import { type TemplateResult, html } from 'lit';
import { HEADING, HINT, PREFIXES } from '#messages/figures/beam';
import './beam-tree.css';
import { marked } from '../../ui/words';
import type { Description, Drawing, Room } from '../host/contract';
import { DataFigure } from '../host/figure';
import { isInside } from '../shared/geometry';
import { textWidth, wordWidth } from '../shared/palette';
import * as tree from './beam-tree-scene';

const SMALL = 12;
const PAD = 5;

export class BeamTree extends DataFigure<tree.BeamTreeData, number> {
  protected override readonly kind = 'tree';

  protected override read(): tree.BeamTreeData | null {
    return this.data?.nodes.length ? this.data : null;
  }

  protected describe(data: tree.BeamTreeData): Description<number> {
    return {
      heading: HEADING,
      summary: () => tree.tellTree(data),
      cell: (node) => tree.tellNode(data, node),
      readout: (here) => tree.tellNode(data, here ?? data.best),
      tables: () => [tree.hypothesisTable(data)],
      exported: () => [tree.nodeTable(data)],
    };
  }

  protected layOut(data: tree.BeamTreeData, { width: room, zoom }: Room): Drawing<number> {
    const widths = data.nodes.map(
      (node) =>
        wordWidth(marked(node.token), tree.SIZE * zoom) +
        (node.parent < 0 ? 0 : textWidth(tree.probabilityText(node), SMALL * zoom) + 6) +
        (node.state === 'finished' ? 14 : 0),
    );
    const line = tree.SIZE * 1.75 * zoom;
    const across = tree.layOutBeam(data, widths, line, 40 * zoom);
    const inside = room - 2 * PAD;
    const asList = across.width > inside;
    const layout = { ...(asList ? tree.listBeam(data, widths, line, 18 * zoom, inside) : across), zoom, asList };
    const hit = (x: number, y: number): number =>
      layout.places.findLastIndex((_, i) => isInside(tree.boxOf(layout, i), x, y));
    return {
      ...{ height: layout.height, width: Math.max(layout.width, inside), margin: [PAD, PAD] },
      draw: (here) => [...tree.branches(data, layout), ...tree.nodes(data, layout, here)],
      hit: (x, y) => (hit(x, y) < 0 ? null : hit(x, y)),
      navigation: {
        ...{ role: 'tree', label: PREFIXES, first: data.best },
        has: (node) => node < data.nodes.length,
        move: (from, key, ctrl) => (ctrl ? null : tree.nodeAfterKey(data, from, key)),
        place: (node) => ({ level: tree.pathTo(data.nodes, node).length }),
      },
    };
  }

  /** The cursor stays at the node that was last pointed at. */
  protected override point(node: number | null): void {
    if (node !== null) this.cursor = node;
  }

  protected override head(data: tree.BeamTreeData): TemplateResult {
    return html`${super.head(data)} <span class="fhint">${HINT}</span>`;
  }

  protected override legend(): TemplateResult {
    return tree.branchLegend;
  }
}

customElements.define('u-beam-tree', BeamTree);
