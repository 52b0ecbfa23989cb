// The engine's source beside the board.
export const NO_LINE = 'The line that is running is shown here.';
export const LOADING = 'Loading…';
export const NOT_INCLUDED = 'The source of this file is not included in the page.';
export const emptyLine = (number: number): string => `line ${number}, empty`;
export const sourceOf = (file: string): string => `Source of ${file}`;
