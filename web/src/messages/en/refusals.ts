// What the engine refuses, by the pattern of its sentence: 'id is {number}: use 0 to {number}.'. The
// engine writes English: there is nothing to translate.
export const REFUSALS: Readonly<Record<string, string>> = {};

/** What the page calls the fields that a refusal names, where it has another name for them. */
export const FIELDS: Readonly<Record<string, string>> = {};
