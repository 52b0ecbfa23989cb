// What a model with a task reads and writes.
export const WHAT_IS_READ = 'What the model reads';
export const AS_TOKENS = 'As tokens';
/** Heard before the tokens of a side. */
export const SIDES = { source: 'source:', target: 'target:' };
/** Between a source and what the model makes of it. */
export const WRITES = 'writes';
export const HELD_OUT = 'held out';
export const ABOUT_HELD_OUT = 'A combination of words that never occurs in training';
export const LEFT_TO_MODEL = 'what the model writes';
export const EDIT = 'Edit';
export const NEXT_EXAMPLE = 'Next example';
/** On the button, where `wide` stands only if there is room for it. */
export const nextExample = <T>(wide: (text: string) => T): (T | string)[] => ['Next', wide(' example')];
