import type { Offer } from '../host/view-offer';

export const offer: Offer = { view: 'picture', first: { captioner: 1 }, map: true };
