import type { Offer } from '../host/view-offer';

export const offer: Offer = { view: 'positions', more: { attention_layer: 3, transformer: 4 } };
