/** The bench is a sheet below the text: on a tablet held upright and on a phone, unless the phone is held across. */
export const NARROW = '(max-width: 56.1875em) and (min-height: 480.02px), (max-width: 639.98px)';
/** A phone held across: text and bench stand side by side, with little height. */
export const LOW = '(min-width: 640px) and (max-height: 480px)';
/** Two stages stand side by side. */
export const ROOMY = '(min-width: 100em)';

/** As style sheets call them, in `@media (--narrow)`; the build writes them out (vite.config.ts). */
export const MEDIA: Readonly<Record<string, string>> = { '(--narrow)': NARROW, '(--low)': LOW };
