import type { Offer } from '../host/view-offer';

export const offer: Offer = {
  view: 'unrolled',
  first: { seq2seq: 1 },
  more: { recurrent: 1, captioner: 1 },
};
