import type { Offer } from '../host/view-offer';

export const offer: Offer = {
  view: 'generation',
  first: { transformer: 1, program_lm: 1 },
  more: { seq2seq: 1, program_seq2seq: 1 },
};
