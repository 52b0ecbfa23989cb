// The views that the bench can show above the board. View x is the element <u-x>; it reads the lab, and renders nothing
// if the trace has nothing for it.

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

/** Views of attention weights: on a narrow screen they have a tab of their own. */
export const MAPS: readonly ViewName[] = ['alignment', 'heads', 'mask', 'picture'];

interface Offer {
  /** What the bench shows initially if the page does not say. */
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

/** Views for a kind of model. */
export const offerOf = (kind: unknown): Offer => OFFERS[String(kind)] ?? { first: [], more: ['blocks'] };

/** Views on the bench until the reader chooses: those the page asks for, else the defaults for the model. */
export const viewsOf = (asked: readonly string[], kind: unknown): readonly ViewName[] =>
  asked.length ? (asked as readonly ViewName[]) : offerOf(kind).first;
