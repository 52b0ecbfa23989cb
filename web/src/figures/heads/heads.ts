// <u-heads>: the heads of an attention layer side by side, with their words; the front one enlarged, with its weights.
import { type TemplateResult, html, nothing } from 'lit';
import { POINT_AT_CELL_OF_ALL, cellsOfHead, headingOf } from '#messages/figures/heads';
import { POINT_AT_CELL } from '#messages/figures/shared';
import './heads.css';
import type { Place } from '../../ui/grid-layout';
import { shapeText } from '../../ui/numbers';
import { AttentionFigure } from '../host/attention-figure';
import type { Part, Room } from '../host/contract';
import { type Navigation, gridNavigation } from '../host/navigation';
import type { Table } from '../host/tables';
import { placeIn } from '../shared/attention/attention-map';
import { attentionName } from '../shared/attention/attention-trace';
import { wordsOf } from '../shared/attention/attention-words';
import { legend, promptKey } from '../shared/legend';
import { mark } from '../shared/marks';
import { palette } from '../shared/palette';
import { textWidth } from '../shared/text-width';
import { type DrawnHeads, FULL, largeMap, smallMaps } from './heads-drawing';
import { layOutHeads } from './heads-layout';
import { HeadsScene } from './heads-scene';

const LINE = 13;

/** A cell of the small map of a head; without one, of the large map. */
interface Cell extends Place {
  head?: number;
}

export class Heads extends AttentionFigure<HeadsScene, DrawnHeads, Cell> {
  protected override readonly frame = 'matrix';

  read(): HeadsScene | null {
    const { weights } = this;
    if (!weights) return null;
    return new HeadsScene(weights, this.valuesOf(weights), wordsOf(this.lab, weights), this.heads, this.headOnShow);
  }

  layout({ words: { rows, columns }, heads }: HeadsScene, { width, zoom }: Room): DrawnHeads {
    const line = LINE * zoom;
    const measure = (word: string): number => textWidth(word, line, palette().sans, 600);
    const words = { source: columns.map(measure), target: rows.map(measure) };
    return { ...layOutHeads({ heads, words, width, line }), line };
  }

  draw(scene: HeadsScene, layout: DrawnHeads, here: Cell | null): Part[] {
    return [...smallMaps(scene, layout, here), largeMap(scene, layout, here)];
  }

  rows(scene: HeadsScene): Table[] {
    return scene.tables();
  }

  tell(scene: HeadsScene): string {
    return scene.tell();
  }

  tellCell(scene: HeadsScene, place: Cell): string {
    return scene.tellExactly(place);
  }

  hit({ large, small }: DrawnHeads, x: number, y: number): Cell | null {
    const own = placeIn(large, x, y);
    if (own) return own;
    const places = small.map((box) => placeIn(box, x, y));
    const head = places.findIndex(Boolean);
    return head < 0 ? null : { ...places[head]!, head };
  }

  navigation(scene: HeadsScene): Navigation<Cell> {
    const { node, words, front } = scene;
    const extent = { rows: words.rows.length, columns: words.columns.length };
    return gridNavigation(cellsOfHead(node.name, front), extent, scene.at(front));
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

  protected headingOf({ node }: HeadsScene): string {
    return headingOf(attentionName(node));
  }

  protected override tensorOf({ node }: HeadsScene): string {
    return node.name;
  }

  protected override head({ node }: HeadsScene): TemplateResult {
    return html`<span class="tname">${mark('weight')}<i class="sym r-weight">α</i></span> ${this.choices()}
      <span class="tshape">${shapeText(node.shape)}</span>`;
  }

  protected readout(scene: HeadsScene, here: Cell | null): string {
    if (here) return scene.tellInAll(here);
    return scene.heads > 1 ? POINT_AT_CELL_OF_ALL : POINT_AT_CELL;
  }

  protected override legend({ words }: HeadsScene): TemplateResult {
    return html`${legend(FULL, html`<i class="sym r-weight">α</i>`)} ${words.promptRange ? promptKey : nothing}`;
  }
}

customElements.define('u-heads', Heads);
