// The views that the bench can show above the board: the figures with an offer.ts. View x is the element <u-x>, which
// x/x.ts defines; it reads the lab, and renders nothing if the trace has nothing for it.
import { kindOf } from '../engine/kinds';
import type { Offer } from './host/view-offer';

const OFFERS = Object.values(import.meta.glob<Offer>('./*/offer.ts', { eager: true, import: 'offer' }));

/** Views of attention weights. */
export const MAPS: readonly string[] = OFFERS.filter(({ map }) => map).map(({ view }) => view);

/** Views for a kind of model: those that the bench shows if the page does not say, or what else the workbench offers. */
export function offered(which: 'first' | 'more', kind: unknown): readonly string[] {
  const { like } = kindOf(kind);
  const placeIn = ({ [which]: places = {} }: Offer): number =>
    places[String(kind)] ?? places[String(like)] ?? places.every ?? 0;
  return OFFERS.filter(placeIn)
    .sort((a, b) => placeIn(a) - placeIn(b))
    .map(({ view }) => view);
}

/** Views on the bench until the reader chooses: those the page asks for, else the defaults for the model. */
export const viewsOf = (requested: readonly string[], kind: unknown): readonly string[] =>
  requested.length ? requested : offered('first', kind);
