import type { Offer } from '../host/view-offer';

export const offer: Offer = {
  view: 'heads',
  more: { attention_layer: 1, transformer: 3, program: 1, program_lm: 3, program_seq2seq: 3 },
  map: true,
};
