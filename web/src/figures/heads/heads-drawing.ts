// Draws heads side by side, and below them the front head with its values.
import { type TemplateResult, nothing, svg } from 'lit';
import { headName } from '#messages/figures/heads';
import type { Place } from '../../ui/grid-layout';
import type { Part } from '../host/contract';
import { type MapBox, columnLabels, mapCells, mapNumbers, ring, rowLabels } from '../shared/attention/attention-map';
import { frame } from '../shared/cells';
import { FULL } from '../shared/palette';
import type { HeadsLayout } from './heads-layout';
import type { HeadsScene } from './heads-scene';

export function drawn(scene: HeadsScene, layout: HeadsLayout, here: Place | null): Part[] {
  const { large, turn, line } = layout;
  const { values, words } = scene;
  const at = scene.at(scene.front);
  const rows = (box: MapBox) => rowLabels(box, words.rows, line, here?.row ?? -1, words.promptRange);
  const columns = (box: MapBox, angle: number) =>
    columnLabels(box, words.columns, angle, line, here?.column ?? -1, words.promptRange);
  const small = layout.small.map((box, head) => {
    const labels = layout.worded ? [...columns(box, -90), ...(head % layout.across === 0 ? rows(box) : [])] : [];
    return smallMap(scene, box, head, labels, line, here);
  });
  return [
    ...[...small, ...rows(large), ...columns(large, turn), mapCells(large, values, at, FULL)],
    ...(layout.numbered ? mapNumbers(large, values, at, FULL, line) : []),
    ring(large, here),
  ];
}

function smallMap(
  scene: HeadsScene,
  box: MapBox,
  head: number,
  labels: readonly TemplateResult[],
  line: number,
  here: Place | null,
): TemplateResult {
  const on = head === scene.front;
  const { x, y } = box;
  const [width, height] = [box.columns * box.cell.width, box.rows * box.cell.height];
  return svg`<g class="head-map" data-head=${head}>
    <text class="token-word ${on ? 'on' : ''}" x=${x} y=${y + height + line * 1.1}>${headName(head)}</text>
    ${labels} ${mapCells(box, scene.values, scene.at(head), FULL)}
    ${on ? frame('chosen', { x: x - 0.5, y: y - 0.5, width, height }, 2) : nothing} ${ring(box, here)}
  </g>`;
}
