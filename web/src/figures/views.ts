// The views that the bench can show above the board. View x is the element <u-x>, which x/x.ts defines; it reads the lab,
// and renders nothing if the trace has nothing for it. Its x/offer.ts says which kinds of model it fits.
import { kindOf } from '../engine/kinds';
import type { Trace } from '../engine/types';

export interface Offer {
  /** The kinds of model that have what it shows; '*': all. A kind that is `like` one of them has it too. */
  kinds: readonly string[];
  /** It shows attention weights: on a narrow screen those have a tab of their own. */
  map?: boolean;
  /** Whether a model of these kinds has what it shows, where not all have. */
  fits?: (trace: Trace) => boolean;
}

const OFFERS = Object.entries(import.meta.glob<Offer>('./*/offer.ts', { eager: true, import: 'default' })).map(
  ([path, offer]): [string, Offer] => [path.split('/')[1]!, offer],
);

/** Views of attention weights. */
export const MAPS: readonly string[] = OFFERS.filter(([, { map }]) => map).map(([view]) => view);

/** Those that the bench shows with a kind of model until the reader chooses. */
const firstOf = (kind: unknown): readonly string[] => kindOf(kindOf(kind).like ?? kind).views ?? [];

/** All that fit a kind of model, and the trace if there is one: the first, then the others by name. */
export function offered(kind: unknown, trace: Trace | null = null): readonly string[] {
  const names = [kind, kindOf(kind).like, '*'];
  const fitting = OFFERS.filter(([, { kinds }]) => kinds.some((each) => names.includes(each)));
  const all = [...new Set([...firstOf(kind), ...fitting.map(([view]) => view)])];
  return trace ? all.filter((view) => OFFERS.find(([name]) => name === view)?.[1].fits?.(trace) ?? true) : all;
}

/** Views of a lesson: those that it asks for, else the first of the model, else all that fit it. */
export const viewsOf = (requested: readonly string[], kind: unknown): readonly string[] =>
  [requested, firstOf(kind), offered(kind)].find((views) => views.length > 0) ?? [];
