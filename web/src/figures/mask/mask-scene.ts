// A mask and the weights that it leaves, in words and as tables.
import * as texts from '#messages/figures/mask';
import type { TraceNode } from '../../engine/types';
import type { Place } from '../../ui/grid-layout';
import { fixed } from '../../ui/numbers';
import { type Table, wordTable } from '../host/tables';
import type { At } from '../shared/attention/attention-map';
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

/** The query and the key of a cell. */
export function pairAt({ words, isHidden, values, weightAt }: MaskScene, place: Place): texts.Pair {
  const weight = values?.[weightAt(place.row, place.column)];
  return {
    query: words.rows[place.row]!,
    key: words.columns[place.column]!,
    hidden: isHidden(place),
    weight: weight === undefined ? weight : fixed(weight, 2),
  };
}

/** Of words that see nothing; "" if all see something. */
export function tellBlind(scene: MaskScene): string {
  const blind = scene.words.rows.filter((_, row) => visible(scene, row).length === 0);
  return blind.length ? texts.seeNothing(blind) : '';
}

export function tellMask(scene: MaskScene): string {
  const { rows, columns } = scene.words;
  return rows.map((word, row) => texts.seesKeys(word, visible(scene, row), columns.length)).join(' ');
}

export const maskTables = (scene: MaskScene): Table[] => {
  const { mask, weights, words, added, values, weightAt } = scene;
  return [
    { ...wordTable(mask.name, texts.ADDED_TABLE, words, added, maskAt(scene)), key: [texts.TENSOR, mask.name] },
    { ...wordTable(weights.name, texts.WEIGHTS_TABLE, words, values, weightAt), key: [texts.TENSOR, weights.name] },
  ];
};
