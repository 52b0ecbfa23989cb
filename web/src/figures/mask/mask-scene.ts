// A mask and the weights that it leaves, in words and as tables.
import type { TraceNode } from '../../engine/types';
import type { Place } from '../../ui/grid-layout';
import { fixed } from '../../ui/numbers';
import type { Table } from '../host/tables';
import type { At } from '../shared/attention/attention-map';
import { wordTable } from '../host/word-table';
import type { Words } from '../shared/attention/attention-words';

export interface MaskScene {
  mask: TraceNode;
  weights: TraceNode;
  words: Words;
  /** Values added to the scores, and the weights; undefined until reached. */
  added: Float32Array | undefined;
  values: Float32Array | undefined;
  /** Flat index of a weight of the head on show. */
  weightAt: At;
  /** Also if it is painted but has not been run yet. */
  isHidden: (place: Place) => boolean;
}

export const maskAt =
  ({ words }: Pick<MaskScene, 'words'>): At =>
  (row, c) =>
    row * words.columns.length + c;

const visible = ({ words, isHidden }: MaskScene, row: number): string[] =>
  words.columns.filter((_, column) => !isHidden({ row, column }));

/** "c does not see d", "c sees b, weight 0.31" */
export function tellPlace({ words, isHidden, values, weightAt }: MaskScene, place: Place): string {
  const [row, c] = [words.rows[place.row], words.columns[place.column]];
  if (isHidden(place)) return `${row} does not see ${c}`;
  const weight = values?.[weightAt(place.row, place.column)];
  return `${row} sees ${c}${weight === undefined ? '' : `, weight ${fixed(weight, 2)}`}`;
}

/** Of words that see nothing; "" if all see something. */
export function tellBlind(scene: MaskScene): string {
  const blind = scene.words.rows.filter((_, row) => visible(scene, row).length === 0);
  if (!blind.length) return '';
  const rest =
    blind.length > 1 ? 'see nothing: the weights in those rows are 0.' : 'sees nothing: the weights in that row are 0.';
  return `${blind.join(', ')} ${rest}`;
}

export function tellMask(scene: MaskScene): string {
  const { rows, columns } = scene.words;
  const texts = rows.map((word, row) => {
    const seen = visible(scene, row);
    return `${word} sees ${seen.length === columns.length ? 'every key' : seen.join(', ') || 'nothing'}.`;
  });
  return texts.join(' ');
}

export const maskTables = (scene: MaskScene): Table[] => {
  const { mask, weights, words, added, values, weightAt } = scene;
  return [
    { ...wordTable(mask.name, 'Added to the scores', words, added, maskAt(scene)), key: ['tensor', mask.name] },
    { ...wordTable(weights.name, 'The weights', words, values, weightAt), key: ['tensor', weights.name] },
  ];
};
