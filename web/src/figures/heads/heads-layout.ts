// Layout of heads side by side: one small map for each, and below them the front head, large enough for its values.
import { type AlignmentLayout, type Widths, layOutAlignment } from '../shared/attention/alignment-layout';
import type { MapBox } from '../shared/attention/attention-map';

export interface HeadsLayout {
  small: MapBox[];
  /** Small maps per row. */
  across: number;
  /** The small maps have column words; the first in each row also has row words. */
  worded: boolean;
  large: MapBox;
  turn: AlignmentLayout['turn'];
  numbered: boolean;
  width: number;
  height: number;
  /** Height of a line of text. */
  line: number;
}

interface Measures {
  heads: number;
  words: Widths;
  width: number;
  line: number;
}

const MAX_CELL = 20;
const MIN_CELL = 3;
const APART = 16;

interface Grid {
  across: number;
  cell: number;
  worded: boolean;
  /** Space to the left of and above the cells of a map. */
  margins: { left: number; above: number };
}

/** As many maps per row as fit with words beside the first; if words do not fit, plain cells for all. */
function gridOf({ heads, words, width, line }: Measures): Grid {
  const S = words.source.length;
  const wordsWide = Math.max(0, ...words.target) + 10;
  const cellFor = (across: number, left: number): number =>
    Math.min(MAX_CELL, Math.floor((width - left - (across - 1) * APART) / (across * S)));
  const margins = { left: wordsWide, above: Math.max(0, ...words.source) + 10 };
  for (let across = heads; across > 0; across--)
    if (cellFor(across, wordsWide) >= line) return { across, cell: cellFor(across, wordsWide), worded: true, margins };
  const plain = { left: 0, above: 4 };
  for (let across = heads; across > 1; across--)
    if (cellFor(across, 0) >= 6) return { across, cell: cellFor(across, 0), worded: false, margins: plain };
  return { across: 1, cell: Math.max(MIN_CELL, cellFor(1, 0)), worded: false, margins: plain };
}

export function layOutHeads(measures: Measures): HeadsLayout {
  const { heads, words, width, line } = measures;
  const [T, S] = [words.target.length, words.source.length];
  const { across, cell, worded, margins } = gridOf(measures);
  const [wide, high] = [S * cell + APART, margins.above + T * cell + 2.2 * line];
  const small = Array.from({ length: heads }, (_, head) => ({
    x: margins.left + (head % across) * wide,
    y: Math.floor(head / across) * high + margins.above,
    cell: { width: cell, height: cell },
    rows: T,
    columns: S,
  }));
  const top = heads > 1 ? Math.ceil(heads / across) * high + 0.6 * line : 0;
  const large = layOutAlignment(words, width, line);
  return {
    ...{ across, worded, small: heads > 1 ? small : [], large: { ...large, y: top + large.y } },
    ...{ line, turn: large.turn, numbered: large.numbered },
    width: Math.max(large.width, heads > 1 ? margins.left + across * wide - APART : 0),
    height: top + large.height,
  };
}
