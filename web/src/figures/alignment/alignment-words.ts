// An attention matrix in words, and as a table with the sum of every row: one row per target word.
import * as texts from '#messages/figures/alignment';
import { POINT_AT_CELL, cellAt, hasNoWeights } from '#messages/figures/shared';
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
  const [target, source] = [data.target[row]!, data.source[column]!];
  const weight = weightAt(data, row, column);
  if (!Number.isFinite(weight)) return hasNoWeights(target);
  return texts.pair(target, source, fixed(weight, 2), isTrueLink(data, row, column));
}

const isTrueLink = (data: AlignmentData, row: number, column: number): boolean =>
  truthOf(data).has(row * data.source.length + column);

export function tellExactly(data: AlignmentData, at: Place): string {
  const weight = weightAt(data, at.row, at.column);
  return Number.isFinite(weight) ? cellAt(tellPair(data, at), exact(weight)) : tellPair(data, at);
}

export function tellAgreement(data: AlignmentData): string {
  const { right, of } = agreement(data);
  return of ? texts.agreement(right, of) : POINT_AT_CELL;
}

export function tellAlignment(data: AlignmentData): string {
  const rows = rowsWithWeights(data).map((t) => tellRow(data, t));
  return [tellSums(data), truthOf(data).size ? tellAgreement(data) : '', ...rows].filter(Boolean).join(' ');
}

function tellRow(data: AlignmentData, t: number): string {
  const best = argmaxOfRow(data, t);
  const weight = fixed(weightAt(data, t, best), 2);
  return texts.mostOf(data.target[t]!, data.source[best]!, weight, isTrueLink(data, t, best));
}

function tellSums(data: AlignmentData): string {
  const rows = rowsWithWeights(data);
  if (!rows.length) return texts.NO_ROW_REACHED;
  if (rows.every((t) => Math.abs(sumOf(data, t) - 1) < 1e-4)) return texts.EVERY_ROW_SUMS_TO_1;
  return rows.map((t) => texts.rowSumsTo(data.target[t]!, significant(sumOf(data, t), 4))).join(' ');
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
    caption: texts.captionOf(data.name),
    quiet: true,
    tensor: data.name,
    head: ['', ...data.source, texts.SUM],
    rows: data.target.map((word, t) => ({
      heads: [word],
      cells: [...data.source.map((_, j) => cell(t, j)), { value: Math.fround(sumOf(data, t)), kind: 'total' }],
    })),
  };
}
