// Ranks the entries for a query. Names count more than texts, whole names more than single words, rare words more than
// common ones; a word may be unfinished, or wrong by one letter.
import type { Entry, Kind } from './entry';

/** "Scaled dot-product" is scaled, dot, product; "<sos>" is sos. */
export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** "layer norm", "layer_norm" and "LayerNorm" are the same name. */
const joined = (text: string): string => wordsOf(text).join('');

/** What a word of each field counts. */
const WEIGHTS = { name: 3, about: 1, words: 0.5 };
/** A whole name counts as much as several words. */
const WHOLE = { same: 12, misspelt: 4, begun: 4 };
const CLOSE = { same: 1, begun: 0.7, misspelt: 0.45 };
/** Of equally good hits, the one that explains comes first. */
const KINDS: Readonly<Record<Kind, number>> = {
  ...{ word: 1, lesson: 1, operation: 0.95, model: 0.9, section: 0.85, page: 0.8, exercise: 0.6 },
};
/** Shorter words differ from too many others by one letter. */
const MISSPELT_FROM = 4;
const MOST = 10;
/** Hits this much worse than the best are noise. */
const WORST = 0.08;

/** Whether one letter is missing, added, wrong, or has changed places with its neighbour. */
export function isOneOff(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let from = 0;
  while (from < a.length && a[from] === b[from]) from++;
  const rest = (text: string, skipped: number): string => text.slice(from + skipped);
  if (rest(a, 1) === rest(b, 1) || rest(a, 0) === rest(b, 1) || rest(a, 1) === rest(b, 0)) return true;
  return a[from] === b[from + 1] && a[from + 1] === b[from] && rest(a, 2) === rest(b, 2);
}

/** How well a typed word fits a word of an entry: 0 for not at all. */
function closeness(typed: string, word: string): number {
  if (typed === word) return CLOSE.same;
  if (typed.length > 1 && word.startsWith(typed)) return CLOSE.begun;
  return typed.length >= MISSPELT_FROM && isOneOff(typed, word) ? CLOSE.misspelt : 0;
}

function wholeName(typed: string, name: string): number {
  if (typed === name) return WHOLE.same;
  if (typed.length >= MISSPELT_FROM && isOneOff(typed, name)) return WHOLE.misspelt;
  return typed.length > 2 && name.startsWith(typed) ? WHOLE.begun : 0;
}

/** "Query, key, value" is also found as "qkv". */
const initials = (name: string): string => {
  const words = wordsOf(name);
  return words.length > 2 ? words.map((word) => word[0]).join('') : '';
};

interface Indexed {
  entry: Entry;
  /** Names in one piece. */
  names: string[];
}

/** By word: what it counts for each entry that has it. */
type Places = Map<string, Map<number, number>>;

export class SearchIndex {
  private readonly all: readonly Indexed[];
  private readonly places: Places = new Map();

  constructor(entries: readonly Entry[]) {
    this.all = entries.map((entry) => ({
      entry,
      names: [entry.title, ...entry.also].flatMap((name) => [joined(name), initials(name)]).filter(Boolean),
    }));
    for (const [i, entry] of entries.entries()) this.add(entry, i);
  }

  /** The best first, at most MOST. */
  find(query: string): Entry[] {
    const typed = wordsOf(query);
    if (!typed.length) return [];
    const scores = this.all.map((_, i) => this.whole(joined(query), i));
    const found = typed.map((word) => this.scoresOf(word));
    for (const each of found) for (const [i, score] of each) scores[i]! += score;
    return this.best(scores.map((score, i) => score * this.share(found, i) * KINDS[this.all[i]!.entry.kind]));
  }

  /** How many of the typed words an entry has; one that is found by its whole name need have none. */
  private share(found: readonly Map<number, number>[], i: number): number {
    return Math.max(0.3, found.filter((each) => each.has(i)).length / found.length);
  }

  private best(scores: readonly number[]): Entry[] {
    const order = [...scores.keys()].filter((i) => scores[i]! > 0).sort((a, b) => scores[b]! - scores[a]! || a - b);
    const least = scores[order[0]!]! * WORST;
    return order
      .filter((i) => scores[i]! >= least)
      .slice(0, MOST)
      .map((i) => this.all[i]!.entry);
  }

  private whole(typed: string, i: number): number {
    return Math.max(0, ...this.all[i]!.names.map((name) => wholeName(typed, name)));
  }

  /** By entry, for one typed word. */
  private scoresOf(typed: string): Map<number, number> {
    const best = new Map<number, number>();
    for (const [word, places] of this.places) {
      const close = closeness(typed, word) * this.rarity(places);
      if (close) for (const [i, weight] of places) best.set(i, Math.max(best.get(i) ?? 0, close * weight));
    }
    return best;
  }

  private rarity(places: ReadonlyMap<number, number>): number {
    return Math.log(1 + this.all.length / places.size);
  }

  private add({ title, also, about, words }: Entry, i: number): void {
    for (const name of [title, ...also]) {
      const parts = wordsOf(name);
      for (const word of parts) this.put(word, i, WEIGHTS.name / Math.sqrt(parts.length));
    }
    for (const word of wordsOf(about)) this.put(word, i, WEIGHTS.about);
    for (const word of wordsOf(words)) this.put(word, i, WEIGHTS.words);
  }

  private put(word: string, i: number, weight: number): void {
    const places = this.places.get(word) ?? new Map<number, number>();
    places.set(i, Math.max(places.get(i) ?? 0, weight));
    this.places.set(word, places);
  }
}
