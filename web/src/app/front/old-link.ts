// The front page once had a bench. A link to a state of it opens on the workbench, with the same numbers.
import { root } from '../../engine/addresses';
import { BadLink, isLink } from '../../lab/link/fragment';
import { decodeLink, encodeLink } from '../../lab/link/link';
import type { Config } from '../../engine/types';

/** The name that the front page had in its links, its settings and its seed. */
const NAME = 'home';
const SETTINGS: Config = {
  ...{ kind: 'attention', score: 'scaled_dot', mask: 'none' },
  X: [1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1],
  W_Q: [2, 0, 2, 2, 0, 0, 2, 1, 2],
  W_K: [2, 2, 2, 0, 2, 1, 0, 1, 1],
  W_V: [1, 1, 0, 0, 1, 1, 0, 0, 0],
};
const SEED = 7;

/** The address that this fragment leads to; null if it is no such link. */
export async function workbenchFor(fragment: string): Promise<string | null> {
  try {
    const table = isLink(fragment) ? await decodeLink(fragment) : null;
    if (table?.lesson !== NAME) return null;
    const there = { seed: SEED, ...table, lesson: '', config: { ...SETTINGS, ...table.config } };
    return new URL(`workbench/${await encodeLink(there)}`, root).href;
  } catch (error) {
    if (error instanceof BadLink) return null;
    throw error;
  }
}
