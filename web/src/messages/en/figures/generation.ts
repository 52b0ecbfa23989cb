// A text as it is generated, position by position.
import { counted, grouped } from '../../intl';
import { NOT_REACHED } from './shared';

export const HEADING = 'How the text is generated';
export const POSITION = 'Position being generated';
export const BACK = 'Back';
export const NEXT_WORD = 'Next word';
/** Not the transport's Play, which goes through the operations. */
export const PLAY_WRITING = 'Play the writing';
export const PAUSE_WRITING = 'Pause the writing';

/** Rows of words. */
export const GROUPS = { source: 'source', text: 'text' };
type Group = keyof typeof GROUPS;
/** The row below them: the likeliest next words. */
export const NEXT = 'next';

export interface Step {
  /** The last word so far. */
  word: string;
  isPrompt: boolean;
  /** The words with the largest weights, and the likeliest next ones, each with its number: "b 0.57". */
  attends: readonly { to: Group; words: readonly string[] }[];
  likely: readonly string[];
  /** The next word of the text, where it is not the likeliest. */
  continuation?: string | undefined;
}

/** "After b: attends to c 0.93, b 0.05; most likely next: b 0.57, a 0.32; the text continues with a". */
export function step({ word, isPrompt, attends, likely, continuation }: Step): string {
  const parts = [
    ...attends.map(({ to, words }) => `attends ${to === 'text' ? 'back to' : 'to'} ${firstOf(words)}`),
    likely.length ? `most likely next: ${firstOf(likely)}` : NOT_REACHED,
    ...(continuation === undefined ? [] : [`the text continues with ${continuation}`]),
  ];
  return `After ${word}${isPrompt ? ' (prompt)' : ''}: ${parts.join('; ')}`;
}

/** No "and": there are more. */
const firstOf = (words: readonly string[]): string => words.join(', ');

export const atPosition = (at: number, last: number, cell: string): string =>
  `Position ${at} of 0 to ${last}. ${cell}.`;

export const weightsAt = (at: number, group: Group, attention: string): string =>
  `Attention weights of position ${at}: ${GROUPS[group]}, ${attention}`;
export const likelyAfter = (at: number): string => `The most likely words after position ${at}`;
export const LIKELY_COLUMNS = ['word', 'log p', 'p'];
export const VALUE_COLUMNS = ['what', 'position', 'word', 'value'];

export interface Cost {
  cacheBytes: number;
  /** With the cache, and without. */
  multiplyAdds: number;
  multiplyAddsUncached: number;
}

export const cost = ({ cacheBytes, multiplyAdds, multiplyAddsUncached }: Cost): string =>
  `KV cache: ${counted(cacheBytes, { one: 'byte', other: 'bytes' })}. Next word: ${counted(multiplyAdds, { one: 'multiply-add', other: 'multiply-adds' })}; without the cache, ${grouped(multiplyAddsUncached)}`;
