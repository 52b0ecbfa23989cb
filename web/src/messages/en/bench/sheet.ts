// The bench as a bottom sheet.
export const FOLD = 'Fold workbench';
export const UNFOLD = 'Unfold workbench';
