// Draws a mask, and beside it or below it the weights.
import { type TemplateResult, nothing, svg } from 'lit';
import { ADDED_TO_SCORES, WEIGHTS } from '#messages/figures/mask';
import type { Place } from '../../ui/grid-layout';
import { type MapBox, columnLabels, mapCells, mapNumbers, ring, rowLabels } from '../shared/attention/attention-map';
import type { Scale } from '../shared/palette';
import type { MaskLayout } from './mask-layout';
import { type MaskScene, maskAt } from './mask-scene';

export const FULL: Scale = { map: 'sequential', limit: 1 };
const ADDED: Scale = { map: 'diverging', limit: 1 };

export interface DrawnMask extends MaskLayout {
  /** Height of a line of text, and width of the longest column word. */
  line: number;
  longest: number;
}

function labels(
  { words }: MaskScene,
  { turn, line, longest }: DrawnMask,
  box: MapBox,
  name: string,
  here: Place | null,
): TemplateResult {
  const above = turn ? longest + 12 : line * 1.7;
  return svg`<text class="map-name" x=${box.x} y=${box.y - above}>${name}</text>
    ${columnLabels(box, words.columns, turn, line, here?.column ?? -1)}`;
}

export function maskMap(scene: MaskScene, layout: DrawnMask, here: Place | null): TemplateResult {
  const box = layout.mask;
  return svg`<g data-tensor=${scene.mask.name}>${labels(scene, layout, box, ADDED_TO_SCORES, here)}
    ${rowLabels(box, scene.words.rows, layout.line, here?.row ?? -1)}
    ${mapCells(box, scene.added, maskAt(scene), ADDED)} ${ring(box, here)}</g>`;
}

export function weightMap(scene: MaskScene, layout: DrawnMask, here: Place | null): TemplateResult {
  const { weights: box, beside, line } = layout;
  const { values, weightAt, words } = scene;
  return svg`<g data-tensor=${scene.weights.name}>${labels(scene, layout, box, WEIGHTS, here)}
    ${beside ? nothing : rowLabels(box, words.rows, line, here?.row ?? -1)}
    ${mapCells(box, values, weightAt, FULL)}
    ${box.cell.width >= line * 2.3 ? mapNumbers(box, values, weightAt, FULL, line) : nothing} ${ring(box, here, 'same')}</g>`;
}
