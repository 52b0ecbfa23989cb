// Changes to a model, as a lesson writes them; changes.ts says what they mean.

export type Change = string | number | boolean | (number | string)[];
export type Changes = Record<string, Change>;
