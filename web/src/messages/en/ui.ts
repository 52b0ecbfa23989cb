// What several parts of the page say alike: tasks in numbers, tokens, tensors, names of settings.
import { counted, grouped, listed, plural } from '../intl';

export const SCALAR = 'scalar';

// White space as a token.
export const SPACE = 'space';
export const LINE_BREAK = 'line break';
export const TAB = 'tab';

/** The two sides of an example: of a pair, or of a text that is continued. */
export const SIDES = {
  pairs: { source: 'Source', target: 'Target' },
  texts: { source: 'Prompt', target: 'Continuation' },
};

const EXAMPLES = { pairs: { one: 'pair', other: 'pairs' }, texts: { one: 'text', other: 'texts' } };
const UNITS = {
  words: { one: 'word', other: 'words' },
  characters: { one: 'character', other: 'characters' },
};

export type Examples = keyof typeof EXAMPLES;

export interface Counts {
  examples: Examples;
  train: number;
  validation: number;
  test: number;
  /** What the texts are read as, and how many different ones there are on each side. */
  unit: keyof typeof UNITS;
  source: number;
  target: number;
}

/** "19,211 pairs for training, 2,389 for validation, 2,400 for testing; 88 words in the sources, 95 in the targets." */
export function taskCounts({ examples, train, validation, test, unit, source, target }: Counts): string {
  const words =
    examples === 'texts'
      ? counted(target, UNITS[unit])
      : `${counted(source, UNITS[unit])} in the sources, ${grouped(target)} in the targets`;
  const split = `${counted(train, EXAMPLES[examples])} for training, ${grouped(validation)} for validation`;
  return `${split}, ${grouped(test)} for testing; ${words}.`;
}

/** "A training step takes about 26 MB, and the model has 312,464 parameters." */
export const modelSize = (megabytes: number, parameters: number): string =>
  `A training step takes about ${grouped(megabytes)} MB, and the model has ${counted(parameters, { one: 'parameter', other: 'parameters' })}.`;

/** "The batch size is 64 pairs, but there are only 3 to train on: each step uses all of them." */
export const allInEachStep = (examples: Examples, batch: number, train: number): string =>
  `The batch size is ${counted(batch, EXAMPLES[examples])}, but there ${plural(train, { one: 'is', other: 'are' })} only ${grouped(train)} to train on: each step uses all of them.`;

/** "The model does not know “pudding” and 2 more: it reads <unk> instead." */
export function unknownTokens(some: readonly string[], more: number): string {
  const names = some.map((token) => `“${token}”`);
  return `The model does not know ${listed(more ? [...names, `${grouped(more)} more`] : names)}: it reads <unk> instead.`;
}

/** A name of the engine for what can be chosen, if it is English as it is: "scaled dot" for scaled_dot. */
export const nameOf = (identifier: string): string => identifier.replaceAll('_', ' ');
