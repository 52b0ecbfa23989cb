// An attention matrix in words, and as a table with the sum of every row: one row per target word.
import { exact, fixed, significant } from '../../ui/numbers';
import type { Place } from '../../ui/grid-layout';
import type { Table } from '../host/tables';
import {
  type AlignmentData,
  agreement,
  argmaxOfRow,
  rowsWithWeights,
  sumOf,
  truthOf,
  weightAt,
} from '../shared/attention/alignment-layout';

/** "étudiant attends to student with weight 0.91 (true link)" */
export function tellPair(data: AlignmentData, { row, column }: Place): string {
  const { source, target } = data;
  const link = truthOf(data).has(row * source.length + column) ? ' (true link)' : '';
  const weight = weightAt(data, row, column);
  if (!Number.isFinite(weight)) return `${target[row]} has no attention weights yet`;
  return `${target[row]} attends to ${source[column]} with weight ${fixed(weight, 2)}${link}`;
}

export const tellExactly = (data: AlignmentData, at: Place): string =>
  `${tellPair(data, at)}: ${exact(weightAt(data, at.row, at.column))}`;

export function tellAgreement(data: AlignmentData): string {
  const { right, of } = agreement(data);
  if (!of) return 'Point at a cell to read it.';
  return `${right} of ${of} words attend most to a true link.`;
}

export function tellAlignment(data: AlignmentData): string {
  const rows = rowsWithWeights(data).map((t) => tellRow(data, t));
  return [tellSums(data), truthOf(data).size ? tellAgreement(data) : '', ...rows].filter(Boolean).join(' ');
}

function tellRow(data: AlignmentData, t: number): string {
  const best = argmaxOfRow(data, t);
  const link = truthOf(data).has(t * data.source.length + best) ? ', a true link' : '';
  return `${data.target[t]} attends most to ${data.source[best]}, ${fixed(weightAt(data, t, best), 2)}${link}.`;
}

function tellSums(data: AlignmentData): string {
  const rows = rowsWithWeights(data);
  if (!rows.length) return 'No row has been reached yet.';
  if (rows.every((t) => Math.abs(sumOf(data, t) - 1) < 1e-4)) return 'Every row sums to 1.';
  return rows.map((t) => `Row ${data.target[t]} sums to ${significant(sumOf(data, t), 4)}.`).join(' ');
}

export function alignmentTable(data: AlignmentData): Table {
  const truth = truthOf(data);
  const S = data.source.length;
  const cell = (t: number, j: number) => ({
    value: weightAt(data, t, j),
    index: t * S + j,
    ...(truth.has(t * S + j) && { kind: 'true-link' }),
  });
  return {
    caption: `${data.name}; a star marks a true link`,
    quiet: true,
    tensor: data.name,
    head: ['', ...data.source, 'sum'],
    rows: data.target.map((word, t) => ({
      heads: [word],
      cells: [...data.source.map((_, j) => cell(t, j)), { value: Math.fround(sumOf(data, t)), kind: 'total' }],
    })),
  };
}
