import type { Offer } from '../host/view-offer';

export const offer: Offer = { view: 'permute', more: { attention: 3, attention_layer: 4 } };
