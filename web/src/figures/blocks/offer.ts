import type { Offer } from '../host/view-offer';

export const offer: Offer = { view: 'blocks', more: { transformer: 1, every: 9 } };
