// Draws a mask, and beside it or below it the weights.
import { type TemplateResult, svg } from 'lit';
import { ADDED_TO_SCORES, WEIGHTS } from '#messages/figures/mask';
import type { Place } from '../../ui/grid-layout';
import type { Part } from '../host/contract';
import { type MapBox, columnLabels, mapCells, mapNumbers, ring, rowLabels } from '../shared/attention/attention-map';
import { FULL, type Scale } from '../shared/palette';
import type { MaskLayout } from './mask-layout';
import { type MaskScene, maskAt } from './mask-scene';

const ADDED: Scale = { map: 'diverging', limit: 1 };

export function drawn(scene: MaskScene, layout: MaskLayout, here: Place | null): Part[] {
  const { mask, weights, words, added, values, weightAt } = scene;
  const { turn, line, longest, beside } = layout;
  const named = (box: MapBox, name: string): TemplateResult =>
    svg`<text class="map-name" x=${box.x} y=${box.y - (turn ? longest + 12 : line * 1.7)}>${name}</text>
      ${columnLabels(box, words.columns, turn, line, here?.column ?? -1)}`;
  const rows = (box: MapBox) => rowLabels(box, words.rows, line, here?.row ?? -1);
  const numbered = layout.weights.cell.width >= line * 2.3;
  return [
    svg`<g data-tensor=${mask.name}>${named(layout.mask, ADDED_TO_SCORES)} ${rows(layout.mask)}
      ${mapCells(layout.mask, added, maskAt(scene), ADDED)} ${ring(layout.mask, here)}</g>`,
    svg`<g data-tensor=${weights.name}>${named(layout.weights, WEIGHTS)} ${beside ? [] : rows(layout.weights)}
      ${mapCells(layout.weights, values, weightAt, FULL)}
      ${numbered ? mapNumbers(layout.weights, values, weightAt, FULL, line) : []} ${ring(layout.weights, here, 'same')}</g>`,
  ];
}
