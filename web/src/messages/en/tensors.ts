// The tensors of a run in words, after what they are: for which token, in which part of the model; and their cells. What they are
// is in stops.ts. Tokens are put in as they are, to be set in italics or between quotation marks.
import type { StopText } from './stops';

type Sentence<Token> = readonly (string | Token)[];

/** Between quotation marks, where there are no italics. */
export const quoted = (token: string): string => `“${token}”`;

/** Tensors that are given, which no stop makes. */
export const GIVEN: Readonly<Record<string, string>> = {
  target: 'the target',
  target_in: 'the words that the decoder reads',
  target_out: 'the words that it should write',
  mask: 'the mask',
  row: 'the code of each row',
  column: 'the code of each column',
  x0: 'the input',
};
/** Results without a name that no stop is called after. */
export const CONSTANT = 'a constant';
/** The state of a cell that other parts go on to use. */
export const STATE = 'the state';

/** Heads are counted from 0, as in the code. */
export const ofHead = (at: number): string => ` of head ${at}`;

/** A tensor at one position, by the token that is read or written there. */
export const after = <Token>(token: Token): Sentence<Token> => [' after ', token];
export const at = <Token>(token: Token): Sentence<Token> => [' at ', token];
export const writing = <Token>(token: Token): Sentence<Token> => [' for ', token];
export const FOR_THE_END = ' for the end';
export const atPosition = (position: number): string => ` at position ${position}`;

/** Where it is, from the inside out: "(softmax, block 1 of the decoder)". */
export const within = (parts: readonly string[]): string => (parts.length ? ` (${parts.join(', ')})` : '');

/** Parts of a model, by the last word of a scope's name. Those without words are said by what is around them. */
export const PARTS: Readonly<Record<string, string>> = {
  softmax: 'softmax',
  log_softmax: 'log-softmax',
  attention: 'attention',
  self_attention: 'attention to its own words',
  cross_attention: 'attention to the source',
  grid_attention: 'attention within the picture',
  scaled_dot_score: 'score',
  dot_score: 'score',
  additive_score: 'score',
  general_score: 'score',
  additive_keys: 'keys',
  general_keys: 'keys',
  feed_forward: 'feed-forward network',
  rotary: 'rotation',
  norm: 'last norm',
  norm1: 'first norm',
  norm2: 'second norm',
  norm3: 'third norm',
  gelu: 'GELU',
  conv2d: 'convolution',
  max_pool2d: 'pooling',
  cross_entropy: 'loss',
  mean_squared_error: 'loss',
};
export const block = (at: number): string => `block ${at}`;
export const layer = (at: number): string => `layer ${at}`;
export const tile = (at: number): string => `tile ${at}`;
export const ofNetwork = (part: string, network: string): string => `${part} of the ${network}`;
export const FROM_THE_END = 'from the end';
/** Of what the backward pass computes on the way to a gradient. */
export const BACKWARD = 'backward pass';

export const ofParameter = <Token>(what: Sentence<Token>, parameter: Sentence<Token>): Sentence<Token> => [
  ...what,
  ', for ',
  ...parameter,
];
export const gradientOf = <Token>(name: Sentence<Token>): Sentence<Token> => ['the gradient of ', ...name];
export const updated = <Token>(name: Sentence<Token>): Sentence<Token> => [...name, ' after the update'];

// Cells.

/** How a token stands to a row. */
export type Doing = 'reading' | 'writing';
const DOING: Readonly<Record<Doing, string>> = { reading: ' when reading ', writing: ' when writing ' };

/** "weight of b when writing g"; `row` null: the tensor has one row, named before. */
export const cellOf = <Token>(
  kind: string,
  column: Token,
  row: { token: Token; doing: Doing } | null,
): Sentence<Token> => [`${kind} of `, column, ...(row ? [DOING[row.doing], row.token] : [])];
export const THE_START = 'the start';
export const THE_END = 'the end';
/** By the role of a tensor, or the name that the engine gives it. */
export const KINDS: Readonly<Record<string, string>> = {
  score: 'score',
  weight: 'weight',
  logits: 'logit',
  'log p': 'log-probability',
  gradient: 'gradient',
};
export const NUMBER = 'number';
/** "number 3 of 16 at d": the row has a token, the columns are numbers of a vector. */
export const numberAt = <Token>(at: number, count: number, row: { token: Token; doing: Doing }): Sentence<Token> => [
  ...(count > 1 ? [numberOf(at, count)] : []),
  row.doing === 'writing' ? DOING.writing : count > 1 ? ' at ' : 'at ',
  row.token,
];
export const numberOf = (at: number, count: number): string => `number ${at} of ${count}`;
export const headAt = (at: number): string => `head ${at}`;

/** "T × S = 6 × 5" */
export const shape = (letters: readonly string[], sizes: string): string => `${axes(letters)}${ofSizes(sizes)}`;
export const axes = (letters: readonly string[]): string => letters.join(' × ');
export const ofSizes = (sizes: string): string => ` = ${sizes}`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const asTitle = <Token>([first, ...rest]: Sentence<Token>): Sentence<Token> =>
  typeof first === 'string' ? [capital(first), ...rest] : first === undefined ? rest : [first, ...rest];

export type Name<Token> = StopText<Token>['sentence'];
