// Draws heads side by side, and below them the front head with its values.
import { type TemplateResult, nothing, svg } from 'lit';
import { headName } from '#messages/figures/heads';
import type { Place } from '../../ui/grid-layout';
import { type MapBox, columnLabels, mapCells, mapNumbers, ring, rowLabels } from '../shared/attention/attention-map';
import type { Scale } from '../shared/palette';
import type { HeadsLayout } from './heads-layout';
import type { HeadsScene } from './heads-scene';

export const FULL: Scale = { map: 'sequential', limit: 1 };

export interface DrawnHeads extends HeadsLayout {
  /** Height of a line of text. */
  line: number;
}

const rowsAt = ({ words }: HeadsScene, box: MapBox, line: number, here: Place | null): TemplateResult[] =>
  rowLabels(box, words.rows, line, here?.row ?? -1, words.promptRange);

const columnsAt = (
  { words }: HeadsScene,
  box: MapBox,
  turn: number,
  line: number,
  here: Place | null,
): TemplateResult[] => columnLabels(box, words.columns, turn, line, here?.column ?? -1, words.promptRange);

export const smallMaps = (scene: HeadsScene, layout: DrawnHeads, here: Place | null): TemplateResult[] =>
  layout.small.map((box, head) => smallMap(scene, box, head, layout, here));

function smallMap(
  scene: HeadsScene,
  box: MapBox,
  head: number,
  { across, worded, line }: DrawnHeads,
  here: Place | null,
): TemplateResult {
  const on = head === scene.front;
  const [wide, high] = [box.columns * box.cell.width, box.rows * box.cell.height];
  return svg`<g class="head-map" data-head=${head}>
    <text class="token-word ${on ? 'on' : ''}" x=${box.x} y=${box.y + high + line * 1.1}>${headName(head)}</text>
    ${worded ? columnsAt(scene, box, -90, line, here) : nothing}
    ${worded && head % across === 0 ? rowsAt(scene, box, line, here) : nothing}
    ${mapCells(box, scene.values, scene.at(head), FULL)}
    ${on ? svg`<rect class="chosen" x=${box.x - 2.5} y=${box.y - 2.5} width=${wide + 4} height=${high + 4}></rect>` : nothing}
    ${ring(box, here)}
  </g>`;
}

export function largeMap(
  scene: HeadsScene,
  { large, turn, numbered, line }: DrawnHeads,
  here: Place | null,
): TemplateResult {
  const at = scene.at(scene.front);
  return svg`${rowsAt(scene, large, line, here)} ${columnsAt(scene, large, turn, line, here)}
    ${mapCells(large, scene.values, at, FULL)}
    ${numbered ? mapNumbers(large, scene.values, at, FULL, line) : nothing} ${ring(large, here)}`;
}
