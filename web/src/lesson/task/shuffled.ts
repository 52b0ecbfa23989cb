// Deterministic shuffling by a seed, for the page and the plugin that writes it: Fisher–Yates with a linear congruential
// generator.

/** The numbers from 0 to count − 1 in the order of the seed. */
export function shuffled(count: number, seed: string): number[] {
  let state = [...seed].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0, 7);
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = (state >>> 8) % (i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}
