import type { Offer } from '../host/view-offer';

export const offer: Offer = { view: 'mask', more: { attention: 2, attention_layer: 2 }, map: true };
