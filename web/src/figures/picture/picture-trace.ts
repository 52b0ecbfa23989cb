// Reads a picture and the attention over it out of a trace.
import type { Trace, TraceNode } from '../../engine/types';
import { once } from '../shared/once';
import { type Grid, gridOf } from './picture-layout';

export interface PictureAttention {
  picture: TraceNode;
  /** α of each word; and α between places, if they attend to each other. */
  wordWeights: TraceNode[];
  placeWeights: TraceNode | undefined;
  grid: Grid;
}

/** null for a model without attention over a picture. */
export const readPicture = once((trace: Trace): PictureAttention | null => {
  const named = (name: RegExp): TraceNode[] =>
    trace.nodes.filter((node) => node.phase === 'forward' && name.test(node.name));
  const picture = named(/^picture$/)[0];
  const wordWeights = named(/^decoder\.t\d+\.attention\/α$/);
  const placeWeights = named(/(^|\.)grid_attention\/α$/)[0];
  const count = (wordWeights[0] ?? placeWeights)?.shape.at(-1);
  return picture && count ? { picture, wordWeights, placeWeights, grid: gridOf(count) } : null;
});
