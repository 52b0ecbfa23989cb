// The opened cell of an unrolled network: its named results as strips, each with its formula as derived from the trace.
import { type TemplateResult, html, nothing } from 'lit';
import type { Trace, TraceNode } from '../../engine/types';
import { shortFormula } from '../shared/formula';
import type { ReadValues } from '../shared/provenance';
import { isNamed, shortName, gradientSymbol, symbol } from '../shared/marks';
import type { Unrolled, UnrolledCell } from './unrolled-trace';
import { NOT_REACHED } from '#messages/figures/shared';
import { insideCell, selectTensor } from '#messages/figures/unrolled';
import { significant } from '../../ui/numbers';
import type { Part } from '../host/contract';
import { frame, inked } from '../shared/cells';
import { foldOf } from '../shared/geometry';
import { palette, scaleOf } from '../shared/palette';
import type { Scene } from './unrolled-scene';
import { type Strip, cellBox, cellIn, inkStrips } from './unrolled-layout';

/** Ids of the nodes shown of a cell: its gates in order, then the state. */
export const shownOf = (cell: UnrolledCell): number[] => [...cell.gates, cell.state];

/**
 * The trace renamed for the formulas of a cell: results carry their position, "h_2"; outside inputs are x or the
 * previous state; and a gate's block of the stacked weights is W_r rather than a slice of the stack.
 */
export function cellTrace(trace: Trace, network: Unrolled, cell: UnrolledCell, gate: TraceNode): Trace {
  const nodes = trace.nodes.slice();
  const rename = (id: number, name: string): void => {
    nodes[id] = { ...nodes[id]!, name };
  };
  for (const each of network.cells) {
    if (each.network !== cell.network) continue;
    for (const id of shownOf(each)) rename(id, `${shortName(nodes[id]!.name)}_${each.position}`);
  }
  const inside = insideOf(trace, cell);
  const block = [...inside].some((id) => trace.nodes[id]?.op === 'slice') && gate.id !== cell.state;
  for (const id of inside) {
    nodes[id] = { ...nodes[id]!, inputs: nodes[id]!.inputs.map((input) => unsliced(trace, inside, input)) };
    for (const input of nodes[id]!.inputs)
      if (!inside.has(input)) rename(input, outsideName(trace.nodes[input]!, nodes[input]!, cell, block, gate));
  }
  return { nodes, scopes: [] };
}

/** Ids of the nodes that a cell computes: backwards from its results, within its own scopes. */
function insideOf(trace: Trace, cell: UnrolledCell): ReadonlySet<number> {
  const scope = (id: number): string => trace.nodes[id]!.name.replace(/\/[^/]*$/, '');
  const own = new Set([scope(cell.state), ...cell.gates.map(scope)]);
  for (const id of trace.nodes[cell.state]!.inputs) own.add(scope(id));
  const found = new Set(shownOf(cell));
  const waiting = [...found];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop())
    for (const input of trace.nodes[id]!.inputs) {
      const node = trace.nodes[input]!;
      if (found.has(input) || node.phase !== 'forward' || !own.has(scope(input)) || isOutside(node, cell)) continue;
      found.add(input);
      waiting.push(input);
    }
  return found;
}

/** The previous state and the cell's inputs may lie in the same scope. */
const isOutside = (node: TraceNode, cell: UnrolledCell): boolean => isNamed(node) && !shownOf(cell).includes(node.id);

function unsliced(trace: Trace, inside: ReadonlySet<number>, id: number): number {
  const node = trace.nodes[id]!;
  return node.op === 'slice' && inside.has(id) ? unsliced(trace, inside, node.inputs[0]!) : id;
}

function outsideName(node: TraceNode, now: TraceNode, cell: UnrolledCell, block: boolean, gate: TraceNode): string {
  if (node.op === 'constant') return node.shape.length ? '0' : node.name;
  if (node.phase === 'leaf') return `${node.name.split('.').at(-1)}${block ? `_${shortName(gate.name)}` : ''}`;
  if (now.name !== node.name) return now.name;
  return `${isNamed(node) ? shortName(node.name) : 'x'}_${cell.position}`;
}

/** "= σ(…)" for each of the cell's results. */
export function formulas(
  trace: Trace,
  network: Unrolled,
  cell: UnrolledCell,
  values: ReadValues,
): (TemplateResult | typeof nothing)[] {
  return shownOf(cell).map((id) => {
    const named = cellTrace(trace, network, cell, trace.nodes[id]!);
    const shown = new Set(shownOf(cell).filter((other) => other !== id));
    const text = shortFormula(named, named.nodes[id]!, shown, values);
    return text ? html`= ${text}` : nothing;
  });
}

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
