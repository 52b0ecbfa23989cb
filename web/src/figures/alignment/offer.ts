import type { Offer } from '../host/view-offer';

export const offer: Offer = {
  view: 'alignment',
  first: { seq2seq: 2, program_seq2seq: 1 },
  map: true,
};
