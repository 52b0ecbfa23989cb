// The opened cell of an unrolled network: its named results as strips, each with its formula.
import { type TemplateResult, html, nothing } from 'lit';
import { NOT_REACHED } from '#messages/figures/shared';
import { insideCell, selectTensor } from '#messages/figures/unrolled';
import { significant } from '../../ui/numbers';
import type { Part } from '../host/contract';
import { frame, inked } from '../shared/cells';
import { foldOf } from '../shared/geometry';
import { gradientSymbol, shortName, symbol } from '../shared/marks';
import { palette, scaleOf } from '../shared/palette';
import { formulas, shownOf } from './unrolled-cell';
import type { Scene } from './unrolled-scene';
import { type Strip, cellBox, cellIn, inkStrips } from './unrolled-strips';
import type { UnrolledCell } from './unrolled-trace';

const GATE = { width: 320, height: 16 };

export function openedCell(
  scene: Scene,
  cell: UnrolledCell,
  width: number,
  selected: { node: string; index: number } | null,
  select: (id: number, index: number) => void,
): TemplateResult {
  const texts = formulas(scene.trace, scene.network, cell, (node) => scene.values(node));
  const [row, word] = [scene.rowName(cell), scene.word(cell)];
  return html`<div class="opened" role="group" aria-label=${insideCell(row, word).join('')}>
    <p class="opened-name">${insideCell(row, html`<b>${word}</b>`)}</p>
    ${shownOf(cell).map((id, i) => {
      const index = selected?.node === scene.node(id).name ? selected.index : -1;
      return gate(scene, cell, id, scene.gradient ? nothing : (texts[i] ?? nothing), width, index, select);
    })}
  </div>`;
}

function gate(
  scene: Scene,
  cell: UnrolledCell,
  id: number,
  formula: Part,
  width: number,
  selected: number,
  select: (id: number, index: number) => void,
): TemplateResult {
  const node = scene.node(id);
  const shown = scene.shown(id);
  const values = scene.values(shown);
  const size = scene.size(node);
  const fold = foldOf(size, Math.min(GATE.width, width), 8);
  const strip: Strip = { cell: 0, x: 0, y: 0, width: fold.cell * fold.columns, height: fold.rows * GATE.height, fold };
  const scale = scaleOf('state', scene.gradient ? values : [1, ...(values ?? [])]);
  const inside = selected - scene.example * size;
  const box = inside >= 0 && inside < size ? cellBox(strip, inside) : null;
  const under = (event: PointerEvent): number => Math.max(0, cellIn(strip, event.offsetX, event.offsetY, size));
  return html`<div class="gate" data-tensor=${shown?.name ?? node.name}>
    <button class="gate-name" @click=${() => select(id, 0)} title=${selectTensor(node.name)}>
      ${scene.gradient ? gradientSymbol(node) : symbol({ ...node, name: `${shortName(node.name)}_${cell.position}` })}
    </button>
    <svg
      width=${strip.width}
      height=${strip.height}
      viewBox="0 0 ${strip.width} ${strip.height}"
      role="img"
      aria-label=${values ? [...values].map((value) => significant(value, 2)).join(', ') : NOT_REACHED}
      @pointerdown=${(event: PointerEvent) => select(id, under(event))}
    >
      ${inkStrips([{ strip, values }], scale, palette()).map(inked)} ${values ? nothing : frame('outline', strip, -0.5)}
      ${box ? frame('here', box, -1) : nothing}
    </svg>
    <span class="gate-formula">${formula}</span>
  </div>`;
}
