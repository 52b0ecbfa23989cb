// The views that the bench can show above the board. View x is the element <u-x>, which x/x.ts defines; it reads the lab,
// and renders nothing if the trace has nothing for it.
import { kindOf } from '../engine/kinds';

/** Views for a kind of model, in order. */
interface Offer {
  /** Those that the bench shows until the reader chooses. */
  first: readonly string[];
  /** Those that the workbench offers besides. */
  more: readonly string[];
}

const OFFERS: Readonly<Record<string, Offer>> = {
  attention: { first: [], more: ['dataflow', 'mask', 'permute', 'blocks'] },
  attention_layer: { first: ['dataflow'], more: ['heads', 'mask', 'positions', 'permute', 'blocks'] },
  captioner: { first: ['picture'], more: ['unrolled', 'blocks'] },
  program: { first: [], more: ['heads', 'blocks'] },
  program_lm: { first: ['generation'], more: ['heads', 'blocks'] },
  program_seq2seq: { first: ['alignment'], more: ['generation', 'heads', 'blocks'] },
  recurrent: { first: [], more: ['unrolled', 'blocks'] },
  seq2seq: { first: ['unrolled', 'alignment'], more: ['generation', 'blocks'] },
  transformer: { first: ['generation'], more: ['blocks', 'dataflow', 'heads', 'positions'] },
};
const OTHERS: Offer = { first: [], more: ['blocks'] };

/** Views of attention weights: on a narrow screen those have a tab of their own. */
export const MAPS: readonly string[] = ['alignment', 'heads', 'mask', 'picture'];

/** Views for a kind of model, or for the kind that it is like. */
export const offered = (which: keyof Offer, kind: unknown): readonly string[] =>
  (OFFERS[String(kind)] ?? OFFERS[String(kindOf(kind).like)] ?? OTHERS)[which];

/** Views on the bench until the reader chooses: those the page asks for, else the defaults for the model. */
export const viewsOf = (requested: readonly string[], kind: unknown): readonly string[] =>
  requested.length ? requested : offered('first', kind);
