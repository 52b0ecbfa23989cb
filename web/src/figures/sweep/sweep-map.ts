// <u-sweep-map .data>: what becomes of each token of the target when parts of a tensor are changed one after another.
import { type TemplateResult, html } from 'lit';
import * as texts from '#messages/figures/sweep';
import { cellsOf } from '#messages/figures/shared';
import type { Place } from '../../ui/grid-layout';
import { exact, shapeText, significant } from '../../ui/numbers';
import { type Description, type Drawing, type Part, type Room, gridNavigation } from '../host/contract';
import { DataFigure } from '../host/figure';
import type { Table } from '../host/table';
import * as map from '../shared/attention/attention-map';
import { inkCells } from '../shared/cells';
import { legend } from '../shared/marks';
import { scaleOf } from '../shared/palette';

export interface SweepData {
  /** What was changed, one after another. */
  parts: string[];
  /** Of the target, <eos> too. */
  tokens: string[];
  /** (parts, tokens), row-major: log p with the change less log p without it. */
  changes: number[];
  /** The loss with each change. */
  losses: number[];
}

const at = ({ tokens }: SweepData, { row, column }: Place): number => row * tokens.length + column;

const told = (data: SweepData, place: Place, number: (value: number) => string): [string, string, string] => [
  data.parts[place.row]!,
  data.tokens[place.column]!,
  number(data.changes[at(data, place)]!),
];

/** The place of the largest fall; null if nothing falls. */
export function worst(data: SweepData): Place | null {
  const least = Math.min(...data.changes);
  const index = data.changes.indexOf(least);
  const columns = data.tokens.length;
  return least < 0 ? { row: Math.floor(index / columns), column: index % columns } : null;
}

export function tellSweep(data: SweepData): string {
  const place = worst(data);
  return place ? texts.most(...told(data, place, (value) => significant(value, 2))) : texts.NONE_FALLS;
}

export const sweepTable = ({ parts, tokens, changes, losses }: SweepData): Table => ({
  caption: texts.CAPTION,
  quiet: true,
  head: ['', ...tokens, texts.LOSS],
  rows: parts.map((part, row) => ({
    heads: [part],
    cells: [...changes.slice(row * tokens.length, (row + 1) * tokens.length), losses[row]!],
  })),
});

export class SweepMap extends DataFigure<SweepData, Place> {
  protected override readonly frame = 'matrix';

  protected describe(data: SweepData): Description<Place> {
    return {
      heading: texts.HEADING,
      summary: () => tellSweep(data),
      cell: (place) => texts.cell(...told(data, place, exact)),
      readout: (here) => (here ? texts.cell(...told(data, here, (value) => significant(value, 3))) : tellSweep(data)),
      tables: () => [sweepTable(data)],
    };
  }

  protected layOut(data: SweepData, { width, maxHeight, line }: Room): Drawing<Place> {
    const { parts, tokens } = data;
    const layout = map.layOutAlignment(map.widthsOf(tokens, parts, line), width, line, maxHeight);
    return {
      ...layout,
      draw: (here) => drawn(data, layout, here),
      hit: (x, y) => map.placeIn(layout, x, y),
      navigation: gridNavigation(cellsOf(texts.HEADING), layout, (row, column) => at(data, { row, column })),
    };
  }

  protected override head({ parts, tokens }: SweepData): TemplateResult {
    return html`<span class="tname">${texts.HEADING}</span> <span class="fhint">${texts.HINT}</span>
      <span class="tshape">${shapeText([parts.length, tokens.length])}</span>`;
  }

  protected override legend({ changes }: SweepData): TemplateResult {
    return legend(scaleOf('score', changes), html`${texts.LEGEND}`);
  }
}

function drawn(data: SweepData, layout: map.AlignmentLayout, here: Place | null): Part[] {
  const words = { rows: data.parts, columns: data.tokens };
  const cells = map.cellsOf(layout, data.changes, (row, column) => at(data, { row, column }));
  return [
    ...map.columnLabels(layout, words, layout.turn, layout.line, here),
    ...map.rowLabels(layout, words, layout.line, here),
    inkCells(cells, scaleOf('score', data.changes)),
    map.ring(layout, here),
  ];
}

customElements.define('u-sweep-map', SweepMap);
