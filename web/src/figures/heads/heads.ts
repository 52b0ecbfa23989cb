// <u-heads>: the heads of an attention layer side by side, with their words; the front one enlarged, with its weights.
import { type TemplateResult, html, nothing } from 'lit';
import './heads.css';
import { cellsOfHead, headingOf } from '#messages/figures/heads';
import type { Place } from '../../ui/grid-layout';
import { shapeText } from '../../ui/numbers';
import { AttentionFigure } from '../host/lab-figure';
import { type Description, type Drawing, type Room, gridNavigation } from '../host/contract';
import { placeIn, widthsOf, wordsOf } from '../shared/attention/attention-map';
import { attentionName } from '../shared/attention/attention-trace';
import { alphaLegend, alphaSymbol, mark, promptKey } from '../shared/marks';
import { type HeadsLayout, HeadsScene, drawn, layOutHeads } from './heads-scene';

/** A cell of the small map of a head; without one, of the large map. */
interface Cell extends Place {
  head?: number;
}

export class Heads extends AttentionFigure<HeadsScene, Cell> {
  protected override readonly frame = 'matrix';

  protected read(): HeadsScene | null {
    const { weights } = this;
    if (!weights) return null;
    return new HeadsScene(weights, this.valuesOf(weights), wordsOf(this.lab, weights), this.heads, this.headOnShow);
  }

  protected describe(scene: HeadsScene): Description<Cell> {
    return {
      heading: headingOf(attentionName(scene.node)),
      tensor: scene.node.name,
      summary: () => scene.tell(),
      cell: (place) => scene.tellExactly(place),
      readout: (here) => (here ? scene.tellInAll(here) : ''),
      tables: () => scene.tables(),
    };
  }

  protected layOut(scene: HeadsScene, { width, maxHeight, line }: Room): Drawing<Cell> {
    const { node, heads, front, words } = scene;
    const layout = layOutHeads({ heads, words: widthsOf(words.columns, words.rows, line), width, maxHeight, line });
    return {
      ...layout,
      draw: (here) => drawn(scene, layout, here),
      hit: (x, y) => cellUnder(layout, x, y),
      navigation: gridNavigation(cellsOfHead(node.name, front), layout.large, scene.at(front)),
    };
  }

  protected override show(cell: readonly number[]): void {
    this.cursor = { row: cell.at(-2)!, column: cell.at(-1)! };
  }

  protected override press(cell: Cell | null, event: PointerEvent): void {
    const { node, front } = this.scene!;
    const drawn = (event.target as Element).closest<SVGElement>('.head-map')?.dataset.head;
    if (drawn !== undefined) this.choose({ front: Number(drawn) });
    if (cell) this.lab.select(node.name, this.scene!.at(cell.head ?? front)(cell.row, cell.column));
  }

  /** Page Up and Page Down turn to another head. */
  protected override ownKey({ key }: KeyboardEvent): boolean {
    const turn = { PageUp: -1, PageDown: 1 }[key];
    if (turn) this.choose({ front: Math.max(0, Math.min(this.heads - 1, this.headOnShow + turn)) });
    return turn !== undefined;
  }

  protected override head({ node }: HeadsScene): TemplateResult {
    return html`<span class="tname">${mark('weight')}${alphaSymbol}</span> ${this.choices()}
      <span class="tshape">${shapeText(node.shape)}</span>`;
  }

  protected override legend({ words }: HeadsScene): TemplateResult {
    return html`${alphaLegend()} ${words.promptRange ? promptKey : nothing}`;
  }
}

function cellUnder({ large, small }: HeadsLayout, x: number, y: number): Cell | null {
  const own = placeIn(large, x, y);
  if (own) return own;
  const places = small.map((box) => placeIn(box, x, y));
  const head = places.findIndex(Boolean);
  return head < 0 ? null : { ...places[head]!, head };
}

customElements.define('u-heads', Heads);
