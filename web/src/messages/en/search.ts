// The search over lessons, glossary, operations and models.
import { counted } from '../intl';

export const WHAT = 'Search lessons, words, operations and models';
export const EXAMPLES = 'A word, a paper’s term or an operation: “alignment model”, “<sos>”, “causal mask”, “matmul”.';
export const RESULTS = 'Results';
export const nothingFor = (query: string): string =>
  `Nothing found for “${query}”. Try one word of it, or the name another paper gives it.`;
export const hits = (count: number): string => counted(count, { one: 'result', other: 'results' });
export const HOW = '↑ ↓ choose, Enter opens, Escape closes';
export const NOT_LOADED = 'The search could not be loaded. Connect to the network once and press / again.';

/** What a hit is. */
export const KINDS = {
  lesson: 'Lesson',
  section: 'Section',
  exercise: 'Exercise',
  word: 'Word',
  operation: 'Operation',
  model: 'Model',
  page: 'Page',
} as const;
