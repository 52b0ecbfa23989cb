/** The bench is a sheet below the text: as the styles have it, which cannot share a constant. */
export const narrow = matchMedia('(max-width: 47.9375em)');
