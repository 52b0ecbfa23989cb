import { NARROW, ROOMY } from './media';

/** True while the bench is a sheet below the text. */
export const narrow = matchMedia(NARROW);
/** True where two stages stand side by side. */
export const roomy = matchMedia(ROOMY);
