// One input through both models: where they part, in words, and what each writes, with its probabilities.
import * as texts from '#messages/lesson/beside';
import { html, nothing, type TemplateResult } from 'lit';
import { cellCount, type GenerationInfo, type PairInfo } from '../../../engine/types';
import { htmlTable, type Table } from '../../../figures/host/table';
import { unravel } from '../../../ui/index-rules';
import { significant } from '../../../ui/numbers';
import { EOS, marked } from '../../../ui/words';
import type { Difference, Gap } from './first-difference';

/** Opens a tensor of the first model at a cell. */
export type Open = (name: string, index: number) => void;

/** The texts as tokens, joined: those of a task with single letters stand close together. */
export const sourceText = ({ source }: PairInfo): string =>
  source.map(marked).join(source.every((token) => token.length === 1) ? '' : ' ');

export const gapIn = (when: string, { compared, gap }: Difference, open: Open): TemplateResult =>
  html`<p><b>${when}:</b> ${gap ? gapWords(gap, compared, open) : sameWords(compared)}</p>`;

/** Tensors that the two do not have alike; training changes nothing about that. */
export const structureIn = ({ reshaped, only: [mine, other] }: Difference, open: Open): TemplateResult =>
  html`${reshaped ? html`<p>${texts.reshaped(reshaped.name, ...reshaped.shapes)}</p>` : nothing}
  ${mine === null ? nothing : html`<p>${texts.ONLY}${tensorButton(mine, 0, open)}.</p>`}
  ${other === null ? nothing : html`<p>${texts.ONLY_SECOND}<code>${other}</code>.</p>`}`;

const sameWords = (compared: number): string => (compared ? texts.sameTensors(compared) : texts.NO_TENSORS_ALIKE);

function gapWords(gap: Gap, compared: number, open: Open): TemplateResult {
  const { name, index, isLeaf } = gap;
  const before = compared - 1;
  return html`${isLeaf ? texts.FIRST_LEAF : texts.FIRST}${tensorButton(name, index, open)}${placeWords(gap)}
  ${before ? texts.comparedBefore(before) : nothing}`;
}

const tensorButton = (name: string, index: number, open: Open): TemplateResult =>
  html`<button type="button" class="link" aria-label=${texts.openTensor(name)} @click=${() => open(name, index)}>
    <code>${name}</code>
  </button>`;

function placeWords({ shape, count, index, values }: Gap): string {
  const [a, b] = values;
  return texts.whereItDiffers({
    ...{ shape, count, cells: cellCount(shape), at: unravel(index, shape) },
    values: [significant(a, 4), significant(b, 4)],
    apart: significant(Math.abs(a - b), 3),
  });
}

/** A row for each position of the longer output, and one for the whole. */
export function writtenTable(
  labels: readonly string[],
  written: readonly GenerationInfo[],
  target: readonly string[],
): Table {
  const all = written.map(tokensOf);
  const wanted = target.length ? [...target.map(marked), EOS] : [];
  const length = Math.max(wanted.length, ...all.map((tokens) => tokens.length));
  const cellsOf = (i: number): (string | number)[] =>
    written.flatMap(({ probabilities }, m) => [all[m]![i] ?? '', probabilities[i] ?? '']);
  const rows = Array.from({ length }, (_, i) => ({ heads: [i + 1], cells: [wanted[i] ?? '', ...cellsOf(i)] }));
  const whole = written.flatMap(({ probability }) => ['', probability]);
  return {
    caption: texts.WRITES,
    head: [texts.POSITION, texts.TARGET, ...labels.flatMap((label) => [label, texts.probabilityOf(label)])],
    rows: [...rows, { heads: [texts.ALL_OF_IT], cells: ['', ...whole] }],
  };
}

const tokensOf = ({ tokens, ended }: GenerationInfo): string[] => [...tokens.map(marked), ...(ended ? [EOS] : [])];

export const writtenHtml = (table: Table): TemplateResult => htmlTable(rounded(table));

/** As it is read: the file has every digit. */
const rounded = (table: Table): Table => ({
  ...table,
  rows: table.rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell) => (typeof cell === 'number' ? { value: cell, text: significant(cell, 3) } : cell)),
  })),
});
