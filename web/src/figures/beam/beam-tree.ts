// <u-beam-tree .data>: what a beam search kept, dropped and finished, position by position.
import { type TemplateResult, html } from 'lit';
import { HEADING, HINT, PREFIXES } from '#messages/figures/beam';
import './beam-tree.css';
import { marked } from '../../ui/words';
import type { Part, Room } from '../host/contract';
import { Figure } from '../host/figure';
import type { Navigation } from '../host/navigation';
import type { Table } from '../host/tables';
import { palette } from '../shared/palette';
import { textWidth } from '../shared/text-width';
import { type DrawnTree, SIZE, boxOf, branchLegend, branches, nodes } from './beam-drawing';
import { type BeamTreeData, layOutBeam, nodeAfterKey, pathTo } from './beam-tree-layout';
import { hypothesisTable, nodeTable, probabilityText, tellNode, tellTree } from './beam-words';

const SMALL = 12;
const PAD = 5;

export class BeamTree extends Figure<BeamTreeData, DrawnTree, number> {
  static override properties = { ...Figure.properties, data: { attribute: false } };

  declare data: BeamTreeData | null;

  protected override readonly kind = 'tree';

  constructor() {
    super();
    this.data = null;
  }

  read(): BeamTreeData | null {
    return this.data?.nodes.length ? this.data : null;
  }

  layout(data: BeamTreeData, { width: room, zoom }: Room): DrawnTree {
    const { sans } = palette();
    const widths = data.nodes.map(
      (node) =>
        textWidth(marked(node.token), SIZE * zoom, sans, 600) +
        (node.parent < 0 ? 0 : textWidth(probabilityText(node), SMALL * zoom, sans) + 6) +
        (node.state === 'finished' ? 14 : 0),
    );
    const { places, width, height } = layOutBeam(data, widths, SIZE * 1.75 * zoom, 40 * zoom);
    return { places, zoom, width: Math.max(width, room - 2 * PAD), height, margin: [PAD, PAD] };
  }

  draw(data: BeamTreeData, layout: DrawnTree, here: number | null): Part[] {
    return [...branches(data, layout), ...nodes(data, layout, here)];
  }

  rows(data: BeamTreeData): Table[] {
    return [hypothesisTable(data)];
  }

  tell(data: BeamTreeData): string {
    return tellTree(data);
  }

  tellCell(data: BeamTreeData, node: number): string {
    return tellNode(data, node);
  }

  hit(layout: DrawnTree, px: number, py: number): number | null {
    const at = layout.places.findLastIndex((_, i) => {
      const { x, y, width, height } = boxOf(layout, i);
      return px >= x && py >= y && px < x + width && py < y + height;
    });
    return at < 0 ? null : at;
  }

  navigation(data: BeamTreeData): Navigation<number> {
    return {
      ...{ role: 'tree', label: PREFIXES, first: data.best },
      has: (node) => node < data.nodes.length,
      move: (from, key, ctrl) => (ctrl ? null : nodeAfterKey(data, from, key)),
      place: (node) => ({ level: pathTo(data.nodes, node).length }),
    };
  }

  /** The cursor stays at the node that was last pointed at. */
  protected override point(node: number | null): void {
    if (node !== null) this.cursor = node;
  }

  protected headingOf(): string {
    return HEADING;
  }

  protected override head(data: BeamTreeData): TemplateResult {
    return html`${super.head(data)} <span class="fhint">${HINT}</span>`;
  }

  protected readout(data: BeamTreeData, here: number | null): string {
    return tellNode(data, here ?? data.best);
  }

  protected override legend(): TemplateResult {
    return branchLegend;
  }

  /** Every node, not the hypotheses alone. */
  protected override exported(data: BeamTreeData): Table[] {
    return [nodeTable(data)];
  }
}

customElements.define('u-beam-tree', BeamTree);
