// What a trace knows of a picture and of where it is looked at.
import type { Trace, TraceNode } from '../types';
import { type Grid, gridOf } from './picture-layout';

export interface Seen {
  picture: TraceNode;
  /** α of each word; and between places, where places look at each other. */
  words: TraceNode[];
  places: TraceNode | undefined;
  grid: Grid;
}

/** null for a model that sees no picture. */
export function readPicture(trace: Trace): Seen | null {
  const named = (name: RegExp): TraceNode[] =>
    trace.nodes.filter((node) => node.phase === 'forward' && name.test(node.name));
  const picture = named(/^picture$/)[0];
  const words = named(/^decoder\.t\d+\.attention\/α$/);
  const places = named(/(^|\.)grid_attention\/α$/)[0];
  const count = (words[0] ?? places)?.shape.at(-1);
  return picture && count ? { picture, words, places, grid: gridOf(count) } : null;
}
