// The views that the bench can show above the board. The view called x is the element <u-x>; it finds what it shows in
// the lab, and shows nothing where there is nothing of it in the trace.

export const VIEWS = [
  'unrolled',
  'alignment',
  'dataflow',
  'heads',
  'mask',
  'positions',
  'permute',
  'blocks',
  'generation',
  'picture',
] as const;
export type ViewName = (typeof VIEWS)[number];

/** Those that show weights of attention: on a narrow screen they have a tab of their own. */
export const MAPS: readonly ViewName[] = ['alignment', 'heads', 'mask', 'picture'];

interface Offer {
  /** What the bench begins with where the page does not say. */
  first: readonly ViewName[];
  /** What else the workbench offers. */
  more: readonly ViewName[];
}

const RECURRENT: Offer = { first: ['unrolled', 'alignment'], more: ['generation', 'blocks'] };
const OFFERS: Readonly<Record<string, Offer>> = {
  softmax: { first: [], more: ['blocks'] },
  attention: { first: [], more: ['dataflow', 'mask', 'permute', 'blocks'] },
  attention_layer: { first: ['dataflow'], more: ['heads', 'mask', 'positions', 'permute', 'blocks'] },
  recurrent: { first: [], more: ['unrolled', 'blocks'] },
  seq2seq: RECURRENT,
  language_model: RECURRENT,
  transformer: { first: ['generation'], more: ['blocks', 'dataflow', 'heads', 'positions'] },
  transformer_lm: { first: ['generation'], more: ['blocks', 'dataflow', 'heads', 'positions'] },
  captioner: { first: ['picture'], more: ['unrolled', 'blocks'] },
};

/** For a kind of model. */
export const offerOf = (kind: unknown): Offer => OFFERS[String(kind)] ?? { first: [], more: ['blocks'] };

/** What stands on the bench of a page with such a model until a reader chooses. */
export const viewsOf = (asked: readonly string[], kind: unknown): readonly ViewName[] =>
  asked.length ? (asked as readonly ViewName[]) : offerOf(kind).first;
