/** True while the bench is a sheet below the text. Same breakpoint as in the style sheets, which cannot share it. */
export const narrow = matchMedia('(max-width: 56.1875em)');
/** True where two stages stand side by side. */
export const roomy = matchMedia('(min-width: 100em)');
