import type { Offer } from '../host/view-offer';

export const offer: Offer = {
  view: 'dataflow',
  first: { attention_layer: 1 },
  more: { attention: 1, transformer: 2 },
};
