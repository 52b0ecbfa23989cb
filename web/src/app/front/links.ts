// The drawing of the translator: a link from each word that was written to the words it looked at. The build draws it into
// the page, and the element draws it again.

/** Of the drawing, which is stretched to the room there is. */
export const BOX = { width: 1000, height: 100 };
/** Smaller weights are not drawn. */
const LEAST = 0.04;

export interface Link {
  path: string;
  weight: number;
  /** Whether it belongs to the word that is lit. */
  lit: boolean;
}

const middleOf = (place: number, count: number): number => Math.round(((place + 0.5) / count) * BOX.width);

/** The strongest links of the lit word come last, above the others. Row t of the weights is that of word t. */
export function linksOf(weights: readonly (readonly number[])[], words: number, lit: number | null): Link[] {
  const all = weights.slice(0, words).flatMap((row, t) =>
    row.map((weight, j) => ({
      path: curve(middleOf(t, words), middleOf(j, row.length)),
      weight,
      lit: lit === null || t === lit,
    })),
  );
  return all.filter(({ weight }) => weight >= LEAST).sort((a, b) => +a.lit - +b.lit || a.weight - b.weight);
}

/** From a word below to a word above. */
const curve = (below: number, above: number): string =>
  `M${below} ${BOX.height}C${below} ${BOX.height * 0.45} ${above} ${BOX.height * 0.55} ${above} 0`;

/** The word that looks most decidedly at another place than its own: what the page shows first. */
export function mostMoved(weights: readonly (readonly number[])[], words: number): number {
  const moved = weights.slice(0, words).map((row, t) => Math.max(...row.filter((_, j) => j !== t)));
  return moved.indexOf(Math.max(...moved));
}
